"""Reverse image searches that MM-DeepResearch cached."""

import json
from collections import Counter
from pathlib import Path

import pytest

from hopsight.errors import SourceError
from hopsight.providers import CachedLens, CachedPicture, read_lens_cache

SAMPLE = {
    "data_id": "fvqa_1",
    "cached_data": [
        {"cached_images_path": "images/a.jpg", "cached_title": "A\x00 bridge"},
        {"cached_images_path": None, "cached_title": "no picture"},
        {"cached_images_path": "images/b.jpg"},
    ],
}
FOUND = CachedLens(
    "fvqa_1",
    (
        CachedPicture(Path("images/a.jpg"), "A bridge"),
        CachedPicture(Path("images/b.jpg"), ""),
    ),
)


def reading(tmp_path, name, text):
    rejected: Counter[str] = Counter()
    (tmp_path / name).write_text(text)
    return list(read_lens_cache([tmp_path / name], rejected)), rejected


def test_lines_of_json_are_samples_and_the_others_are_counted(tmp_path):
    other = {"data_id": 7, "cached_data": [{"cached_images_path": "c.jpg"}]}
    lines = [json.dumps(SAMPLE), "", "{broken", "[1]", '{"data_id": "x"}', json.dumps(other)]
    found, rejected = reading(tmp_path, "lens.jsonl", "\n".join(lines))
    assert found == [FOUND, CachedLens("7", (CachedPicture(Path("c.jpg"), ""),))]
    assert rejected == {"no_json": 1, "no_sample": 1, "no_pictures": 1}


def test_a_json_file_holds_a_list_or_an_object_by_id(tmp_path):
    assert reading(tmp_path, "a.json", json.dumps([SAMPLE]))[0] == [FOUND]
    by_id = {"fvqa_1": {"cached_data": SAMPLE["cached_data"]}}
    assert reading(tmp_path, "b.json", json.dumps(by_id))[0] == [FOUND]


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(SourceError, match="SEARCH_CACHED_DATA_PATHS"):
        list(read_lens_cache([tmp_path / "none.jsonl"], Counter()))
    with pytest.raises(SourceError, match=r"bad\.json"):
        reading(tmp_path, "bad.json", "{")
