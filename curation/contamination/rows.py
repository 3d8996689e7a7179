"""The rows of a benchmark's files: question, answers, pictures, names of entities."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from hopsight.types import Rejection
from refine.imported.cells import answers_of, question_of
from refine.imported.columns import Columns
from refine.imported.pictures import folder_bytes
from refine.imported.references import Held, InFolder, OnWeb, Reference, references_of
from refine.imported.rows import Row, Values, rows_of
from refine.imported.seed import BadRow, ImportLimits

STAGE: Final = "benchmark_fingerprints"

ENTITIES: Final = ("entities", "entity_names", "titles", "path", "chain")
"""Columns that may hold the names of the entities on the way to the answer."""

_MARKS: Final = re.compile(r"<image(?::\d+)?>")
_MOST_ENTITIES: Final = 64
_DEEPEST: Final = 4
"""Messages in a list, their parts in another."""
_DEFAULT: Final = ImportLimits()


@dataclass(frozen=True, slots=True)
class BenchmarkRow:
    """One row: `name` is file:row, numbered from 1. `pictures` are bytes, `urls` addresses."""

    name: str
    question: str
    answers: tuple[str, ...]
    pictures: tuple[bytes, ...]
    urls: tuple[str, ...]
    entities: tuple[str, ...]

    def without_pictures(self) -> "BenchmarkRow":
        """The row without the bytes."""
        return replace(self, pictures=())


def benchmark_rows(
    paths: Sequence[Path], limits: ImportLimits = _DEFAULT
) -> Iterator[BenchmarkRow | Rejection]:
    """The rows of Parquet, JSON, JSON Lines or CSV files, and what is wrong with some.

    A row without a usable question is rejected. A picture that cannot be had is rejected by
    itself: the row's text still counts. Paths of pictures are relative to the file. Raises
    SourceError for a file that cannot be read at all.
    """
    for path in sorted(paths):
        columns: dict[tuple[str, ...], Columns] = {}
        for row in rows_of(path, {}, limits, every=True):
            yield from _row(path, row, columns, limits)


def _row(
    path: Path, row: Row, columns: dict[tuple[str, ...], Columns], limits: ImportLimits
) -> Iterator[BenchmarkRow | Rejection]:
    name = f"{path.name}:{row.number}"
    try:
        if isinstance(row.values, BadRow):
            raise row.values
        names = tuple(row.values)
        known = columns.setdefault(names, Columns(names))
        question = _question(row.values, known, limits)
        answers = _answers(row.values, known, limits)
        entities = _entities(row.values)
    except BadRow as error:
        yield unusable(name, error.reason, error.detail)
        return
    pictures: list[bytes] = []
    urls: list[str] = []
    try:
        for reference in _references(row.values, known)[: limits.pictures]:
            if isinstance(reference, OnWeb):
                urls.append(reference.url)
            else:
                pictures.append(_bytes(reference, path.parent))
    except BadRow as error:
        yield unusable(name, error.reason, error.detail)
    yield BenchmarkRow(name, question, answers, tuple(pictures), tuple(urls), entities)


def _question(values: Values, columns: Columns, limits: ImportLimits) -> str:
    for column in columns.of("question"):
        question, _ = question_of(_unmarked(values.get(column)))
        if question is not None:
            return question[: limits.question_chars]
    raise BadRow("no_question", "no cell of the row holds one")


def _unmarked(cell: object, depth: int = 0) -> object:
    """A question, or messages, without picture marks: they may stand anywhere in it."""
    if isinstance(cell, str):
        return _MARKS.sub(" ", cell)
    if isinstance(cell, list) and depth < _DEEPEST:
        return [_unmarked(each, depth + 1) for each in cell]
    if isinstance(cell, Mapping) and depth < _DEEPEST:
        return {name: _unmarked(each, depth + 1) for name, each in cell.items()}
    return cell


def _answers(values: Values, columns: Columns, limits: ImportLimits) -> tuple[str, ...]:
    cells = (values.get(name) for role in ("answer", "aliases") for name in columns.of(role))
    found = [answer[: limits.answer_chars] for cell in cells for answer in answers_of(cell)]
    return tuple(dict.fromkeys(found))[: limits.answers]


def _entities(values: Values) -> tuple[str, ...]:
    for column in ENTITIES:
        names = values.get(column)
        if isinstance(names, list) and names and all(isinstance(name, str) for name in names):
            return tuple(map(str, names[:_MOST_ENTITIES]))
    return ()


def _references(values: Values, columns: Columns) -> list[Reference]:
    for column in (*columns.of("picture"), *columns.numbered):
        found = references_of(values.get(column))
        if found:
            return found
    return []


def _bytes(reference: Held | InFolder, folder: Path) -> bytes:
    if isinstance(reference, Held):
        return reference.data
    return folder_bytes(folder, reference.path)


def unusable(name: str, reason: str, detail: str) -> Rejection:
    """The rejection of a row or of one of its pictures."""
    return Rejection(record_id=name, stage=STAGE, reason=reason, detail=detail)
