"""Near-duplicate texts: an exact join of sets of shingles, in place of sketches [ours].

Two sets of Jaccard ≥ t share a token among the first |A| - ⌈t·|A|⌉ + 1 of each, whatever order
the tokens are in (prefix filter; Chaudhuri, Ganti and Kaushik, 2006; Bayardo, Ma and Srikant,
2007). With the rarest first and the frames masked few texts share one by chance. MinHash finds
the same pairs with some probability; this finds each, with no more work.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from curation.duplicates.groups import groups
from curation.duplicates.shingles import Shingles, TextRules, distinct, shingles_of
from curation.duplicates.words import Places, once, spread, words_of

BLOCK: Final = 4_000_000
"""Pairs or tokens that are held at once: what bounds the memory."""

_ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True)
class NearTexts:
    """Pairs of near-duplicate texts, all of them.

    `pairs` (pairs, 2) are places in the sequence that was given, the lower first, in order, and
    `jaccard` (pairs,) their likeness. Among equal texts only the first is compared with others:
    `same_as` (texts,) is the place of the first text that is equal when folded. `candidates`
    were compared, `masked` shingles were frames, `unsaid` texts say too little beside theirs.
    """

    pairs: Places
    jaccard: npt.NDArray[np.float64]
    same_as: Places
    candidates: int
    masked: int
    unsaid: int

    @property
    def neighbours(self) -> dict[int, tuple[int, ...]]:
        """For each place in a pair those that it is near, ascending."""
        near: dict[int, list[int]] = {}
        for first, second in self.pairs.tolist():
            near.setdefault(first, []).append(second)
            near.setdefault(second, []).append(first)
        return {place: tuple(sorted(others)) for place, others in near.items()}

    @property
    def clusters(self) -> tuple[tuple[int, ...], ...]:
        """Places that pairs and equality join, two or more each, the lowest first."""
        return groups(self.same_as, self.pairs)


_DEFAULT: Final = TextRules()


def near_texts(texts: Sequence[str], rules: TextRules = _DEFAULT) -> NearTexts:
    """Every pair of distinct texts whose masked shingles have a Jaccard of `rules.jaccard` up."""
    words = words_of(texts)
    firsts, same_as = distinct(words)
    shingles = shingles_of(words.of(firsts), rules)
    said = shingles.sizes >= rules.fewest
    found, likeness, candidates = [], [], 0
    for pairs in _candidates(shingles, said, rules.jaccard):
        candidates += len(pairs)
        jaccard = _jaccard(shingles, pairs)
        near = jaccard >= rules.jaccard - _ROUNDING
        found.append(pairs[near])
        likeness.append(jaccard[near])
    pairs, jaccard = _joined(found, likeness)
    return NearTexts(
        pairs=firsts[pairs],
        jaccard=jaccard,
        same_as=same_as,
        candidates=candidates,
        masked=shingles.masked,
        unsaid=int(np.count_nonzero(~said)),
    )


def _candidates(
    shingles: Shingles, said: npt.NDArray[np.bool_], threshold: float
) -> Iterator[Places]:
    """Pairs (pairs, 2) of texts that share a token of their prefixes, in blocks."""
    sizes, owners = shingles.sizes, shingles.owners
    prefixes = sizes - np.ceil(threshold * sizes - _ROUNDING).astype(np.int64) + 1
    places = np.arange(len(owners)) - shingles.starts[owners]
    chosen = (places < prefixes[owners]) & said[owners]
    tokens, texts = shingles.tokens[chosen], owners[chosen]
    order = np.argsort(tokens, kind="stable")
    tokens, texts = tokens[order], texts[order]
    starts = np.flatnonzero(np.diff(tokens, prepend=-1))
    ends = np.append(starts, len(tokens))[1:]
    # Every text is paired with those behind it in the list of the same token.
    behind = np.repeat(ends, ends - starts) - np.arange(len(tokens)) - 1
    for begin, end in _blocks(behind):
        places = np.arange(begin, end)
        one = np.repeat(texts[begin:end], behind[begin:end])
        two = texts[spread(places + 1, behind[begin:end])]
        small, large = np.minimum(sizes[one], sizes[two]), np.maximum(sizes[one], sizes[two])
        fit = small >= threshold * large - _ROUNDING
        keys = once(one[fit] * len(sizes) + two[fit])
        yield np.stack([keys // len(sizes), keys % len(sizes)], axis=1)


def _jaccard(shingles: Shingles, pairs: Places) -> npt.NDArray[np.float64]:
    """The exact likeness of each pair."""
    sizes, width = shingles.sizes, len(shingles.frequency)
    keys = np.sort(shingles.owners * width + shingles.tokens)
    shared = np.zeros(len(pairs), dtype=np.int64)
    for begin, end in _blocks(sizes[pairs[:, 0]]):
        first, second = pairs[begin:end].T
        counts = sizes[first]
        tokens = shingles.tokens[spread(shingles.starts[first], counts)]
        wanted = np.repeat(second, counts) * width + tokens
        at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        pair_of = np.repeat(np.arange(end - begin), counts)
        shared[begin:end] = np.bincount(pair_of[keys[at] == wanted], minlength=end - begin)
    both: npt.NDArray[np.float64] = shared / np.maximum(1, sizes[pairs].sum(axis=1) - shared)
    return both


def _blocks(counts: Places) -> Iterator[tuple[int, int]]:
    """Ranges of places whose counts add up to BLOCK or a little more."""
    ends = np.cumsum(counts)
    begin = 0
    while begin < len(counts):
        before = ends[begin - 1] if begin else 0
        end = max(begin + 1, int(np.searchsorted(ends, before + BLOCK, side="right")))
        yield begin, end
        begin = end


def _joined(
    found: Sequence[Places], likeness: Sequence[npt.NDArray[np.float64]]
) -> tuple[Places, npt.NDArray[np.float64]]:
    """The pairs of all blocks in order, each once."""
    if not found:
        return np.empty((0, 2), dtype=np.int64), np.empty(0)
    pairs, jaccard = np.concatenate(found), np.concatenate(likeness)
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    once = order[np.diff(pairs[order], axis=0, prepend=-1).any(axis=1)]
    return pairs[once], jaccard[once]
