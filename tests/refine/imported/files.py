"""Files of seeds for the tests of reading: pictures, and rows in each format."""

import base64
import csv
import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image


def png(shade=0, size=(8, 6)):
    """A small picture of one colour."""
    out = io.BytesIO()
    Image.new("RGB", size, (shade % 256, 80, 120)).save(out, "PNG")
    return out.getvalue()


def jpeg(shade=0):
    """A small JPEG."""
    out = io.BytesIO()
    Image.new("RGB", (64, 48), (shade % 256, 80, 120)).save(out, "JPEG")
    return out.getvalue()


def data_url(data):
    """A picture as a data URL."""
    return f"data:image/png;base64,{base64.b64encode(data).decode()}"


def jsonl(folder, rows, name="seeds.jsonl"):
    """Rows as JSON Lines; a text stands as it is."""
    path = folder / name
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def parquet(folder, rows, name="seeds.parquet", schema=None):
    """Rows as Parquet."""
    path = folder / name
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), path)
    return path


def separated(folder, rows, name="seeds.csv"):
    """Rows under a heading."""
    path = folder / name
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter="\t" if name.endswith("tsv") else ",")
        writer.writerows(rows)
    return path
