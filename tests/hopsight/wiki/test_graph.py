import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hopsight.errors import StoreError
from hopsight.store.images import ImageStore
from hopsight.wiki import graph as graph_module
from hopsight.wiki.build import build_snapshot
from hopsight.wiki.graph import LinkGraph, build_graph, build_graphs, build_graphs_of, prune


def chunked(edges, size=3):
    def chunks():
        for start in range(0, len(edges), size):
            part = np.asarray(edges[start : start + size], dtype=np.int64).reshape(-1, 2)
            yield part[:, 0], part[:, 1]

    return chunks


def test_rows_hold_each_edge_once_in_order(tmp_path):
    edges = [(30, 10), (10, 30), (10, 20), (10, 30), (20, 20), (10, 99), (99, 10)]

    graph = build_graph(chunked(edges), [30, 10, 20], tmp_path / "g")

    assert graph.neighbours(10) == (20, 30)
    assert graph.neighbours(20) == ()
    assert graph.neighbours(30) == (10,)
    assert graph.has_edge(10, 30)
    assert not graph.has_edge(20, 10)
    assert graph.in_degree.tolist() == [1, 1, 1]
    assert graph.targets.dtype == np.int32
    assert isinstance(graph.targets, np.memmap)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=60),
    st.sampled_from([1, 2, 7, 1000]),
)
def test_the_graph_is_the_set_of_edges_whatever_the_chunks(edges, block):
    ids = [3 * n for n in range(10)]
    pairs = [(3 * a, 3 * b) for a, b in edges]
    wanted = {(a, b) for a, b in pairs if a != b and a in ids and b in ids}
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(graph_module, "CHUNK", block)
        graph = build_graph(chunked(pairs, block), ids, Path(folder))
        found = {(a, b) for a in ids for b in graph.neighbours(a)}
        degrees = graph.in_degree.tolist()
        del graph

    assert found == wanted
    assert degrees == [sum(b == page for _, b in wanted) for page in ids]


def test_sparse_page_ids_give_the_same_graph_as_dense_ones(tmp_path):
    far = 10**12
    edges = [(1, 2), (2, far), (far, 1), (far, far + 1), (-5, 1)]

    graph = build_graph(chunked(edges), [1, 2, far], tmp_path / "g")

    assert [graph.neighbours(page) for page in (1, 2, far)] == [(2,), (far,), (1,)]


def test_an_unknown_page_is_a_key_error(tmp_path):
    graph = build_graph(chunked([(1, 2)]), [1, 2], tmp_path / "g")

    with pytest.raises(KeyError):
        graph.neighbours(3)


def test_a_graph_without_edges_can_be_stored(tmp_path):
    graph = build_graph(chunked([]), [1, 2], tmp_path / "g")

    assert (graph.nodes, graph.edges) == (2, 0)


@pytest.mark.parametrize("name", ["graph.json", "targets.npy", "indptr.npy"])
def test_a_damaged_folder_is_an_error_with_a_remedy(tmp_path, name):
    build_graph(chunked([(1, 2)]), [1, 2], tmp_path / "g")
    (tmp_path / "g" / name).unlink()

    with pytest.raises(StoreError, match="link_graph"):
        LinkGraph.open(tmp_path / "g")


def test_arrays_that_do_not_fit_are_noticed(tmp_path):
    build_graph(chunked([(1, 2)]), [1, 2], tmp_path / "g")
    np.save(tmp_path / "g" / "targets.npy", np.zeros(5, dtype=np.int32))

    with pytest.raises(StoreError, match="do not fit"):
        LinkGraph.open(tmp_path / "g")


def test_building_twice_gives_the_same_bytes(tmp_path):
    for name in ("a", "b"):
        build_graph(chunked([(1, 2), (2, 3), (1, 3)]), [1, 2, 3], tmp_path / name)

    for file in sorted((tmp_path / "a").iterdir()):
        assert file.read_bytes() == (tmp_path / "b" / file.name).read_bytes()


def test_the_pruned_graph_lacks_hubs_lists_and_disambiguations(export, tmp_path):
    path = export(
        ("Hub", "x"),
        ("A", "[[Hub]] [[B]]"),
        ("B", "[[Hub]] [[A]]"),
        ("List of all", "[[A]] [[B]]"),
        ("Mercury", "[[A]] {{disambig}}"),
    )
    tables = build_snapshot(path, None, None, ImageStore(tmp_path / "store"))

    full, pruned = build_graphs(tables, tmp_path / "graphs", max_in_degree=1)

    assert full.neighbours(2) == (1, 3)
    assert full.neighbours(4) == (2, 3)
    assert [pruned.neighbours(page) for page in (1, 2, 3, 4, 5)] == [(), (3,), (2,), (), ()]
    assert pruned.ids.tolist() == full.ids.tolist()


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=60),
    st.lists(st.booleans(), min_size=10, max_size=10),
    st.sampled_from([1, 5, 1000]),
)
def test_pruning_keeps_the_edges_between_kept_rows(edges, kept, block):
    wanted = {(a, b) for a, b in edges if a != b and kept[a] and kept[b]}
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(graph_module, "CHUNK", block)
        full = build_graph(chunked(edges), range(10), Path(folder, "full"))
        pruned = prune(full, np.asarray(kept), Path(folder, "pruned"))
        found = {(a, b) for a in range(10) for b in pruned.neighbours(a)}
        through_blocks = {
            (int(a), int(b))
            for sources, targets in pruned.blocks()
            for a, b in zip(sources, targets, strict=True)
        }
        degrees = pruned.in_degree.tolist()
        del full, pruned

    assert found == through_blocks == wanted
    assert degrees == [sum(b == page for _, b in wanted) for page in range(10)]


@dataclass
class Wiki:
    page_ids: np.ndarray
    filtered: np.ndarray
    pairs: list[tuple[int, int]]

    def edges(self):
        return chunked(self.pairs)()


def test_links_from_lists_do_not_make_a_hub_and_given_in_degrees_replace_the_count(tmp_path):
    ids = np.arange(1, 6)
    pairs = [(4, 1), (5, 1), (2, 1), (1, 2), (2, 3), (3, 2)]
    wiki = Wiki(ids, np.asarray([False, False, False, True, True]), pairs)

    full, pruned = build_graphs_of(wiki, tmp_path / "counted", max_in_degree=2)

    assert full.in_degree.tolist() == [1, 2, 1, 0, 0]
    assert [pruned.neighbours(page) for page in range(1, 6)] == [(2,), (1, 3), (2,), (), ()]

    given_ = np.asarray([9, 1, 1, 0, 0], dtype=np.int32)
    full, pruned = build_graphs_of(wiki, tmp_path / "given", 2, given_)

    assert full.in_degree.tolist() == given_.tolist()
    assert [pruned.neighbours(page) for page in range(1, 6)] == [(), (3,), (2,), (), ()]
    with pytest.raises(ValueError, match="2 in-degrees"):
        build_graphs_of(wiki, tmp_path / "short", 2, given_[:2])


def test_ids_and_offsets_are_as_small_as_they_may_be(tmp_path):
    near = build_graph(chunked([(1, 2)]), [1, 2], tmp_path / "near")
    far = build_graph(chunked([(1, 2**31)]), [1, 2**31], tmp_path / "far")

    assert near.ids.dtype == np.int32
    assert near.indptr.dtype == np.int32
    assert far.ids.dtype == np.int64
    assert far.neighbours(1) == (2**31,)
