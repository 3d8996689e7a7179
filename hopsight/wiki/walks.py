"""Sampling paths from the link graph: all walkers of a batch step one hop at a time.

A path v0 … vh starts at a seed, follows links of the pruned graph, comes to no page twice, and no
link of the full graph leads from v0 to vh. A walk whose try fails starts again from its seed, a
bounded number of times. Random numbers are a hash of the walk's number, try and hop [splitmix64,
Steele, Lea and Flood 2014], so a walk is the same whatever stands beside it in a batch.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hopsight.types import content_hash
from hopsight.wiki.graph import Flags, Indices, LinkGraph

Words = NDArray[np.uint64]
Codes = NDArray[np.uint8]

BATCH: Final = 1 << 14
"""Walkers that step together; their arrays should stay in the processor's cache."""

REASONS: Final = ("", "dead_end", "hub", "revisit", "shortcut_link")
"""Why a try fails: the page has no links; all its links lead to pages that the pruned graph
leaves out (hubs, lists, disambiguation pages), or it is one itself; a page comes twice; the first
page links to the last one."""

_DEAD_END, _HUB, _REVISIT, _SHORTCUT = range(1, 5)

_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_MIX_A: Final = np.uint64(0xBF58476D1CE4E5B9)
_MIX_B: Final = np.uint64(0x94D049BB133111EB)


@dataclass(frozen=True, slots=True)
class WalkRules:
    """How walks are drawn. `hops` gives each length, 2 or more, its weight.

    `walks` is the number asked of every stratum; a walk is tried at most `tries` times.
    """

    hops: Mapping[int, float]
    walks: int
    tries: int = 10

    def __post_init__(self) -> None:
        if not self.hops or min(self.hops) < 2 or min(self.hops.values()) < 0:
            raise ValueError(f"hops must be lengths of at least 2 with weights: {self.hops}")
        if sum(self.hops.values()) <= 0 or self.walks < 0 or self.tries < 1:
            raise ValueError("walks need a positive weight, a number and at least one try")


@dataclass(frozen=True, slots=True)
class Yield:
    """What one stratum gave: asked = found + dropped + duplicates; tries are counted one by one.

    tries = found + duplicates + all of `rejected`. `seeds_left_out` counts, by reason, seeds
    from which no walk can start; the others take turns. With none left all walks are dropped.
    """

    asked: int
    found: int
    dropped: int
    duplicates: int
    tries: int
    rejected: dict[str, int]
    seeds: int
    seeds_left_out: dict[str, int]


@dataclass(frozen=True, slots=True)
class Walks:
    """Different paths, one a row, by stratum and number of the walk.

    `rows` (n, longest + 1) int32 holds rows of the graph, padded with -1; `stratum` (n,) int32 is
    a position in `strata`, which are in alphabetical order.
    """

    rows: Indices
    stratum: Indices
    strata: tuple[str, ...]
    yields: dict[str, Yield]

    def path(self, number: int) -> tuple[int, ...]:
        """Rows of one path."""
        return tuple(row for row in self.rows[number].tolist() if row >= 0)


def sample_walks(
    full: LinkGraph,
    pruned: LinkGraph,
    seeds: Mapping[str, Indices],
    rules: WalkRules,
    seed: int,
    *,
    batch: int = BATCH,
) -> Walks:
    """Walk from the seeds (rows) of every stratum; the same `seed` gives the same walks."""
    width = max(rules.hops) + 1
    strata = tuple(sorted(seeds))
    parts, yields = [], {}
    for name in strata:
        paths, yields[name] = _Stratum(full, pruned, rules, _key(seed, name)).sample(
            np.asarray(seeds[name], dtype=np.int32), width, batch
        )
        parts.append(paths)
    rows = np.concatenate([np.empty((0, width), dtype=np.int32), *parts])
    lengths = [len(part) for part in parts]
    stratum = np.repeat(np.arange(len(strata), dtype=np.int32), lengths)
    return Walks(rows, stratum, strata, yields)


class _Stratum:
    """The walks of one stratum. `key` sets its random numbers apart from all others."""

    def __init__(
        self, full: LinkGraph, pruned: LinkGraph, rules: WalkRules, key: np.uint64
    ) -> None:
        # Plain arrays: every access to a memory map costs a detour through Python.
        self._indptr, self._targets = np.asarray(pruned.indptr), np.asarray(pruned.targets)
        self._full_indptr, self._full_targets = np.asarray(full.indptr), np.asarray(full.targets)
        self._rules = rules
        self._key = key
        self._rejected = np.zeros(len(REASONS), dtype=np.int64)
        self._tries = 0

    def sample(self, seeds: Indices, width: int, batch: int) -> tuple[Indices, Yield]:
        """All walks of the stratum that succeed, and what became of the others."""
        reason = self._stuck(seeds)
        usable = _permuted(np.unique(seeds[reason == 0]), self._key)
        asked = self._rules.walks
        paths: Indices = np.full((asked if len(usable) else 0, width), -1, dtype=np.int32)
        for hops, numbers in self._batches(len(paths), batch):
            starts = usable[numbers % np.uint64(len(usable))]
            self._walk(paths, numbers, starts, hops)
        found = paths[paths[:, 0] >= 0]
        distinct = found[_first_of_equals(found)]
        return distinct, Yield(
            asked=asked,
            found=len(distinct),
            dropped=asked - len(found),
            duplicates=len(found) - len(distinct),
            tries=self._tries,
            rejected=_counted(self._rejected),
            seeds=len(usable),
            seeds_left_out=_counted(np.bincount(reason, minlength=len(REASONS))),
        )

    def _batches(self, walks: int, batch: int) -> Iterator[tuple[int, Words]]:
        """Numbers of walks, those of one length together."""
        lengths = sorted(self._rules.hops)
        weights = np.cumsum([self._rules.hops[length] for length in lengths])
        bounds = (weights / weights[-1])[:-1]
        for first in range(0, walks, batch * len(lengths)):
            last = min(first + batch * len(lengths), walks)
            numbers = np.arange(first, last, dtype=np.uint64)
            drawn = _uniform(_words(self._key, numbers, 0))
            chosen = np.searchsorted(bounds, drawn, side="right")
            for position, length in enumerate(lengths):
                mine = numbers[chosen == position]
                for start in range(0, len(mine), batch):
                    yield length, mine[start : start + batch]

    def _walk(self, paths: Indices, numbers: Words, starts: Indices, hops: int) -> None:
        """Try walks of one length until they succeed or are out of tries; fills `paths`."""
        for attempt in range(self._rules.tries):
            words = _words(self._key, numbers, attempt + 1)
            columns, reason = self._try(starts, hops, words)
            self._tries += len(numbers)
            self._rejected += np.bincount(reason, minlength=len(REASONS))
            good = reason == 0
            done = numbers[good].astype(np.int64)
            for position, column in enumerate(columns):
                paths[done, position] = column[good]
            failed = np.flatnonzero(reason)
            if not len(failed):
                return
            numbers, starts = numbers[failed], starts[failed]

    def _try(self, starts: Indices, hops: int, words: Words) -> tuple[list[Indices], Codes]:
        """One try of every walk. A walk that has failed goes on without meaning to the end."""
        columns = [starts]
        reason: Codes = np.zeros(len(starts), dtype=np.uint8)
        for hop in range(hops):
            here = columns[-1]
            at = here.astype(np.int64)  # once, or every look-up does it
            begin = self._indptr.take(at)
            at += 1
            degree = self._indptr.take(at) - begin
            # The upper half of a word times the degree, shifted back: a draw from 0 … degree - 1.
            draw = ((words >> np.uint64(32)) * degree.view(f"u{degree.itemsize}")) >> np.uint64(32)
            if not degree.all():
                stuck = np.flatnonzero((degree == 0) & (reason == 0))
                reason[stuck] = self._stuck(here[stuck])
            there = self._targets.take(begin + draw.view(np.int64), mode="clip")
            revisit = there == columns[0]
            for column in columns[1:-1]:
                revisit |= there == column
            revisit &= reason == 0
            reason[revisit] = _REVISIT
            columns.append(there)
            if hop + 1 < hops:
                words = _mix(words + _GOLDEN)
        good = np.flatnonzero(reason == 0)
        short = self._linked(columns[0][good], columns[-1][good])
        reason[good[short]] = _SHORTCUT
        return columns, reason

    def _stuck(self, rows: Indices) -> Codes:
        """Why no walk leaves these rows; 0 where one can."""
        reason: Codes = np.zeros(len(rows), dtype=np.uint8)
        reason[self._indptr[rows] == self._indptr[rows + 1]] = _HUB
        reason[self._full_indptr[rows] == self._full_indptr[rows + 1]] = _DEAD_END
        return reason

    def _linked(self, sources: Indices, targets: Indices) -> Flags:
        """Whether the full graph has an edge from each source to its target: binary search.

        Every source has a link, or no walk would have left it.
        """
        low = self._full_indptr.take(sources).astype(np.int64)
        size = self._full_indptr.take(sources + 1) - low
        for _ in range(int(size.max(initial=1) - 1).bit_length()):
            half = size >> 1
            low += half * (self._full_targets.take(low + half, mode="clip") <= targets)
            size -= half
        found: Flags = self._full_targets.take(low, mode="clip") == targets
        return found


def _permuted(seeds: Indices, key: np.uint64) -> Indices:
    """Seeds (ascending) in a random order."""
    words = _words(key ^ _MIX_A, seeds.astype(np.uint64), 0)
    return seeds[np.argsort(words, kind="stable")]


def _first_of_equals(paths: Indices) -> NDArray[np.int64]:
    """Positions of all different paths, of equal ones the first, ascending."""
    words: Words = np.zeros(len(paths), dtype=np.uint64)
    for column in paths.T:
        words = _mix(words + _GOLDEN + column.astype(np.uint64))
    ordered = np.sort(words)  # many times faster than to find the order
    repeated = ordered[1:][ordered[1:] == ordered[:-1]]
    places = np.flatnonzero(np.isin(words, repeated))
    order = places[np.argsort(words[places], kind="stable")]
    # The same word may stand for two paths; they are compared themselves.
    same = (paths[order[1:]] == paths[order[:-1]]).all(axis=1)
    first: Flags = np.ones(len(paths), dtype=bool)
    first[order[1:][same]] = False
    return np.flatnonzero(first)


def _key(seed: int, stratum: str) -> np.uint64:
    return np.uint64(int(content_hash(["walks", seed, stratum])[:16], 16))


def _words(key: np.uint64, numbers: Words, stream: int) -> Words:
    """One random word for each walk; `stream` tells the tries apart."""
    # Whole numbers of Python do not complain when they are cut to 64 bits.
    shift = np.uint64(stream * int(_MIX_B) % 2**64)
    return _mix(_mix(numbers * _GOLDEN + key) + shift)


def _mix(words: Words) -> Words:
    """The finalizer of splitmix64: every bit of the input changes half of the output's."""
    mixed = words ^ (words >> np.uint64(30))
    mixed *= _MIX_A
    mixed ^= mixed >> np.uint64(27)
    mixed *= _MIX_B
    mixed ^= mixed >> np.uint64(31)
    return mixed


def _uniform(words: Words) -> NDArray[np.float64]:
    """Words as numbers in [0, 1)."""
    return (words >> np.uint64(11)).astype(np.float64) * 2.0**-53


def _counted(by_code: NDArray[np.int64]) -> dict[str, int]:
    """Counts by reason, of those that occurred."""
    return {REASONS[code]: int(n) for code, n in enumerate(by_code) if code and n}
