"""Whatever a file holds, every row comes out kept or rejected."""

import json
import tempfile
from pathlib import Path

import pyarrow as pa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hopsight.errors import SourceError
from hopsight.store.images import ImageStore
from refine.imported import read_seeds
from tests.refine.imported.files import data_url, parquet, png

COLUMNS = ("question", "Prompt", "answer", "Ground Truth", "image", "images", "image_1", "cot", "x")
TEXT = st.text(max_size=12)
PICTURES = st.sampled_from(["a.png", "../a.png", "https://example.org/a.png", data_url(png(1)), ""])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT | PICTURES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["bytes", "path", "text", "role"]) | TEXT, inner, max_size=3
        )
    ),
    max_leaves=5,
)
ROWS = st.lists(st.dictionaries(st.sampled_from(COLUMNS), VALUES), min_size=1, max_size=5)
CELLS = st.fixed_dictionaries(
    {
        "question": st.none() | TEXT,
        "answers": st.none() | st.lists(st.none() | TEXT, max_size=3),
        "image": st.none()
        | st.fixed_dictionaries(
            {
                "bytes": st.none() | st.binary(max_size=9) | st.just(png(1)),
                "path": st.none() | PICTURES,
            }
        ),
        "reasoning": st.none() | TEXT,
    }
)
SCHEMA = pa.schema(
    {
        "question": pa.string(),
        "answers": pa.list_(pa.string()),
        "image": pa.struct({"bytes": pa.binary(), "path": pa.string()}),
        "reasoning": pa.string(),
    }
)
LIMITS = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


def accounted(path, folder, count):
    staged = read_seeds(path, ImageStore(folder / "store"))
    rows = [seed.row for seed in staged.kept]
    rows += [int(each.record_id.rpartition(":")[2]) for each in staged.rejected]
    assert staged.entered == count
    assert sorted(rows) == list(range(1, count + 1))
    assert all(each.reason and each.detail for each in staged.rejected)
    assert all(seed.id and seed.question and seed.answer and seed.images for seed in staged.kept)


@LIMITS
@given(rows=ROWS)
def test_every_line_is_kept_or_rejected(rows):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "rows.jsonl"
        path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        try:
            accounted(path, folder, len(rows))
        except SourceError as error:
            assert "column" in error.cause


@LIMITS
@given(rows=st.lists(CELLS, min_size=1, max_size=5))
def test_every_parquet_row_is_kept_or_rejected(rows):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        accounted(parquet(folder, rows, schema=SCHEMA), folder, len(rows))
