"""A real export by way of the scan: the same links and answers as the full parser gives."""

import numpy as np
import pytest

from hopsight.store.images import ImageStore
from hopsight.wiki.build import build_snapshot
from hopsight.wiki.graph import build_graphs, build_graphs_of
from hopsight.wiki.resolve import resolve
from hopsight.wiki.scan import scan_dump
from hopsight.wiki.select import SelectRules, select_pages
from hopsight.wiki.walks import WalkRules

PAGES = (
    ("Anchor", "{{Infobox river|name=A}}[[File:A.png]] [[B]] [[Old name#Part|x]] [[Mercury]]"),
    ("B", "[[Anchor]] [[C]] {{Navbox|[[D]]}} [[List of all]] [[Nowhere]] [[de:Donau]]"),
    ("C", "[[B]] [[C]] [[D]]"),
    ("D", "[[Round]]"),
    ("Old name", "#REDIRECT [[Older name]]", 0, "Older name"),
    ("Older name", "#REDIRECT [[C#Part]]", 0, "C#Part"),
    ("Round", "#REDIRECT [[Round again]]", 0, "Round again"),
    ("Round again", "#REDIRECT [[Round]]", 0, "Round"),
    ("Mercury", "[[C]] {{disambig}}"),
    ("List of all", "[[Anchor]]"),
    ("Bee", "#REDIRECT [[B]]", 0, "B"),
    ("File:A.png", "a picture", 6, None),
)


@pytest.fixture
def ways(export, tmp_path):
    """The wiki by way of the scan, and by the full parser."""
    path = export(*PAGES)
    scan = scan_dump([path], tmp_path / "scan")
    tables = build_snapshot(path, None, None, ImageStore(tmp_path / "images"))
    return scan, resolve(scan, tmp_path / "resolution"), tables


def test_the_graphs_of_a_scan_are_those_of_the_full_parser(ways, tmp_path):
    _, resolution, tables = ways

    fast = build_graphs_of(resolution, tmp_path / "fast", max_in_degree=2)
    slow = build_graphs(tables, tmp_path / "slow", max_in_degree=2)

    for one, other in zip(fast, slow, strict=True):
        assert np.array_equal(one.ids, other.ids)
        assert np.array_equal(one.indptr, other.indptr)
        assert np.array_equal(one.targets, other.targets)
        assert np.array_equal(one.in_degree, other.in_degree)
    assert fast[0].neighbours(1) == (2, 3)
    assert resolution.links == len(tables.links)


def test_the_aliases_of_the_full_parser_are_the_redirects_of_the_table(ways):
    _, resolution, tables = ways

    names = {
        (resolved.page_id, title)
        for title, resolved in resolution.titles.redirect_names()
        if resolved.page_id is not None and not resolved.to_section
    }
    assert names == {(2, "Bee")}
    assert names <= {(alias.page_id, alias.name) for alias in tables.aliases}


def test_pages_are_selected_by_what_the_scan_saw(ways, tmp_path):
    scan, resolution, _ = ways
    full, pruned = build_graphs_of(resolution, tmp_path / "graphs", max_in_degree=10)
    rules = SelectRules(all_below=0, min_in_degree=1, walks=WalkRules({3: 1}, walks=20))

    selection = select_pages(scan, resolution, full, pruned, rules, seed=1)

    # Anchor → B → C → D is the only path.
    assert selection.counts["walks_kept"] == 1
    assert {1, 2, 3, 4} <= set(selection.closed.tolist())
