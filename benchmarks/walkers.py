"""Other ways to sample the same paths: one by one over networkx, level by level in numba."""

import random
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from hopsight.wiki.graph import Indices, LinkGraph

numba: Any = import_module("numba") if find_spec("numba") else None
"""No dependency of the project: without it this side is missing."""

TRIES = 10

LevelWalk = Callable[[LinkGraph, LinkGraph, Indices, int, int], int]


def networkx_walk(
    graph: "nx.DiGraph[int]", kept: NDArray[np.bool_], seeds: list[int], walks: int, hops: int
) -> int:
    """Number of paths found by as many walks over one networkx graph."""
    rng = random.Random(1)
    allowed = kept.tolist()
    return sum(
        any(_one(graph, allowed, seeds[n % len(seeds)], hops, rng) for _ in range(TRIES))
        for n in range(walks)
    )


def _one(
    graph: "nx.DiGraph[int]", kept: list[bool], start: int, hops: int, rng: random.Random
) -> bool:
    path = [start]
    for _ in range(hops):
        out = list(graph[path[-1]])
        if not out:
            return False
        there = rng.choice(out)
        if there in path or not kept[there]:
            return False
        path.append(there)
    return not graph.has_edge(start, path[-1])


def level_walk() -> LevelWalk | None:
    """The walk in numba, compiled; None if numba is not installed."""
    if numba is None:
        return None
    step = numba.njit(_step)
    close = numba.njit(_close)

    def walk(full: LinkGraph, pruned: LinkGraph, seeds: Indices, walks: int, hops: int) -> int:
        indptr, targets = np.asarray(pruned.indptr), np.asarray(pruned.targets)
        full_indptr, full_targets = np.asarray(full.indptr), np.asarray(full.targets)
        left = np.arange(walks)
        paths = np.empty((hops + 1, walks), dtype=np.int32)
        for attempt in range(TRIES):
            paths[0, left] = seeds[left % len(seeds)]
            good = np.ones(walks, dtype=np.bool_)
            for hop in range(hops):
                step(indptr, targets, paths, good, left, hop, attempt)
            close(full_indptr, full_targets, paths, good, left, hops)
            left = left[~good[left]]
            if not len(left):
                break
        return walks - len(left)

    return walk


def version() -> str:
    """Which numba it is."""
    return "missing" if numba is None else str(numba.__version__)


def _step(
    indptr: Any, targets: Any, paths: Any, good: Any, left: Any, hop: int, attempt: int
) -> None:
    for n in left:
        if not good[n]:
            continue
        here = paths[hop, n]
        first = indptr[here]
        degree = indptr[here + 1] - first
        if degree == 0:
            good[n] = False
            continue
        word = np.uint64(n) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(hop * 64 + attempt)
        word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        word ^= word >> np.uint64(31)
        draw = ((word >> np.uint64(32)) * np.uint64(degree)) >> np.uint64(32)
        there = targets[np.int64(first) + np.int64(draw)]
        for earlier in range(hop):
            if paths[earlier, n] == there:
                good[n] = False
        paths[hop + 1, n] = there


def _close(indptr: Any, targets: Any, paths: Any, good: Any, left: Any, hops: int) -> None:
    for n in left:
        if not good[n]:
            continue
        low, high = indptr[paths[0, n]], indptr[paths[0, n] + 1]
        last = high
        wanted = paths[hops, n]
        while low < high:
            middle = (low + high) // 2
            if targets[middle] < wanted:
                low = middle + 1
            else:
                high = middle
        if low < last and targets[low] == wanted:
            good[n] = False
