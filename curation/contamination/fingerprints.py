"""Fingerprints of benchmarks: what a question or a page must not hold."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Final, Literal

from curation.contamination.looks import Looks, looks_like
from curation.contamination.rows import BenchmarkRow, benchmark_rows, unusable
from curation.contamination.texts import (
    TextPrints,
    find_equal,
    find_runs,
    find_short,
    text_prints,
)
from curation.duplicates.words import Words, words_of
from hopsight.errors import PictureError
from hopsight.imaging.hashes import difference_hash
from hopsight.leak import fold, leaks
from hopsight.types import Rejection
from refine.imported.seed import ImportLimits

HitKind = Literal["text", "picture", "chain"]

_NAMES: Final = 2
"""Entities that a benchmark's row must share with a chain, beside the answer [ours]."""


@dataclass(frozen=True, slots=True)
class ContaminationRules:
    """When a text is held to be a benchmark's [ours].

    Runs of `gram` words or more that make up `share` of a benchmark question; or the whole of a
    question of fewer words, of `shortest` up, together with its answer. What more than `frame`
    distinct questions of the benchmarks share is a frame and says nothing.
    """

    gram: int = 13
    shortest: int = 5
    frame: int = 3
    share: float = 0.5


@dataclass(frozen=True, slots=True)
class Hit:
    """That something is a benchmark's: by what, the row as file:number, and the case."""

    kind: HitKind
    row: str
    detail: str


_QUALIFIER: Final = re.compile(r"\s*\([^()]*\)\s*$")
_RULES: Final = ContaminationRules()
_LIMITS: Final = ImportLimits()


@dataclass(frozen=True, slots=True)
class Fingerprints:
    """Texts, pictures and answers of benchmark rows, `entered` of which were read.

    `padded` are the folded questions between spaces, so that a folded name is looked for as whole
    words; `twins` and `answers` the rows by folded question and by folded answer. `rejected` are
    rows without a question, and pictures that could not be had.
    """

    rows: tuple[BenchmarkRow, ...]
    padded: tuple[str, ...]
    entities: tuple[frozenset[str], ...]
    prints: TextPrints
    twins: Mapping[str, tuple[int, ...]]
    answers: Mapping[str, tuple[int, ...]]
    shas: Mapping[str, int]
    urls: Mapping[str, int]
    looks: Looks
    entered: int
    rejected: tuple[Rejection, ...]

    def in_pages(self, texts: Sequence[str]) -> list[tuple[Hit, ...]]:
        """The benchmark questions that stand in each page; a short one where its answer does too.

        Those of long runs come first.
        """
        words = words_of(texts)
        found: dict[int, list[Hit]] = defaultdict(list)
        for place, row, run in find_runs(self.prints, words, None):
            found[place].append(self._run(row, run))
        for place, row in find_short(self.prints, words):
            told = (twin for twin in self._twins(row) if leaks(texts[place], twin.answers))
            found[place] += [_whole(twin) for twin in islice(told, 1)]
        return [tuple(found.get(place, ())) for place in range(len(texts))]

    def in_questions(
        self, texts: Sequence[str], answers: Sequence[tuple[str, ...]], frame: int
    ) -> list[tuple[Hit, ...]]:
        """The benchmark questions that stand in each question; a short one if its answer is one.

        What more than `frame` distinct ones of these questions share is a frame of theirs and no
        hit; but a whole benchmark question with its answer is one, however many hold it. Those of
        long runs come first.
        """
        words = words_of(texts)
        found: dict[int, dict[int, Hit]] = defaultdict(dict)
        for place, row, run in find_runs(self.prints, words, frame):
            found[place][row] = self._run(row, run)
        for place, row in self._wholly(words):
            given = set(map(fold, answers[place]))
            same = (twin for twin in self._twins(row) if given & set(map(fold, twin.answers)))
            for twin in islice(same, 1):
                found[place].setdefault(row, _whole(twin))
        return [
            tuple(found[place].values()) if place in found else () for place in range(len(texts))
        ]

    def of_picture(self, sha256: str, url: str = "") -> Hit | None:
        """The row that has the very picture, by its bytes or its address."""
        if sha256 in self.shas:
            return Hit("picture", self.rows[self.shas[sha256]].name, "the same bytes")
        if url in self.urls:
            return Hit("picture", self.rows[self.urls[url]].name, "the same address")
        return None

    def of_looks(self, hashes: Sequence[int]) -> list[Hit | None]:
        """For each perceptual hash the row that has a picture that looks the same."""
        found = self.looks.find(hashes)
        return [None if row is None else self._looks_same(row) for row in found]

    def of_chain(self, answers: Iterable[str], titles: Sequence[str]) -> Hit | None:
        """The row with one of the answers whose entities, or whose words, are the chain's.

        A row that lists entities shares two of them and has no other, or lacks none; of one that
        lists none the question names two.
        """
        names = {fold(_QUALIFIER.sub("", title)) for title in titles}
        for answer in answers:
            for row in self.answers.get(fold(answer), ()):
                shared = self._shared(row, names)
                if len(shared) >= _NAMES:
                    return Hit("chain", self.rows[row].name, f"{answer}: {', '.join(shared)}")
        return None

    def _shared(self, row: int, names: set[str]) -> list[str]:
        theirs = self.entities[row]
        if theirs:
            return sorted(theirs & names) if theirs <= names or names <= theirs else []
        return sorted(name for name in names if f" {name} " in self.padded[row])

    def _wholly(self, words: Words) -> Iterator[tuple[int, int]]:
        """Text and row, where all words of the row's question stand in the text."""
        yield from find_equal(self.prints, words)
        for place, row, run in find_runs(self.prints, words, None):
            if run >= self.prints.words[row]:
                yield place, row
        yield from find_short(self.prints, words)

    def _twins(self, row: int) -> Iterator[BenchmarkRow]:
        """The rows that have the same question."""
        return (self.rows[twin] for twin in self.twins[fold(self.rows[row].question)])

    def _run(self, row: int, run: int) -> Hit:
        detail = f"{run} of its {self.prints.words[row]} words, in long runs"
        return Hit("text", self.rows[row].name, detail)

    def _looks_same(self, row: int) -> Hit:
        return Hit("picture", self.rows[row].name, "it looks the same")


def read_fingerprints(
    paths: Sequence[Path],
    rules: ContaminationRules = _RULES,
    limits: ImportLimits = _LIMITS,
) -> Fingerprints:
    """Fingerprints of the benchmarks in these files. Raises SourceError, StoreError."""
    return fingerprints_of(benchmark_rows(paths, limits), rules)


def fingerprints_of(
    read: Iterable[BenchmarkRow | Rejection], rules: ContaminationRules = _RULES
) -> Fingerprints:
    """Fingerprints of rows. Pictures are hashed as they come, so that none is held."""
    rows: list[BenchmarkRow] = []
    rejected: list[Rejection] = []
    shas: dict[str, int] = {}
    urls: dict[str, int] = {}
    hashes: dict[int, int] = {}
    for each in read:
        if isinstance(each, Rejection):
            rejected.append(each)
            continue
        place = len(rows)
        rows.append(each.without_pictures())
        for data in each.pictures:
            shas.setdefault(sha256(data).hexdigest(), place)
            try:
                hashes.setdefault(difference_hash(data), place)
            except PictureError as error:
                rejected.append(unusable(each.name, "picture_unreadable", error.cause))
        urls.update((url, place) for url in each.urls if url not in urls)
    return Fingerprints(
        rows=tuple(rows),
        padded=tuple(f" {fold(row.question)} " for row in rows),
        entities=tuple(
            frozenset(fold(_QUALIFIER.sub("", name)) for name in row.entities) for row in rows
        ),
        prints=text_prints(
            [row.question for row in rows],
            gram=rules.gram,
            shortest=rules.shortest,
            frame=rules.frame,
            share=rules.share,
        ),
        twins=_places((place, (row.question,)) for place, row in enumerate(rows)),
        answers=_places((place, row.answers) for place, row in enumerate(rows)),
        shas=shas,
        urls=urls,
        looks=looks_like(list(hashes), list(hashes.values())),
        entered=len({row.name for row in rows} | {each.record_id for each in rejected}),
        rejected=tuple(rejected),
    )


def _whole(row: BenchmarkRow) -> Hit:
    return Hit("text", row.name, "the whole question, and the answer")


def _places(forms: Iterable[tuple[int, tuple[str, ...]]]) -> dict[str, tuple[int, ...]]:
    found: dict[str, list[int]] = defaultdict(list)
    for place, texts in forms:
        for text in dict.fromkeys(map(fold, texts)):
            found[text].append(place)
    return {text: tuple(places) for text, places in found.items()}
