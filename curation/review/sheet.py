"""Review in a spreadsheet: one row a question, out as CSV or Parquet and in again.

A cell that a spreadsheet program would run as a formula gets an apostrophe before it on the way
out, and loses it on the way in. Of what comes in, only the columns of the decision are read.
"""

import csv
import io
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from hopsight.errors import ConfigError, StoreError
from hopsight.store.files import storage_errors, write_atomic
from hopsight.types import EvidenceChain, Question, ReviewDecision

TOLD: Final = ("question_id", "question", "answer", "way", "evidence", "picture")
DECIDED: Final = ("decision", "reason", "note", "new_text", "reviewer")
COLUMNS: Final = (*TOLD, *DECIDED)
READ: Final = ("question_id", *DECIDED)

SURPLUS: Final = "\0surplus"
"""Where a row has more cells than there are columns, they stand under this name."""

MAX_BYTES: Final = 64 << 20
MAX_ROWS: Final = 100_000

_RUN: Final = re.compile(r"'*\s*[=+\-@\t\r\n＝＋－＠]")
_MARKED: Final = re.compile(r"'+\s*[=+\-@\t\r\n＝＋－＠]")


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A question as the sheet shows it; `picture` says where its picture is to be found."""

    question: Question
    chain: EvidenceChain
    picture: str
    decision: ReviewDecision | None


def cell(text: str) -> str:
    """`text` as no spreadsheet runs it; `plain_cell` gives it back."""
    return f"'{text}" if _RUN.match(text) else text


def plain_cell(text: str) -> str:
    """The inverse of `cell`."""
    return text[1:] if _MARKED.match(text) else text


def write_sheet(path: Path, rows: Iterable[SheetRow]) -> int:
    """Write rows in the order given, as CSV or, where the name ends so, Parquet; gives how many.

    Raises StoreError.
    """
    table = [_cells(row) for row in rows]
    write_atomic(path, _parquet(table) if path.suffix == ".parquet" else _csv(table))
    return len(table)


def read_table(path: Path) -> list[tuple[int, Mapping[str, str]]]:
    """The rows of a sheet with their lines (of Parquet: rows, from 1), all cells as text.

    Raises StoreError and ConfigError: too large, no such columns, not UTF-8, not readable at all.
    """
    with storage_errors(path):
        data = path.read_bytes() if path.stat().st_size <= MAX_BYTES else None
    if data is None:
        raise ConfigError(f"{path} has over {MAX_BYTES} bytes", "split the sheet")
    found = _from_parquet(path, data) if path.suffix == ".parquet" else _from_csv(path, data)
    if len(found) > MAX_ROWS:
        raise ConfigError(f"{path} has over {MAX_ROWS:,} rows", "split the sheet")
    return found


def _cells(row: SheetRow) -> dict[str, str]:
    chain, decision = row.chain, row.decision
    sentences = [node.hop.sentence for node in chain.nodes if node.hop is not None]
    return {
        "question_id": row.question.id,
        "question": row.question.text,
        "answer": row.question.answer,
        "way": " → ".join(node.title for node in chain.nodes),
        "evidence": " | ".join([*sentences, chain.answer_evidence.sentence]),
        "picture": row.picture,
        "decision": decision.decision if decision else "",
        "reason": decision.reason or "" if decision else "",
        "note": decision.note if decision else "",
        "new_text": decision.text or "" if decision else "",
        "reviewer": decision.reviewer if decision else "",
    }


def _csv(table: list[dict[str, str]]) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, COLUMNS)
    writer.writeheader()
    writer.writerows({name: cell(text) for name, text in row.items()} for row in table)
    # The mark at the beginning tells spreadsheet programs that this is UTF-8.
    return out.getvalue().encode("utf-8-sig")


def _parquet(table: list[dict[str, str]]) -> bytes:
    schema = pa.schema([pa.field(name, pa.string()) for name in COLUMNS])
    sink = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_pylist(table, schema=schema), sink, compression="zstd")
    return bytes(sink.getvalue())


def _from_csv(path: Path, data: bytes) -> list[tuple[int, Mapping[str, str]]]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not in UTF-8", "save the sheet as CSV in UTF-8") from error
    head = text.split("\n", 1)[0]
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=max(",;\t", key=lambda mark: head.count(mark))
    )
    rows: list[tuple[int, Mapping[str, str]]] = []
    names: list[str] = []
    begin = 1
    try:
        for cells in reader:
            if not names:
                names = [name.strip() for name in cells]
                _check_columns(path, names)
            elif any(cells):
                rows.append((begin, _named(names, [plain_cell(text) for text in cells])))
            begin = reader.line_num + 1
    except csv.Error as error:
        raise ConfigError(
            f"{path} cannot be read from line {begin} on ({error})", "mend that line"
        ) from error
    _check_columns(path, names)
    return rows


def _named(names: list[str], cells: list[str]) -> dict[str, str]:
    """Cells by column; those that have none under `SURPLUS`."""
    more = " ".join(filter(None, cells[len(names) :]))
    found = dict(zip(names, cells, strict=False))
    return {**found, SURPLUS: more} if more else found


def _from_parquet(path: Path, data: bytes) -> list[tuple[int, Mapping[str, str]]]:
    try:
        file = pq.ParquetFile(pa.BufferReader(data))
        _check_columns(path, file.schema_arrow.names)
        if file.metadata.num_rows > MAX_ROWS:
            raise ConfigError(f"{path} has over {MAX_ROWS:,} rows", "split the sheet")
        table = file.read(columns=list(READ))
    except (pa.ArrowException, OSError, ValueError) as error:
        raise StoreError(
            f"{path} is no readable Parquet file ({error})", "export the sheet again"
        ) from error
    return [
        (number, {name: "" if text is None else str(text) for name, text in row.items()})
        for number, row in enumerate(table.to_pylist(), start=1)
    ]


def _check_columns(path: Path, names: Iterable[str]) -> None:
    lacking = [name for name in READ if name not in set(names)]
    if lacking:
        raise ConfigError(
            f"{path} has no column {', '.join(lacking)}", "export a sheet and fill that in"
        )
