"""Reading seeds: every row of a file becomes a seed or a rejection with its number."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Final

from hopsight.stage import Staged
from hopsight.store.images import ImageStore
from hopsight.types import Rejection, Seed
from refine.imported.cells import answers_of, is_empty, notes_of, question_of, reasoning_of
from refine.imported.columns import NEEDED, Columns, Role, no_columns
from refine.imported.pictures import Credit, Gallery, Opened
from refine.imported.references import OnWeb, Reference, references_of
from refine.imported.rows import Row, Values, rows_of
from refine.imported.seed import BadRow, ImportLimits
from refine.imported.web import OpenUrls

STAGE: Final = "imported_seeds"
_BATCH: Final = 16
"""Rows whose pictures are fetched together, and held together."""
_NO_ROLES: Final[Mapping[Role, str]] = MappingProxyType({})
_TOLD: Final = 500
_UNKNOWN: Final = ("unknown",)
_USUAL: Final = ImportLimits()


@dataclass(frozen=True, slots=True)
class _Draft:
    """A row that is a seed but for its pictures."""

    row: int
    question: str
    answers: tuple[str, ...]
    reasoning: str
    references: list[Reference]
    credit: Credit


def read_seeds(
    path: Path,
    images: ImageStore,
    *,
    columns: Mapping[Role, str] = _NO_ROLES,
    pictures: Path | None = None,
    open_urls: OpenUrls | None = None,
    limits: ImportLimits = _USUAL,
    first: int | None = None,
) -> Staged[Seed]:
    """The seeds of a Parquet, JSON Lines, JSON or CSV file; `entered` counts its rows.

    Pictures are put into `images` as they come. Paths of pictures lie in the folder `pictures`,
    by default that of the file, and never lead out of it; addresses are opened by `open_urls`
    (`web_pictures`), else their rows are `picture_not_fetched`. `columns` names the column of a
    role where that has no usual name (`refine.imported.columns.NAMES`). `first`: no more rows
    are read.

    A row without question, answer or picture, with an unreadable cell or past a limit is rejected
    under "<file>:<row>". Raises SourceError for a file in which no row has a column of a needed
    role, StoreError where the disk fails.
    """
    reading = _Reading(path, columns, limits)
    gallery = Gallery(pictures or path.parent, images)
    kept: list[Seed] = []
    rejected: list[Rejection] = []
    entered = 0
    rows = islice(rows_of(path, columns, limits), first)
    while batch := list(islice(rows, _BATCH)):
        entered += len(batch)
        drafts = [reading.draft(row) for row in batch]
        opened = _opened(drafts, open_urls)
        for draft in drafts:
            made = draft if isinstance(draft, Rejection) else reading.seed(draft, gallery, opened)
            if isinstance(made, Rejection):
                rejected.append(made)
            else:
                kept.append(made)
    if first is None:
        # Of a part it cannot be said that no row has a column.
        reading.check_columns()
    return Staged(entered, tuple(kept), tuple(rejected))


class _Reading:
    """What is known of a file while its rows come by."""

    def __init__(self, path: Path, given: Mapping[Role, str], limits: ImportLimits) -> None:
        self._path = path
        self._given = given
        self._limits = limits
        self._columns: dict[tuple[str, ...], Columns] = {}
        self._names: set[str] = set()
        self._met: set[Role] = set()

    def check_columns(self) -> None:
        """Raises SourceError where no row had a column of a needed role."""
        missing = [role for role in NEEDED if role not in self._met]
        if missing:
            raise no_columns(self._path.name, missing, self._names)

    def draft(self, row: Row) -> _Draft | Rejection:
        """A row without its pictures."""
        try:
            if isinstance(row.values, BadRow):
                raise row.values
            return self._draft(row.number, row.values)
        except BadRow as bad:
            return self._rejection(row.number, bad)

    def seed(self, draft: _Draft, gallery: Gallery, opened: Opened | None) -> Seed | Rejection:
        """The seed, with its pictures in the store."""
        try:
            images = gallery.keep(draft.references, draft.credit, opened)
        except BadRow as bad:
            return self._rejection(draft.row, bad)
        return Seed(
            question=draft.question,
            answer=draft.answers[0],
            answer_aliases=draft.answers[1:],
            images=images,
            reasoning=draft.reasoning,
            source=self._path.name,
            row=draft.row,
        )

    def _draft(self, number: int, values: Values) -> _Draft:
        columns = self._columns_of(values)
        question, marks = question_of(_first(values, columns.of("question")))
        if question is None:
            raise BadRow("no_question", "the cell is empty")
        answers = answers_of(_first(values, columns.of("answer")))
        if not answers:
            raise BadRow("no_answer", "the cell is empty")
        aliases = [form for name in columns.of("aliases") for form in answers_of(values.get(name))]
        reasoning = reasoning_of(_first(values, columns.of("reasoning"))) or ""
        references = _references(values, columns)
        draft = _Draft(
            row=number,
            question=question,
            answers=tuple(dict.fromkeys([*answers, *aliases])),
            reasoning=reasoning,
            references=references,
            credit=_credit(values, columns),
        )
        _check(draft, marks, self._limits)
        return draft

    def _columns_of(self, values: Values) -> Columns:
        names = tuple(values)
        known = self._columns.get(names)
        if known is None:
            known = Columns(names, self._given)
            if len(self._columns) < 1_000:  # rows of a file without a form of its own
                self._columns[names] = known
                self._names.update(names)
            self._met.update(role for role in NEEDED if role not in known.missing())
        return known

    def _rejection(self, number: int, bad: BadRow) -> Rejection:
        return Rejection(
            record_id=f"{self._path.name}:{number}",
            stage=STAGE,
            reason=bad.reason,
            detail=f"row {number}: {bad.detail}"[:_TOLD],
        )


def _first(values: Values, names: Iterable[str]) -> object:
    """The first cell among columns that is not empty."""
    return next((values[name] for name in names if not is_empty(values.get(name))), None)


def _references(values: Values, columns: Columns) -> list[Reference]:
    """The pictures of the first column that has any, else those of numbered columns."""
    for name in columns.of("picture"):
        found = references_of(values.get(name))
        if found:
            return found
    found = [each for name in columns.numbered for each in references_of(values.get(name))]
    if not found:
        raise BadRow("no_picture", "no cell names one")
    return found


def _credit(values: Values, columns: Columns) -> Credit:
    def notes(role: Role) -> tuple[str, ...]:
        cells = (notes_of(values.get(name)) for name in columns.of(role))
        return next((found for found in cells if found), ())

    named = (*notes("license"), *_UNKNOWN)[0], (*notes("author"), *_UNKNOWN)[0]
    return Credit(notes("url"), *named)


def _check(draft: _Draft, marks: int, limits: ImportLimits) -> None:
    for reason, size, most in (
        ("question_too_long", len(draft.question), limits.question_chars),
        ("answer_too_long", max(map(len, draft.answers)), limits.answer_chars),
        ("too_many_answers", len(draft.answers), limits.answers),
        ("reasoning_too_long", len(draft.reasoning), limits.reasoning_chars),
        ("too_many_pictures", len(draft.references), limits.pictures),
    ):
        if size > most:
            raise BadRow(reason, f"{size} where {most} are allowed")
    if marks and marks != len(draft.references):
        told = f"the question marks {marks}, the row has {len(draft.references)}"
        raise BadRow("picture_count", told)


def _opened(drafts: Iterable[_Draft | Rejection], open_urls: OpenUrls | None) -> Opened | None:
    if open_urls is None:
        return None
    return open_urls(list(_urls(drafts)))


def _urls(drafts: Iterable[_Draft | Rejection]) -> Iterator[str]:
    for draft in drafts:
        if isinstance(draft, _Draft):
            yield from (each.url for each in draft.references if isinstance(each, OnWeb))
