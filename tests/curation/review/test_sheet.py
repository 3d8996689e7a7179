"""Review in a spreadsheet."""

import csv
import io

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.review import SheetRow, standing, take_sheet, write_sheet
from curation.review import sheet as sheets
from curation.review.sheet import COLUMNS, cell, plain_cell, read_table
from hopsight.errors import ConfigError, StoreError
from tests.curation.review.rounds import chains, decision, desk, other, questions, reworded

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
RISKY = st.builds(
    "{}{}{}".format, st.sampled_from(["", "'", "''", " "]), st.sampled_from("=+-@\t\r＝'"), TEXT
)


@given(TEXT | RISKY)
def test_no_cell_begins_like_a_formula_and_each_is_given_back(text):
    made = cell(text)
    assert not made.lstrip(" ").startswith(tuple("=+-@\t\r\n＝＋－＠"))
    assert plain_cell(made) == text


def test_an_apostrophe_that_somebody_wrote_stays():
    assert plain_cell("'tis a river?") == cell("'tis a river?") == "'tis a river?"


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@given(st.lists(st.tuples(TEXT | RISKY, TEXT | RISKY), min_size=1, max_size=5))
@settings(max_examples=40, deadline=None)
def test_a_sheet_gives_back_what_was_written(tmp_path_factory, suffix, texts):
    path = tmp_path_factory.mktemp("sheet") / f"sheet{suffix}"
    question, chain = questions()[0], chains()[0]
    made = [decision(question, "reject", note=note) for _, note in texts]
    rows = [
        SheetRow(other(question, text), chain, "p.png", each)
        for (text, _), each in zip(texts, made, strict=True)
    ]
    assert write_sheet(path, rows) == len(rows)
    found = [row for _, row in read_table(path)]
    assert [row["note"] for row in found] == [each.note for each in made]
    assert [row["question_id"] for row in found] == [row.question.id for row in rows]
    if suffix == ".csv":
        assert [row["question"] for row in found] == [text for text, _ in texts]


@pytest.fixture
def place(tmp_path):
    return desk(tmp_path)


def exported(place, path, decided=None):
    """The sheet of the first five questions."""
    decided = decided or {}
    rows = [
        SheetRow(each, chain, "p.png", decided.get(each.id))
        for each, chain in zip(questions()[:5], chains()[:5], strict=True)
    ]
    write_sheet(path, rows)


def fill(path, *cells, delimiter=","):
    """Fill in the columns of the decisions, row by row."""
    rows = list(csv.DictReader(io.StringIO(path.read_text("utf-8-sig"), newline="")))
    for row, values in zip(rows, cells, strict=False):
        row.update(values)
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, COLUMNS, delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    path.write_text(out.getvalue(), encoding="utf-8")


FILLED = (
    {"decision": "Accept "},
    {"decision": "edit", "new_text": reworded(questions()[1]), "reviewer": "Bo"},
    {"decision": "reject", "reason": "Picture mismatch", "note": "=1+1"},
)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_filled_sheet_becomes_decisions_once(place, tmp_path, delimiter):
    path = tmp_path / "sheet.csv"
    exported(place, path)
    fill(path, *FILLED, delimiter=delimiter)
    taken = take_sheet(place, path, reviewer="Ada")
    assert (taken.unchanged, taken.undecided, taken.faults) == (0, 2, ())
    stands = standing(place.journal.load())
    first, second, third = (stands[each.id] for each in questions()[:3])
    assert (first.decision, first.reviewer) == ("accept", "Ada")
    assert (second.text, second.reviewer) == (reworded(questions()[1]), "Bo")
    assert (third.reason, third.note) == ("picture_mismatch", "=1+1")

    again = take_sheet(place, path, reviewer="Cy")
    assert (len(again.decisions), again.unchanged) == (0, 3)
    exported(place, path, standing(place.journal.load()))
    assert take_sheet(place, path, reviewer="").unchanged == 3


def test_rows_that_cannot_be_taken_are_told_by_line(place, tmp_path):
    path = tmp_path / "sheet.csv"
    exported(place, path)
    name = chains()[1].nodes[1].title
    fill(
        path,
        {"decision": "reject", "reason": "it is bad"},
        {"decision": "edit", "new_text": f"{questions()[1].text[:-1]} by {name}?"},
        {"new_text": "What?"},
        {"question_id": "q_" + "0" * 16, "decision": "accept"},
        {"question_id": questions()[0].id, "decision": "accept", "note": "two\nlines"},
    )
    with path.open("a", encoding="utf-8") as file:
        line = [questions()[0].id, *[""] * 5, "reject", "other", "a note", "", "Ada", "too much"]
        file.write(",".join(line) + "\r\n")
        file.write(f"{questions()[0].id},,,,,,accept,,,,\r\n")
    taken = take_sheet(place, path, reviewer="")
    told = {fault.line: fault.why for fault in taken.faults}
    assert sorted(told) == [2, 3, 4, 5, 8, 9]
    assert "reason" in told[2]
    assert told[3].startswith("name_leak: ")
    assert name in told[3]
    assert "decision" in told[4]
    assert "unknown_question" in told[5]
    assert "'too much'" in told[8]
    assert told[9] == f"{questions()[0].id} stands in line 6 already"
    assert [each.note for each in taken.decisions] == ["two lines"]


def test_a_file_that_is_no_sheet_is_told(tmp_path, place, monkeypatch):
    path = tmp_path / "sheet.csv"
    path.write_bytes(b"")
    with pytest.raises(ConfigError, match="has no column question_id, decision"):
        take_sheet(place, path, reviewer="")
    path.write_bytes("question_id,decision\r\nü".encode("latin-1"))
    with pytest.raises(ConfigError, match="not in UTF-8"):
        take_sheet(place, path, reviewer="")
    exported(place, path)
    fill(path, {"note": "x" * 200_000})
    with pytest.raises(ConfigError, match="cannot be read from line 2 on"):
        take_sheet(place, path, reviewer="")
    with pytest.raises(StoreError, match="cannot use"):
        take_sheet(place, tmp_path / "none.csv", reviewer="")
    other_file = tmp_path / "sheet.parquet"
    other_file.write_bytes(b"PAR1 and nothing")
    with pytest.raises(StoreError, match="no readable Parquet"):
        take_sheet(place, other_file, reviewer="")
    pq.write_table(pa.table({"question_id": ["q"]}), other_file)
    with pytest.raises(ConfigError, match="has no column decision"):
        take_sheet(place, other_file, reviewer="")
    exported(place, path)
    monkeypatch.setattr(sheets, "MAX_ROWS", 4)
    with pytest.raises(ConfigError, match="over 4 rows"):
        take_sheet(place, path, reviewer="")
    monkeypatch.setattr(sheets, "MAX_BYTES", 100)
    with pytest.raises(ConfigError, match="over 100 bytes"):
        take_sheet(place, path, reviewer="")


def test_a_spreadsheet_program_is_told_that_it_is_utf_8(tmp_path):
    path = tmp_path / "sheet.csv"
    write_sheet(path, [SheetRow(questions()[0], chains()[0], "p.png", None)])
    assert path.read_bytes().startswith(b"\xef\xbb\xbfquestion_id,question,answer,way,")
