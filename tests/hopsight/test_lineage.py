"""Lineage: from an exported row back to pages, with what was found on the way."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hopsight.catalog import Catalog
from hopsight.errors import StoreError
from hopsight.lineage import LineageNode
from hopsight.provenance import ProvenanceRow
from hopsight.store import DataStore
from hopsight.types import Alias, ExportRow
from tests.hopsight.world import FILE, World, make_world


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """One for all tests that only read."""
    return make_world(tmp_path_factory.mktemp("world"))


@pytest.fixture
def fresh(tmp_path: Path) -> World:
    """For tests that write."""
    return make_world(tmp_path)


@pytest.fixture(scope="module")
def catalog(world: World) -> Iterator[Catalog]:
    with Catalog(world.store) as opened:
        yield opened


def _by_id(node: LineageNode) -> dict[str, LineageNode]:
    return {found.id: found for found in node.walk()}


def test_an_exported_row_leads_back_to_the_pages(catalog: Catalog, world: World) -> None:
    tree = catalog.lineage(world.row.id)
    assert (tree.id, tree.kind, tree.dataset) == (world.row.id, "row", "sft_rows")
    rollout, question = tree.parents
    assert rollout.id == world.rollouts[0].id
    assert question.id == world.fuzzed.id
    assert rollout.parents[0] is question
    canonical, chain = question.parents
    assert canonical.id == world.canonical.id
    assert canonical.parents == (chain,)
    [path] = chain.parents
    assert path.id == world.path.id
    assert [page.id for page in path.parents] == ["wiki:1", "wiki:2"]
    assert [page.row["title"] for page in path.parents if page.row] == ["A", "B"]


def test_every_node_carries_its_stored_row(catalog: Catalog, world: World) -> None:
    nodes = _by_id(catalog.lineage(world.row.id))
    question = nodes[world.fuzzed.id]
    assert question.row is not None
    assert (question.row["text"], question.row["round"]) == (world.fuzzed.text, "0001")
    chain = nodes[world.chain.id].row
    assert chain is not None
    assert chain["answer_evidence"] == world.chain.answer_evidence.model_dump()
    assert all(node.row is not None for node in nodes.values())


def test_stages_that_kept_a_record_are_told(catalog: Catalog, world: World) -> None:
    question = _by_id(catalog.lineage(world.row.id))[world.fuzzed.id]
    assert {row["stage"] for row in question.made} == {"fuzzed_questions", "curated_questions"}
    assert {row["operator"] for row in question.made} == {"fuzz"}


def test_findings_stand_beside_the_record_they_are_about(catalog: Catalog, world: World) -> None:
    nodes = _by_id(catalog.lineage(world.row.id))
    kinds = [finding.kind for finding in nodes[world.fuzzed.id].findings]
    assert sorted(kinds) == ["probe", "traj", "traj"]
    verdicts = {finding.id for finding in nodes[world.rollouts[1].id].findings}
    assert verdicts == {world.verdicts[1].id}
    assert [finding.kind for finding in nodes[world.canonical.id].findings] == ["rej"]


def test_what_other_paths_made_of_a_page_is_no_finding(catalog: Catalog, world: World) -> None:
    assert _by_id(catalog.lineage(world.row.id))["wiki:1"].findings == ()


def test_a_row_is_found_by_file_and_number(catalog: Catalog, world: World) -> None:
    assert catalog.lineage(f"{FILE}:0") == catalog.lineage(world.row.id)


def test_of_two_rounds_the_newest_row_is_meant_unless_one_is_named(fresh: World) -> None:
    newer = make_world(fresh.store.root, "0002")
    with Catalog(fresh.store) as catalog:
        assert catalog.lineage(f"{FILE}:0").id == newer.row.id
        assert catalog.lineage(f"{FILE}:0", round="0001").id == fresh.row.id


def test_any_record_has_a_lineage(catalog: Catalog, world: World) -> None:
    assert catalog.lineage(world.verdicts[0].id).parents[0].id == world.rollouts[0].id
    assert catalog.lineage(world.pages[0].id).dataset == "pages"
    page = catalog.lineage("wiki:3")
    assert (page.kind, page.parents, page.findings) == ("page", (), ())


@pytest.mark.parametrize(
    "name", ["q_0000000000000000", "wiki:99", "wiki:x", "nothing", "", "'; --"]
)
def test_an_unknown_record_is_told(catalog: Catalog, name: str) -> None:
    with pytest.raises(StoreError, match="no record"):
        catalog.lineage(name)


def test_rows_of_every_export_are_found(fresh: World) -> None:
    other = ExportRow(
        file="rl/train.parquet",
        row=5,
        question_id=fresh.fuzzed.id,
        trajectory_id=None,
        images=(),
    )
    fresh.store.write("rl_rows", "0001", [other], record_type=ExportRow)
    with Catalog(fresh.store) as catalog:
        assert catalog.lineage("rl/train.parquet:5").id == other.id
        assert catalog.lineage(f"{FILE}:0").id == fresh.row.id


def test_an_unknown_row_is_told_with_the_files_there_are(catalog: Catalog) -> None:
    with pytest.raises(StoreError, match=r"no exported row x.json:7.*sft/train.json \(1 rows\)"):
        catalog.lineage("x.json:7")


def test_rows_before_any_export_are_told(tmp_path: Path) -> None:
    with (
        Catalog(DataStore(tmp_path)) as catalog,
        pytest.raises(StoreError, match="no row has been exported yet"),
    ):
        catalog.lineage("a.json:0")


def test_a_circle_in_provenance_is_refused(tmp_path: Path) -> None:
    store = DataStore(tmp_path)
    rows = [_row("alias_a", "alias_b"), _row("alias_b", "alias_a")]
    store.write("provenance_x", "0001", rows, record_type=ProvenanceRow)
    store.write("aliases", "all", [Alias(page_id=1, name="a")], record_type=Alias)
    with (
        Catalog(store) as catalog,
        pytest.raises(StoreError, match="alias_a was made from itself"),
    ):
        catalog.lineage("alias_a")


def _row(record: str, parent: str) -> ProvenanceRow:
    return ProvenanceRow(
        record_id=record,
        record_kind="alias",
        stage="x",
        made_from=(parent,),
        operator=None,
        prompt=None,
        model=None,
        seed=None,
        cost_usd=0,
        seconds=0,
        round="0001",
        run_id="r",
        made_at="",
    )
