"""Rows of JSON files: one object over several lines is told as what it is."""

import json

import pytest

from hopsight.errors import SourceError
from refine.imported.rows import rows_of
from refine.imported.seed import BadRow, ImportLimits


def read(path):
    return [row.values for row in rows_of(path, {}, ImportLimits())]


@pytest.mark.parametrize("suffix", ["json", "jsonl", "ndjson"])
@pytest.mark.parametrize("start", ["", "\ufeff", "\n\n"])
def test_one_object_over_several_lines_is_refused_with_the_names_in_it(tmp_path, suffix, start):
    path = tmp_path / f"x.{suffix}"
    path.write_text(start + json.dumps({"data": [{"question": "q"}], "n": 1}, indent=1))
    with pytest.raises(SourceError, match=r"one JSON object \('data', 'n'\).*one object a line"):
        read(path)


@pytest.mark.parametrize("lines", ['{"a": 1}', '{"a": 1}\n{"a": 2}\n', '\n{"a": 1}\n'])
def test_one_object_a_line_is_rows_be_it_a_single_one(tmp_path, lines):
    path = tmp_path / "x.jsonl"
    path.write_text(lines)
    assert read(path)[0] == {"a": 1}


def test_rows_of_which_the_first_is_broken_are_still_rows(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text('{\n{"a": 1}\n')
    broken, whole = read(path)
    assert isinstance(broken, BadRow)
    assert whole == {"a": 1}
