"""Which benchmark questions stand in a text, word for word, in whole or in part."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from curation.duplicates.shingles import distinct
from curation.duplicates.words import (
    Grams,
    Hashes,
    Places,
    Words,
    grams_of,
    once,
    spread,
    whole_texts,
    words_of,
)


@dataclass(frozen=True, slots=True)
class Known:
    """Grams of distinct questions by their hashes, ascending, with repeats (all (grams,)).

    `questions` are the questions' places, `begins` the word with which a gram begins in its own.
    """

    hashes: Hashes
    questions: Places
    begins: Places


@dataclass(frozen=True, slots=True)
class TextPrints:
    """N-grams of benchmark questions of `words` words each.

    `long` are the grams of `gram` words. `short` are whole questions that have fewer, by their
    number of words; `whole` those and the longer ones. Of equal questions only the first is in
    them.
    """

    gram: int
    share: float
    words: Places
    long: Known
    short: Mapping[int, Known]
    whole: Known


def text_prints(
    texts: Sequence[str], *, gram: int, shortest: int, frame: int, share: float
) -> TextPrints:
    """Prints of questions. A gram of more than `frame` distinct ones is a frame and left out."""
    words = words_of(texts)
    firsts, _ = distinct(words)
    unique = words.of(firsts)
    grams = grams_of(unique, gram)
    begins = np.arange(len(grams.texts)) - np.searchsorted(grams.texts, grams.texts)
    rare = ~_frequent(grams.hashes, grams.texts, frame)
    hashes = whole_texts(unique)

    def whole(chosen: npt.NDArray[np.bool_]) -> Known:
        places = np.flatnonzero(chosen)
        return _known(hashes[places], firsts[places], np.zeros(len(places), dtype=np.int64))

    short = {
        size: whole(chosen)
        for size in range(shortest, gram)
        if (chosen := unique.counts == size).any()
    }
    long = _known(grams.hashes[rare], firsts[grams.texts[rare]], begins[rare])
    return TextPrints(gram, share, words.counts, long, short, whole(unique.counts >= shortest))


def find_runs(
    prints: TextPrints, words: Words, frame: int | None
) -> Iterator[tuple[int, int, int]]:
    """Text, question, and how many of its words stand in the text in long runs, where enough do.

    A gram that more than `frame` distinct texts hold is a frame of theirs and does not count; None
    counts all.
    """
    yield from _runs(prints, *_held(prints.long, grams_of(words, prints.gram), words, frame))


def find_short(prints: TextPrints, words: Words) -> Iterator[tuple[int, int]]:
    """Text and question, where the whole of a short one stands in the text."""
    for size, known in prints.short.items():
        places, hits = _held(known, grams_of(words, size), words, None)
        for key in once(places * max(1, len(prints.words)) + known.questions[hits]).tolist():
            yield divmod(key, len(prints.words))


def find_equal(prints: TextPrints, words: Words) -> Iterator[tuple[int, int]]:
    """Text and question, where the text is nothing but the question."""
    texts = Grams(whole_texts(words), np.arange(len(words.counts)))
    places, hits = _held(prints.whole, texts, words, None)
    yield from zip(places.tolist(), prints.whole.questions[hits].tolist(), strict=True)


def _held(known: Known, grams: Grams, words: Words, frame: int | None) -> tuple[Places, Places]:
    """Texts and places in `known` of the grams that both have."""
    first = np.searchsorted(known.hashes, grams.hashes, side="left")
    counts = np.searchsorted(known.hashes, grams.hashes, side="right") - first
    held = counts > 0
    if frame is not None:
        equal = whole_texts(words)[grams.texts[held]]
        held[held] = ~_frequent(grams.hashes[held], equal, frame)
    counts = counts[held]
    return np.repeat(grams.texts[held], counts), spread(first[held], counts)


def _runs(prints: TextPrints, texts: Places, hits: Places) -> Iterator[tuple[int, int, int]]:
    """Text, question and the words of it that the grams cover, where they are enough."""
    questions, begins = prints.long.questions[hits], prints.long.begins[hits]
    order = np.lexsort((begins, questions, texts))
    texts, questions, begins = texts[order], questions[order], begins[order]
    pair = texts * max(1, len(prints.words)) + questions
    starts = np.flatnonzero(np.diff(pair, prepend=-1))
    ahead = np.minimum(np.diff(begins, append=0), prints.gram)
    ahead[np.append(starts, len(pair))[1:] - 1] = prints.gram  # the last gram of a pair
    covered = np.add.reduceat(ahead, starts) if len(starts) else ahead
    enough = covered >= prints.share * prints.words[questions[starts]]
    chosen = starts[enough]
    yield from zip(
        texts[chosen].tolist(), questions[chosen].tolist(), covered[enough].tolist(), strict=True
    )


def _frequent(hashes: Hashes, texts: Hashes | Places, most: int) -> npt.NDArray[np.bool_]:
    """Which grams stand in more than `most` texts; those of equal value in `texts` are one."""
    if not len(hashes):
        return np.empty(0, dtype=bool)
    order = np.lexsort((texts, hashes))
    new_gram = np.diff(hashes[order], prepend=hashes[order[0]]) != 0
    new_text = np.diff(texts[order], prepend=texts[order[0]]) != 0
    gram_of = np.cumsum(new_gram)
    counts = 1 + np.bincount(gram_of, weights=new_text & ~new_gram)
    frequent = np.empty(len(hashes), dtype=bool)
    frequent[order] = counts[gram_of] > most
    return frequent


def _known(hashes: Hashes, questions: Places, begins: Places) -> Known:
    order = np.lexsort((begins, questions, hashes))
    return Known(hashes[order], questions[order], begins[order])
