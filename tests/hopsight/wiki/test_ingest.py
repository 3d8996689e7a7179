"""A source is scanned, its links become graphs, its chosen pages tables; the mini world's here."""

from pathlib import Path

import numpy as np
import pytest

from hopsight.config import RoundConfig, SourceConfig
from hopsight.errors import StoreError
from hopsight.wiki import ingest
from hopsight.wiki.build import build_snapshot
from hopsight.wiki.mini import WORLD_XML
from hopsight.wiki.sources import source_files, source_identity
from hopsight.wiki.tables import SnapshotTables
from hopsight.workspace import Workspace

HUB = 130
TABLES = ("pages", "links", "aliases", "facts", "images")


def config(**select: int) -> RoundConfig:
    source = {"kind": "mini", "select": {"walks": 40, "max_neighbours": 400} | select}
    return RoundConfig.model_validate(
        {"source": source, "explore": {"hops": {2: 1.0}}, "seed_entities": {"min_in_degree": 1}}
    )


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """The mini world, scanned and linked."""
    workspace = Workspace(tmp_path_factory.mktemp("ingest"))
    ingest.scan_source(SourceConfig(), workspace, workers=1)
    ingest.build_links(SourceConfig(), workspace, HUB)
    return workspace


@pytest.fixture(scope="module")
def whole(workspace: Workspace) -> SnapshotTables:
    """All pages read."""
    return read(workspace).tables


def read(workspace: Workspace, **select: int) -> ingest.Selected:
    graphs = ingest.open_links(SourceConfig(), workspace)
    return ingest.read_selected(config(**select), workspace, graphs)


def test_a_small_wiki_is_read_whole_and_as_without_a_scan(
    workspace: Workspace, whole: SnapshotTables
) -> None:
    files = source_files(SourceConfig(), workspace.crawl)
    other = build_snapshot(files.dump, files.pictures, files.sidecar, workspace.images)
    for name in TABLES:
        assert getattr(whole, name) == getattr(other, name), name
    assert all(page.closed for page in whole.pages)


def test_of_a_large_wiki_the_pages_around_walks_are_read(
    workspace: Workspace, whole: SnapshotTables
) -> None:
    selected = read(workspace, all_below=10, max_pages=900)
    tables, chosen = selected.tables, selected.selection
    assert len(tables.pages) == len(chosen.page_ids) <= 900
    assert 0 < len(chosen.closed) < len(chosen.page_ids)
    assert sum(each.found for each in chosen.yields.values()) > 20
    (left,) = (row for row in tables.rejected if row.reason == "page_not_selected")
    assert left.detail == f"{len(whole.pages) - len(tables.pages):,}"
    by_id = {page.page_id: page for page in whole.pages}
    for page in tables.pages:
        assert replace_closed(page) == by_id[page.page_id]


def replace_closed(page):
    return page.model_copy(update={"closed": True})


def test_every_page_that_links_to_a_closed_page_is_read(
    workspace: Workspace, whole: SnapshotTables
) -> None:
    tables = read(workspace, all_below=10, max_pages=900).tables
    ids = {page.page_id for page in tables.pages}
    closed = {page.page_id for page in tables.pages if page.closed}
    assert {link.source for link in whole.links if link.target in closed} <= ids


def test_facts_of_a_part_are_those_of_the_whole_as_far_as_both_ends_are_read(
    workspace: Workspace, whole: SnapshotTables
) -> None:
    tables = read(workspace, all_below=10, max_pages=900).tables
    ids = {page.page_id for page in tables.pages}
    known = {(fact.page_id, fact.attribute, fact.value) for fact in tables.facts}
    wanted = {
        (fact.page_id, fact.attribute, fact.value) for fact in whole.facts if fact.page_id in ids
    }
    assert known == wanted


def test_the_seed_decides_which_pages_are_read(workspace: Workspace) -> None:
    graphs = ingest.open_links(SourceConfig(), workspace)
    first, again, other = (
        ingest.read_selected(
            config(all_below=10, max_pages=900).model_copy(update={"seed": seed}), workspace, graphs
        ).selection.page_ids
        for seed in (1, 1, 2)
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_pages_cannot_be_read_before_the_links_are_built(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no finished scan"):
        ingest.open_links(SourceConfig(), Workspace(tmp_path))


def test_the_scan_of_another_source_is_refused(workspace: Workspace, tmp_path: Path) -> None:
    other = tmp_path / "world.xml"
    other.write_bytes(WORLD_XML.read_bytes().replace(b"Danube", b"Danuba", 1))
    source = SourceConfig(kind="dump", dump=other)
    with pytest.raises(StoreError, match="scan of another source"):
        ingest.open_links(source, workspace)
    with pytest.raises(StoreError, match="scan of another source"):
        ingest.build_links(source, workspace, HUB)


def test_sources_of_one_name_are_told_apart(tmp_path: Path) -> None:
    found = set()
    for number in range(2):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "dump.xml").write_bytes(WORLD_XML.read_bytes()[number:])
        found.add(source_identity(SourceConfig(kind="dump", dump=folder / "dump.xml")))
    assert len(found) == 2
