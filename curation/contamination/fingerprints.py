"""Fingerprints of benchmarks: what a question or a page must not hold."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal

from curation.contamination.looks import Looks, looks_like
from curation.contamination.rows import BenchmarkRow, benchmark_rows, unusable
from curation.contamination.texts import TextPrints, find_texts, text_prints
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

    def of_text(self, text: str) -> tuple[Hit, ...]:
        """The benchmark questions that stand in a page; a short one where its answer does too."""
        return self.of_texts([text])[0]

    def of_texts(
        self,
        texts: Sequence[str],
        answers: Sequence[tuple[str, ...]] | None = None,
        frame: int | None = None,
    ) -> list[tuple[Hit, ...]]:
        """The same of many texts. Where `answers` are given, a short question's must be there.

        What more than `frame` distinct texts among them share is a frame of theirs and no hit.
        """
        found: dict[int, list[Hit]] = defaultdict(list)
        for place, row, run, whole in find_texts(self.prints, texts, frame):
            if not whole:
                detail = f"{run} of its {self.prints.words[row]} words, in long runs"
                found[place].append(Hit("text", self.rows[row].name, detail))
                continue
            twin = self._answered(row, texts[place], answers[place] if answers else None)
            if twin is not None:
                found[place].append(
                    Hit("text", self.rows[twin].name, "the whole question, and the answer")
                )
        return [tuple(found.get(place, ())) for place in range(len(texts))]

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

    def _answered(self, row: int, text: str, answers: tuple[str, ...] | None) -> int | None:
        """The row with the same short question whose answer is one of these, or in the text."""
        wanted = None if answers is None else {fold(answer) for answer in answers}
        for twin in self.twins[fold(self.rows[row].question)]:
            given = self.rows[twin].answers
            if wanted is None and leaks(text, given):
                return twin
            if wanted is not None and wanted & {fold(answer) for answer in given}:
                return twin
        return None

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


def _places(forms: Iterable[tuple[int, tuple[str, ...]]]) -> dict[str, tuple[int, ...]]:
    found: dict[str, list[int]] = defaultdict(list)
    for place, texts in forms:
        for text in dict.fromkeys(map(fold, texts)):
            found[text].append(place)
    return {text: tuple(places) for text, places in found.items()}
