import hashlib
import json
import tempfile
from collections import Counter
from itertools import pairwise
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hopsight.store.images import ImageStore
from hopsight.wiki import walks as walks_module
from hopsight.wiki.build import build_snapshot
from hopsight.wiki.graph import build_graph, build_graphs, prune
from hopsight.wiki.walks import WalkRules, sample_walks

MASK = 2**64 - 1
GOLDEN, MIX_A, MIX_B = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def graphs_of(folder, nodes, edges, left_out=()):
    """A full and a pruned graph whose rows are the page ids, and both for networkx."""
    pairs = np.asarray(sorted(edges), dtype=np.int64).reshape(-1, 2)
    full = build_graph(lambda: [(pairs[:, 0], pairs[:, 1])], range(nodes), folder / "full")
    kept = ~np.isin(np.arange(nodes), list(left_out))
    pruned = prune(full, kept, folder / "pruned")
    wide: nx.DiGraph[int] = nx.DiGraph()
    wide.add_nodes_from(range(nodes))
    wide.add_edges_from((a, b) for a, b in edges if a != b)
    narrow = wide.copy()
    narrow.remove_edges_from([(a, b) for a, b in wide.edges if {a, b} & set(left_out)])
    return full, pruned, wide, narrow


def mix(word):
    word = (word ^ word >> 30) * MIX_A & MASK
    word = (word ^ word >> 27) * MIX_B & MASK
    return word ^ word >> 31


def word_of(key, number, stream):
    return mix(mix(number * GOLDEN + key & MASK) + stream * MIX_B & MASK)


def stuck_at(wide, narrow, node):
    if not wide.out_degree(node):
        return "dead_end"
    return None if narrow.out_degree(node) else "hub"


def slow_try(wide, narrow, start, hops, word):
    """One try of one walk: the path and None, or what there is of it and the reason."""
    path = [start]
    for _ in range(hops):
        reason = stuck_at(wide, narrow, path[-1])
        if reason:
            return path, reason
        out = sorted(narrow.successors(path[-1]))
        path.append(out[(word >> 32) * len(out) >> 32])
        word = mix(word + GOLDEN & MASK)
        if path[-1] in path[:-1]:
            return path, "revisit"
    return path, "shortcut_link" if wide.has_edge(path[0], path[-1]) else None


def slow_walks(wide, narrow, stratum, seeds, rules, seed):
    """The walks of a stratum one by one over networkx, and counts of everything."""
    told = json.dumps(["walks", seed, stratum], separators=(",", ":"))
    key = int(hashlib.sha256(told.encode()).hexdigest()[:16], 16)
    left_out = Counter(filter(None, (stuck_at(wide, narrow, node) for node in seeds)))
    usable = sorted({node for node in seeds if not stuck_at(wide, narrow, node)})
    usable.sort(key=lambda node: word_of(key ^ MIX_A, node, 0))
    lengths = sorted(rules.hops)
    shares = np.cumsum([rules.hops[length] for length in lengths]) / sum(rules.hops.values())
    counts: Counter[str] = Counter()
    paths = []
    for number in range(rules.walks if usable else 0):
        share = (word_of(key, number, 0) >> 11) / 2**53
        hops = next(n for n, top in zip(lengths, [*shares[:-1], 2], strict=True) if share < top)
        for attempt in range(rules.tries):
            counts["tries"] += 1
            start = usable[number % len(usable)]
            path, reason = slow_try(wide, narrow, start, hops, word_of(key, number, attempt + 1))
            if reason is None:
                paths.append(tuple(path))
                break
            counts[reason] += 1
    return list(dict.fromkeys(paths)), len(paths), counts, dict(left_out)


def all_paths(wide, narrow, seeds, lengths):
    """Every path that may be sampled."""
    found = set()
    for start in seeds:
        open_paths: list[tuple[int, ...]] = [(start,)]
        for hop in range(1, max(lengths) + 1):
            open_paths = [
                (*path, there)
                for path in open_paths
                for there in narrow.successors(path[-1])
                if there not in path
            ]
            if hop in lengths:
                found |= {path for path in open_paths if not wide.has_edge(start, path[-1])}
    return found


def paths_of(walks, stratum=None):
    chosen = list(range(len(walks.rows)))
    if stratum is not None:
        chosen = np.flatnonzero(walks.stratum == walks.strata.index(stratum)).tolist()
    return [walks.path(number) for number in chosen]


NODES = 9
EDGES = st.sets(st.tuples(st.integers(0, NODES - 1), st.integers(0, NODES - 1)), max_size=45)


@settings(max_examples=60, deadline=None)
@given(
    edges=EDGES,
    left_out=st.sets(st.integers(0, NODES - 1), max_size=2),
    seeds=st.lists(st.integers(0, NODES - 1), max_size=5),
    weights=st.lists(st.integers(0, 3), min_size=3, max_size=3).filter(any),
    batch=st.sampled_from([1, 3, 1000]),
    seed=st.integers(0, 2**40),
)
def test_walks_are_those_of_one_walker_at_a_time_over_networkx(
    edges, left_out, seeds, weights, batch, seed
):
    rules = WalkRules(hops=dict(zip((2, 3, 5), weights, strict=True)), walks=25, tries=3)
    with tempfile.TemporaryDirectory() as folder:
        full, pruned, wide, narrow = graphs_of(Path(folder), NODES, edges, left_out)
        strata = {"b": np.asarray(seeds, dtype=np.int32), "a": np.asarray(seeds[:1], np.int32)}
        walks = sample_walks(full, pruned, strata, rules, seed, batch=batch)
        del full, pruned

    assert walks.strata == ("a", "b")
    for name, rows in strata.items():
        wanted, ended, counts, left = slow_walks(wide, narrow, name, rows.tolist(), rules, seed)
        given_ = walks.yields[name]
        assert paths_of(walks, name) == wanted
        assert set(wanted) <= all_paths(wide, narrow, rows.tolist(), list(rules.hops))
        assert given_.seeds_left_out == left
        assert given_.tries == counts.pop("tries", 0)
        assert given_.rejected == counts
        assert (given_.found, given_.duplicates) == (len(wanted), ended - len(wanted))
        assert given_.asked == given_.found + given_.dropped + given_.duplicates
        assert given_.tries == given_.found + given_.duplicates + sum(given_.rejected.values())


@pytest.mark.parametrize("graph_seed", range(4))
def test_every_path_is_found_in_the_end(tmp_path, graph_seed):
    wanted_edges = nx.gnp_random_graph(8, 0.3, seed=graph_seed, directed=True).edges
    full, pruned, wide, narrow = graphs_of(tmp_path, 8, set(wanted_edges), left_out=[3])
    rules = WalkRules(hops={2: 1, 3: 1}, walks=6000, tries=20)

    walks = sample_walks(full, pruned, {"all": np.arange(8, dtype=np.int32)}, rules, seed=1)

    wanted = all_paths(wide, narrow, range(8), [2, 3])
    assert wanted
    assert set(paths_of(walks)) == wanted


def test_strata_get_as_many_walks_as_asked_and_their_seeds_take_turns(tmp_path):
    # Two rings side by side, with chords: no walk of three hops can fail.
    size = 500
    edges = {(n, (n + step) % size) for n in range(size) for step in (1, 7, 19, 53, 101)}
    full, pruned, *_ = graphs_of(tmp_path, size, edges)
    seeds = {"few": np.arange(10, dtype=np.int32), "many": np.arange(10, 210, dtype=np.int32)}
    rules = WalkRules(hops={3: 1, 2: 3}, walks=400, tries=50)

    walks = sample_walks(full, pruned, seeds, rules, seed=7)

    for name, rows in seeds.items():
        paths = paths_of(walks, name)
        given_ = walks.yields[name]
        assert given_.found + given_.duplicates == 400
        assert given_.dropped == 0
        assert {path[0] for path in paths} == set(rows.tolist())
    many = Counter(path[0] for path in paths_of(walks, "many"))
    assert max(many.values()) == 2
    long = sum(len(path) == 4 for path in paths_of(walks, "many"))
    # 100 of 400 are expected; five standard deviations are 43.
    assert 57 <= long <= 143


def test_the_next_page_is_drawn_evenly(tmp_path):
    full, pruned, *_ = graphs_of(tmp_path, 12, {(0, n) for n in range(1, 11)} | {(1, 11)})
    tries = walks_module._Stratum(full, pruned, WalkRules({2: 1}, 1), np.uint64(5))
    starts = np.zeros(100_000, dtype=np.int32)
    words = walks_module._words(np.uint64(5), np.arange(100_000, dtype=np.uint64), 1)

    columns, _ = tries._try(starts, 1, words)

    counts = np.bincount(columns[1], minlength=11)[1:11]
    assert counts.sum() == 100_000
    assert abs(counts - 10_000).max() < 5 * np.sqrt(9_000)


def test_the_seed_number_and_the_stratum_change_the_walks(tmp_path):
    edges = nx.gnp_random_graph(30, 0.1, seed=1, directed=True).edges
    full, pruned, *_ = graphs_of(tmp_path, 30, set(edges))
    rows = np.arange(30, dtype=np.int32)
    rules = WalkRules(hops={3: 1}, walks=40)

    first = sample_walks(full, pruned, {"a": rows, "b": rows}, rules, seed=1)
    other = sample_walks(full, pruned, {"a": rows}, rules, seed=2)

    assert paths_of(first, "a") != paths_of(first, "b")
    assert paths_of(first, "a") != paths_of(other, "a")


def test_equal_words_of_different_paths_do_not_make_them_equal(monkeypatch):
    monkeypatch.setattr(walks_module, "_mix", lambda words: words & np.uint64(0))
    paths = np.asarray([[1, 2], [1, 3], [1, 2], [2, 3]], dtype=np.int32)

    # With a useless hash equal paths may be missed, but no path is ever lost.
    kept = paths[walks_module._first_of_equals(paths)].tolist()
    assert {tuple(path) for path in kept} == {(1, 2), (1, 3), (2, 3)}


@pytest.mark.parametrize("rules", [({}, 1), ({1: 1}, 1), ({2: 0}, 1), ({2: -1, 3: 2}, 1)])
def test_rules_that_cannot_be_followed_are_refused(rules):
    with pytest.raises(ValueError, match=r"hops|weight"):
        WalkRules(*rules)


@pytest.fixture
def walk(export, tmp_path):
    """Titles of all paths over pages given as wikitext, from the page Anchor."""

    def sample(*pages, hops, hub=100):
        tables = build_snapshot(export(*pages), None, None, ImageStore(tmp_path / "images"))
        full, pruned = build_graphs(tables, tmp_path / "graphs", max_in_degree=hub)
        titles = [page.title for page in tables.pages]
        seeds = {"all": np.asarray([titles.index("Anchor")], dtype=np.int32)}
        walks = sample_walks(full, pruned, seeds, WalkRules({hops: 1}, walks=200), seed=3)
        paths = {tuple(titles[row] for row in path) for path in paths_of(walks)}
        return paths, walks.yields["all"]

    return sample


def test_the_anchor_is_never_the_answer(walk):
    paths, given_ = walk(("Anchor", "[[B]]"), ("B", "[[Anchor]] [[C]]"), ("C", "x"), hops=2)

    assert paths == {("Anchor", "B", "C")}
    assert given_.rejected["revisit"] > 0


def test_no_hub_stands_on_a_path(walk):
    pages = [
        ("Anchor", "[[Hub]] [[B]]"),
        ("B", "[[Hub]] [[C]]"),
        ("C", "[[Hub]]"),
        ("Hub", "[[B]]"),
    ]
    paths, given_ = walk(*pages, hops=2, hub=2)

    assert paths == {("Anchor", "B", "C")}
    assert given_.rejected == {}

    paths, given_ = walk(*pages, hops=3, hub=2)

    assert paths == set()
    assert set(given_.rejected) == {"hub"}
    assert given_.dropped == 200


def test_no_link_leads_past_the_path(walk):
    pages = [("Anchor", "[[B]] [[C]]"), ("B", "[[C]] [[D]]"), ("C", "x"), ("D", "x")]
    paths, given_ = walk(*pages, hops=2)

    assert paths == {("Anchor", "B", "D")}
    assert given_.rejected["shortcut_link"] > 0
    assert given_.rejected["dead_end"] > 0


def test_a_link_past_the_path_counts_even_if_no_walk_may_take_it(export, tmp_path):
    # The pruned graph lacks the anchor's link; the full one has it.
    full, pruned, *_ = graphs_of(tmp_path, 3, {(0, 1), (1, 2)})
    shortcut, *_ = graphs_of(tmp_path / "other", 3, {(0, 1), (1, 2), (0, 2)})
    seeds, rules = {"all": np.zeros(1, dtype=np.int32)}, WalkRules({2: 1}, walks=1)

    assert sample_walks(full, pruned, seeds, rules, 1).yields["all"].found == 1
    assert sample_walks(shortcut, pruned, seeds, rules, 1).yields["all"].rejected == {
        "shortcut_link": 10
    }


def test_a_loop_through_a_redirect_is_a_revisit(walk, redirect):
    paths, given_ = walk(
        ("Anchor", "[[B]]"), ("B", "[[Old name]]"), redirect("Old name", "Anchor"), hops=2
    )

    assert paths == set()
    assert set(given_.rejected) == {"revisit"}


def test_no_disambiguation_page_or_list_stands_on_a_path(walk):
    paths, _ = walk(
        ("Anchor", "[[Mercury]] [[List of all]] [[B]]"),
        ("Mercury", "[[C]] {{disambig}}"),
        ("List of all", "[[C]]"),
        ("B", "[[D]]"),
        ("C", "x"),
        ("D", "x"),
        hops=2,
    )

    assert paths == {("Anchor", "B", "D")}


def test_a_link_in_a_navigation_box_is_no_hop(walk):
    paths, _ = walk(
        ("Anchor", "[[B]]\n{{Navbox|list1=[[C]]}}"),
        ("B", "[[D]]\n{{Navbox|list1=[[E]]}}"),
        *((name, "x") for name in "CDE"),
        hops=2,
    )

    assert paths == {("Anchor", "B", "D")}


def test_every_hop_is_a_link_and_rows_are_padded(tmp_path):
    full, pruned, wide, _ = graphs_of(tmp_path, 6, {(n, n + 1) for n in range(5)})
    seeds = {"all": np.asarray([0, 2, 5], dtype=np.int32)}

    walks = sample_walks(full, pruned, seeds, WalkRules({2: 1, 3: 1}, walks=50), seed=1)

    assert walks.rows.shape[1] == 4
    assert walks.rows.dtype == np.int32
    assert walks.yields["all"].seeds_left_out == {"dead_end": 1}
    assert all(wide.has_edge(a, b) for path in paths_of(walks) for a, b in pairwise(path))
    assert {len(path) for path in paths_of(walks)} == {3, 4}
