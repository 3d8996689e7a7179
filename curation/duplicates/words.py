"""Texts as runs of hashed words, and the hashes of their n-grams, as arrays."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from hopsight.leak import folded

Hashes = npt.NDArray[np.uint64]
Places = npt.NDArray[np.int64]

# Scripts written without spaces: every character counts as a word.
_UNSPACED: Final = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u3040-\u30ff\u3400-\u9fff]")
_MULTIPLIER: Final = 0x9E3779B97F4A7C15
_MIX: Final = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)


@dataclass(frozen=True, slots=True)
class Words:
    """The words of many texts, one after another; text i has those from starts[i] to starts[i+1].

    `hashes` (words,) are 64 bits of each folded word and do not depend on the other texts.
    """

    hashes: Hashes
    starts: Places

    @property
    def counts(self) -> Places:
        """Words of each text."""
        return np.diff(self.starts)

    def of(self, chosen: Places) -> "Words":
        """The words of the chosen texts alone."""
        counts = self.counts[chosen]
        return Words(self.hashes[spread(self.starts[chosen], counts)], starts_of(counts))


@dataclass(frozen=True, slots=True)
class Grams:
    """N-grams of words: the hash of each, and the text that it stands in (both (grams,))."""

    hashes: Hashes
    texts: Places


def starts_of(counts: Places) -> Places:
    """Where runs of these lengths begin, one after another, and where the last one ends."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)])


def spread(starts: Places, counts: Places) -> Places:
    """All places of runs that begin at `starts` and have `counts` places, one run after another."""
    shifts = starts - (np.cumsum(counts) - counts)
    places: Places = np.arange(counts.sum()) + np.repeat(shifts, counts)
    return places


def once(values: Places) -> Places:
    """Each value once, ascending."""
    # np.unique goes through a hash table here, which is five times slower.
    ordered = np.sort(values)
    return ordered[np.flatnonzero(np.diff(ordered, prepend=-1))]


def words_of(texts: Sequence[str]) -> Words:
    """Fold texts (case, accents, punctuation) and cut them into words."""
    numbers: dict[str, int] = {}
    flat: list[int] = []
    starts = [0]
    for text in texts:
        flat.extend(numbers.setdefault(word, len(numbers)) for word in split_words(text))
        starts.append(len(flat))
    table = np.array([_hash(word) for word in numbers], dtype=np.uint64)
    hashes = table[np.array(flat, dtype=np.int64)] if flat else np.empty(0, np.uint64)
    return Words(hashes, np.array(starts, dtype=np.int64))


def split_words(text: str) -> list[str]:
    """The folded words of one text, in order."""
    plain = folded(text)
    if not plain.isascii():
        plain = _UNSPACED.sub(r" \g<0> ", plain)
    return plain.split()


def grams_of(words: Words, size: int) -> Grams:
    """All n-grams of `size` words, in order; none of a text that has fewer words."""
    hashes = _rolled(words.hashes, size)
    text_of_word = np.repeat(np.arange(len(words.counts)), words.counts)
    first = text_of_word[: len(hashes)]
    inside = first == text_of_word[size - 1 :]  # the first and the last word are of one text
    return Grams(hashes[inside], first[inside])


def whole_texts(words: Words) -> Hashes:
    """One hash for each text over all its words: that of its only gram of this length."""
    found = np.zeros(len(words.counts), dtype=np.uint64)
    for size in np.unique(words.counts[words.counts > 0]).tolist():
        having = np.flatnonzero(words.counts == size)
        found[having] = _combined(words.hashes[words.starts[having, None] + np.arange(size)])
    return found


def _rolled(hashes: Hashes, size: int) -> Hashes:
    """The hash of every window of `size` words over the whole run."""
    if len(hashes) < size:
        return np.empty(0, np.uint64)
    return _combined(np.lib.stride_tricks.sliding_window_view(hashes, size))


def _combined(windows: Hashes) -> Hashes:
    """One hash for each row of words (rows × words): a polynomial, then mixed (splitmix64)."""
    total = np.zeros(len(windows), dtype=np.uint64)
    for column in range(windows.shape[1]):
        total = total * np.uint64(_MULTIPLIER) + windows[:, column]
    for shift, factor in zip((30, 27), _MIX, strict=True):
        total = (total ^ (total >> np.uint64(shift))) * np.uint64(factor)
    mixed: Hashes = total ^ (total >> np.uint64(31))
    return mixed


def _hash(word: str) -> int:
    digest = hashlib.blake2b(word.encode(errors="surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")
