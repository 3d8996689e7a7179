from typing import Any

import networkx as nx
import numpy as np
import pytest

from hopsight.wiki.graph import build_graphs_of
from hopsight.wiki.resolve import resolve
from hopsight.wiki.select import SelectRules, seed_rows, select_pages
from hopsight.wiki.walks import WalkRules
from tests.hopsight.wiki.small_scan import SmallPage, SmallScan

KINDS = ("river", "scientist", None, "unheard of")


def wiki_of(tmp_path, pages, hub=10_000, size=50) -> Any:
    scan = SmallScan(pages, size)
    resolution = resolve(scan, tmp_path / "resolution")
    return scan, resolution, *build_graphs_of(resolution, tmp_path / "graphs", hub)


def select(parts, rules, seed=1):
    scan, resolution, full, pruned = parts
    return select_pages(scan, resolution, full, pruned, rules, seed)


@pytest.fixture
def wiki(tmp_path) -> Any:
    """200 pages with random links; every second one has a picture."""
    view = nx.gnp_random_graph(200, 0.02, seed=5, directed=True)
    pages = [
        SmallPage(
            f"P{node}",
            links=tuple(f"P{there}" for there in sorted(view.successors(node))),
            infobox=KINDS[node % 4],
            picture="x.png" if node % 3 else None,
        )
        for node in range(200)
    ]
    return view, wiki_of(tmp_path, pages)


def rules_of(**changes):
    fields: dict[str, Any] = {
        "all_below": 0,
        "max_pages": 120,
        "max_neighbours": 12,
        "min_in_degree": 1,
        "walks": WalkRules({2: 1, 3: 1}, walks=30),
    }
    return SelectRules(**(fields | changes))


def test_a_small_wiki_is_taken_whole(wiki):
    _, parts = wiki

    selection = select(parts, rules_of(all_below=200), seed=1)

    assert selection.page_ids.tolist() == selection.closed.tolist() == list(range(1, 201))
    assert selection.counts == {"articles": 200, "pages": 200}


def test_closed_pages_are_those_whose_in_neighbours_are_all_selected(wiki):
    view, parts = wiki

    selection = select(parts, rules_of(), seed=1)

    selected = set(selection.page_ids.tolist())
    wanted = {
        node + 1
        for node in view
        if node + 1 in selected and all(there + 1 in selected for there in view.predecessors(node))
    }
    assert set(selection.closed.tolist()) == wanted
    assert selection.closed.tolist() == sorted(wanted)
    assert 0 < len(wanted) < len(selected) <= 120
    assert selection.counts["closed"] == len(wanted)


def test_every_walk_is_kept_or_counted_with_its_reason(wiki):
    _, parts = wiki

    counts = select(parts, rules_of(max_neighbours=8, max_pages=60), seed=1).counts

    dropped = ("walks_kept", "walks_neighbourhood_too_large", "walks_page_limit")
    assert all(counts[name] > 0 for name in dropped)
    assert counts["walks"] == sum(counts[name] for name in dropped)
    assert counts["nodes_neighbourhood_too_large"] > 0


def test_a_kept_path_has_all_its_neighbours_and_only_small_ones(tmp_path):
    # A chain 1 → 2 → 3; 2 has a fan of pages around it, 5 is linked by very many.
    fan = [SmallPage(f"F{n}", links=("Two", "Five")) for n in range(6)]
    pages = [
        SmallPage("One", links=("Two",), infobox="river", picture="x.png"),
        SmallPage("Two", links=("Three",)),
        SmallPage("Three", links=("Out",)),
        SmallPage("Other", links=("Five",), infobox="river", picture="x.png"),
        SmallPage("Five", links=("Six",)),
        SmallPage("Six"),
        SmallPage("Out", links=("Far",)),
        SmallPage("Far"),
        SmallPage("In", links=("One", "Other")),
        *[SmallPage(f"G{n}", links=("Five",)) for n in range(5)],
        *fan,
    ]
    rules = rules_of(max_neighbours=8, walks=WalkRules({2: 1}, walks=4))

    selection = select(wiki_of(tmp_path, pages), rules)

    titles = {pages[number - 1].title for number in selection.page_ids.tolist()}
    assert titles == {"One", "Two", "Three", "Out", "In", *(f"F{n}" for n in range(6))}
    closed = {pages[number - 1].title for number in selection.closed.tolist()}
    assert {"One", "Two", "Three"} <= closed
    assert selection.counts["walks_kept"] == 1
    assert selection.counts["walks_neighbourhood_too_large"] == 1
    assert selection.counts["nodes_neighbourhood_too_large"] == 1


def test_the_same_seed_selects_the_same_pages(wiki):
    _, parts = wiki

    first, again, other = (select(parts, rules_of(), seed=seed) for seed in (1, 1, 2))

    assert first.page_ids.tolist() == again.page_ids.tolist()
    assert first.page_ids.tolist() != other.page_ids.tolist()


def test_seeds_are_pictured_pages_of_a_known_domain_and_middling_in_degree(tmp_path):
    good: dict[str, Any] = {"infobox": "river", "picture": "x.png", "links": ()}
    pages = [
        SmallPage("Good", **good),
        SmallPage("Scientist", **(good | {"infobox": "scientist"})),
        SmallPage("No infobox", **(good | {"infobox": None})),
        SmallPage("No domain", **(good | {"infobox": "unheard of"})),
        SmallPage("No picture", **(good | {"picture": None})),
        SmallPage("Lonely", **good),
        SmallPage("Popular", **good),
        SmallPage("List of rivers", **good),
        SmallPage("Old", redirect="Good"),
    ]
    all_but = [page.title for page in pages if page.title != "Lonely"]
    pages += [SmallPage("X", links=tuple(all_but))]
    pages += [SmallPage(f"Y{number}", links=("Popular",)) for number in range(3)]
    scan, resolution, full, _ = wiki_of(tmp_path, pages, size=4)
    rules = rules_of(min_in_degree=1, max_in_degree=3)

    seeds, counts = seed_rows(scan, resolution, full, rules)

    found = {name: full.ids[rows].tolist() for name, rows in seeds.items()}
    assert found == {"location": [1], "person": [2]}
    assert counts == {
        "seed_filtered_page": 1,
        "seed_no_infobox": 5,
        "seed_no_domain": 1,
        "seed_no_picture": 1,
        "seed_low_in_degree": 1,
        "seed_hub": 1,
    }
    assert sum(counts.values()) + 2 == len(resolution.page_ids)


def test_the_strata_take_turns_when_there_is_room_for_few(tmp_path):
    pages = [
        SmallPage(f"{kind}{n}{step}", links=(f"{kind}{n}{step + 1}",),
                  infobox=kind.lower() if step == 1 else None, picture="x.png")
        for kind in ("River", "Scientist")
        for n in range(5)
        for step in range(4)
    ]  # fmt: skip
    rules = rules_of(max_pages=8, walks=WalkRules({2: 1}, walks=5))

    selection = select(wiki_of(tmp_path, pages), rules)

    kinds = [pages[number - 1].title[:5] for number in selection.page_ids.tolist()]
    assert sorted(kinds) == ["River"] * 4 + ["Scien"] * 4
    assert np.isin(selection.closed, selection.page_ids).all()
