"""What a text says beside the frames that many texts share: its rare shingles."""

from dataclasses import dataclass

import numpy as np

from curation.duplicates.words import Places, Words, grams_of, once, starts_of, whole_texts


@dataclass(frozen=True, slots=True)
class TextRules:
    """When two texts are near duplicates [ours].

    `shingle` is in words. A shingle that stands in more than `frame_share` of the distinct texts
    (and in more than `frame_floor` of them, and in any case one in more than `frame_ceiling`) is
    part of a frame and masked. Below the floor a cluster of near copies would mask itself. A text
    with fewer than `fewest` shingles left says too little beside its frame: only its equal repeats
    it.
    """

    jaccard: float = 0.7
    shingle: int = 3
    frame_share: float = 0.01
    frame_floor: int = 50
    frame_ceiling: int = 100
    fewest: int = 4

    def frame(self, texts: int) -> int:
        """In how many of `texts` distinct texts a shingle may stand before it is masked."""
        return min(self.frame_ceiling, max(self.frame_floor, int(self.frame_share * texts)))


@dataclass(frozen=True, slots=True)
class Shingles:
    """Sets of masked shingles: text i has tokens[starts[i]:starts[i+1]], rarest token first.

    Tokens are numbers below `frequency`'s length, which says in how many texts each stands;
    equally rare ones are in the order of their hashes, so that it is the same in every text.
    `masked` counts what was taken away.
    """

    tokens: Places
    starts: Places
    frequency: Places
    masked: int

    @property
    def sizes(self) -> Places:
        """Shingles of each text."""
        return np.diff(self.starts)

    @property
    def owners(self) -> Places:
        """The text of each token."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)


def distinct(words: Words) -> tuple[Places, Places]:
    """The first of every run of equal texts, and for each text the place of its first."""
    hashes = whole_texts(words)
    _, first, class_of = np.unique(hashes, return_index=True, return_inverse=True)
    return np.sort(first), first[class_of]


def shingles_of(words: Words, rules: TextRules) -> Shingles:
    """The masked shingles of texts that are distinct; frames are learnt from these very texts."""
    grams = grams_of(words, rules.shingle)
    vocabulary, numbers = np.unique(grams.hashes, return_inverse=True)
    texts_of, tokens = _unique_pairs(grams.texts, numbers, len(vocabulary))
    frequency = np.bincount(tokens, minlength=len(vocabulary))
    rare = frequency[tokens] <= rules.frame(len(words.counts))
    texts_of, tokens = texts_of[rare], tokens[rare]
    order = np.lexsort((tokens, frequency[tokens], texts_of))
    counts = np.bincount(texts_of, minlength=len(words.counts))
    return Shingles(tokens[order], starts_of(counts), frequency, int(np.count_nonzero(~rare)))


def _unique_pairs(first: Places, second: Places, width: int) -> tuple[Places, Places]:
    """Pairs without repeats, ordered; `second` is below `width`."""
    keys = once(first * max(1, width) + second)
    return keys // max(1, width), keys % max(1, width)
