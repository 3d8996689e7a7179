"""The files that a round imports: read in order, in part where that is asked for, and counted."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

from hopsight.config.refine import ImportedConfig
from hopsight.errors import SourceError
from hopsight.store.images import ImageStore
from refine.imported import count_rows, read_files

ROW: dict[str, object] = {
    "question": "What is it?",
    "answer": "A tower",
    "image": "a.png",
    "reasoning": "So it is.",
}


@pytest.fixture
def rules(tmp_path):
    """Two files with three rows each; the second row of either has no answer."""
    Image.new("RGB", (9, 9), "red").save(tmp_path / "a.png")
    rows = [ROW | {"answer": None if number == 1 else f"no. {number}"} for number in range(3)]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "b.parquet")
    return ImportedConfig(files=(str(tmp_path / "a.jsonl"), str(tmp_path / "b.parquet")))


def read(rules, folder, **options):
    found = read_files(rules, ImageStore(folder / "store"), **options)
    return found.entered, [(each.source, each.row) for each in found.kept], found.reasons()


def test_files_are_read_in_their_order(rules, tmp_path):
    kept = [("a.jsonl", 1), ("a.jsonl", 3), ("b.parquet", 1), ("b.parquet", 3)]
    assert read(rules, tmp_path) == (6, kept, {"no_answer": 2})
    assert count_rows(rules) == 6


@pytest.mark.parametrize(
    ("first", "kept"),
    [
        (1, [("a.jsonl", 1)]),
        (3, [("a.jsonl", 1), ("a.jsonl", 3)]),
        (4, [("a.jsonl", 1), ("a.jsonl", 3), ("b.parquet", 1)]),
    ],
)
def test_the_first_rows_alone_are_read_where_that_is_asked_for(rules, tmp_path, first, kept):
    entered, found, _ = read(rules, tmp_path, first=first)
    assert (entered, found) == (first, kept)


def test_no_files_are_nothing(tmp_path):
    assert read(ImportedConfig(), tmp_path, first=3) == (0, [], {})
    assert count_rows(ImportedConfig()) == 0


def test_a_damaged_file_is_an_error_where_it_is_counted(tmp_path):
    (tmp_path / "a.parquet").write_bytes(b"PAR1 no")
    rules = ImportedConfig(files=(str(tmp_path / "a.parquet"),))
    with pytest.raises(SourceError, match="cannot be read as Parquet"):
        count_rows(rules)


def test_first_rows_without_a_picture_or_a_column_are_no_word_on_the_file(rules, tmp_path):
    for row in ("not json", json.dumps(ROW | {"image": None})):
        (tmp_path / "a.jsonl").write_text(f"{row}\n{json.dumps(ROW)}\n")
        entered, kept, _ = read(rules, tmp_path, first=1)
        assert (entered, kept) == (1, [])
