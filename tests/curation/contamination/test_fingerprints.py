"""Fingerprints of benchmark files, and what is found by them."""

import base64
import csv
import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

from curation.contamination import BenchmarkRow, fingerprints_of, read_fingerprints
from hopsight.errors import SourceError
from hopsight.imaging.hashes import difference_hash

LONG = (
    "The red bridge in the picture was drawn by a man who was born in Uldenhof; "
    "in which year did his second school burn down?"
)
SHORT = "Who drew this red bridge?"


def png(seed=0, size=(64, 48)):
    """A picture with something in it."""
    small = Image.effect_noise((6, 5), 90 + seed).convert("RGB")
    out = io.BytesIO()
    small.resize(size, Image.Resampling.BICUBIC).save(out, "PNG")
    return out.getvalue()


def bench(question=LONG, answers=("1732",), name="b.jsonl:1", **other):
    given = {"pictures": (), "urls": (), "entities": ()} | other
    return BenchmarkRow(name, question, answers, **given)


def rows_of(folder, rows, kind):
    path = folder / f"bench.{kind}"
    if kind == "jsonl":
        path.write_text("\n".join(map(json.dumps, rows)))
    elif kind == "json":
        path.write_text(json.dumps(rows))
    elif kind == "csv":
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, sorted(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    else:
        pq.write_table(pa.Table.from_pylist(rows), path)
    return path


@pytest.mark.parametrize("kind", ["jsonl", "json", "csv", "parquet"])
def test_files_of_every_kind_give_the_same(kind, tmp_path):
    data = png()
    (tmp_path / "a.png").write_bytes(data)
    rows: list[dict[str, str | None]] = [
        {"question": LONG, "answer": "1732", "image": "a.png"},
        {"question": SHORT, "answer": "Jan", "image": "https://example.org/x.png"},
        {"question": None, "answer": "x", "image": None},
        {"question": "What is missing here, then?", "answer": "y", "image": "no.png"},
    ]
    prints = read_fingerprints([rows_of(tmp_path, rows, kind)])
    assert [row.question for row in prints.rows] == [LONG, SHORT, rows[3]["question"]]
    assert prints.entered == 4
    assert [(each.record_id, each.reason) for each in prints.rejected] == [
        (f"bench.{kind}:3", "no_question"),
        (f"bench.{kind}:4", "picture_missing"),
    ]
    assert len(prints.shas) == 1
    hit = prints.of_picture("0" * 64, "https://example.org/x.png")
    assert hit is not None
    assert hit.row == f"bench.{kind}:2"


def test_pictures_as_bytes_structs_and_base64(tmp_path):
    data = [png(seed) for seed in range(3)]
    text = base64.b64encode(data[2]).decode()
    path = tmp_path / "b.parquet"
    cells = [
        [{"bytes": data[0], "path": "x"}],
        [{"bytes": data[1], "path": None}, {"bytes": data[0], "path": None}],
    ]
    table = pa.table({"question": [LONG, SHORT], "answer": ["1", "2"], "images": cells})
    pq.write_table(table, path)
    lines = tmp_path / "c.jsonl"
    lines.write_text(json.dumps({"question": SHORT, "image": f"data:image/png;base64,{text}"}))
    prints = read_fingerprints([path, lines])
    assert prints.rejected == ()
    assert len(prints.shas) == 3


def test_trainers_rows_are_understood(tmp_path):
    row = {
        "prompt": [
            {"role": "system", "content": "s"},
            {"role": "user", "content": f"<image>{LONG}"},
        ],
        "images": [],
        "reward_model": {"ground_truth": "1732", "style": "rule"},
        "extra_info": {"index": 1},
    }
    path = rows_of(tmp_path, [row], "jsonl")
    prints = read_fingerprints([path])
    assert prints.rows[0].question == LONG
    assert prints.rows[0].answers == ("1732",)


def test_hostile_rows_are_told_and_the_rest_counts(tmp_path):
    path = tmp_path / "b.jsonl"
    path.write_bytes(
        b"\n".join(
            [
                b"{not json",
                b'"text"',
                b"\xff\xfe{}",
                json.dumps({"question": {"a": 1}, "answer": 2}).encode(),
                json.dumps({"question": SHORT, "answer": ["Jan"], "images": {"odd": 1}}).encode(),
                json.dumps(
                    {"question": SHORT, "answer": "J", "images": "../../etc/passwd"}
                ).encode(),
                json.dumps(
                    {"question": SHORT, "answer": "J", "images": {"bytes": "AAAA"}}
                ).encode(),
            ]
        )
    )
    prints = read_fingerprints([path])
    assert prints.entered == 7
    assert [each.reason for each in prints.rejected] == [
        "bad_row",
        "bad_row",
        "bad_encoding",
        "no_question",
        "picture_unreadable",
        "picture_outside",
        "picture_unreadable",
    ]
    assert len(prints.rows) == 3


def test_a_file_that_is_none(tmp_path):
    with pytest.raises(SourceError, match="no known kind"):
        read_fingerprints([tmp_path / "b.txt"])


@pytest.mark.parametrize(
    "text",
    [
        LONG,
        f"Some page said: {LONG.upper()} And more.",
        "was drawn by a man who was born in Uldenhof in which year did his second school",
        LONG.replace(";", " —").replace("é", "e"),
    ],
)
def test_thirteen_words_in_a_row_are_a_hit(text):
    [[hit]] = fingerprints_of([bench()]).in_pages([text])
    assert (hit.kind, hit.row) == ("text", "b.jsonl:1")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "was drawn by a man who was born in Uldenhof in which",
        LONG.replace("man", "woman").replace("second", "third"),
    ],
)
def test_fewer_words_are_none(text):
    assert fingerprints_of([bench()]).in_pages([text]) == [()]


def test_a_short_question_counts_whole_and_with_its_answer():
    prints = fingerprints_of([bench(SHORT, ("Jan",)), bench(SHORT, ("Piet",), name="b.jsonl:2")])
    page = f"People ask: {SHORT}"
    assert prints.in_pages([page]) == [()]
    [[hit]] = prints.in_pages([f"{page} It was Piet."])
    assert hit.row == "b.jsonl:2"
    [[hit]] = prints.in_questions([SHORT], [("JAN",)], 50)
    assert hit.row == "b.jsonl:1"
    assert prints.in_questions([SHORT, "Who drew it?"], [("Klaas",), ("Jan",)], 50) == [(), ()]


def test_what_many_benchmark_questions_share_is_a_frame():
    frame = "Look at the picture and answer with one word or a short phrase alone, please: {}"
    rows = [
        bench(frame.format(f"which {name} is this one here?"), name=f"b.jsonl:{place}")
        for place, name in enumerate(["bridge", "tower", "river", "mountain", "castle"])
    ]
    prints = fingerprints_of(rows)
    assert prints.in_pages([frame.format("who is it?")]) == [()]
    [[_]] = prints.in_pages([rows[2].question])


def test_a_picture_is_found_by_bytes_and_by_its_look():
    data = png()
    prints = fingerprints_of([bench(pictures=(data,)), bench(pictures=(b"x",), name="b.jsonl:2")])
    assert [each.reason for each in prints.rejected] == ["picture_unreadable"]
    copy = io.BytesIO()
    Image.open(io.BytesIO(data)).resize((128, 96)).save(copy, "JPEG", quality=80)
    hashes = [difference_hash(copy.getvalue()), difference_hash(png(5)), 0]
    assert [hit and hit.row for hit in prints.of_looks(hashes)] == ["b.jsonl:1", None, None]
    assert fingerprints_of([bench()]).of_looks(hashes) == [None] * 3


@pytest.mark.parametrize(
    ("row", "hit"),
    [
        (bench("And then?", ("Jan",), entities=("Uldenhof", "Red Bridge (Ulden)")), True),
        (bench("And then?", ("JAN",), entities=("Uldenhof", "Red Bridge", "The Sea")), True),
        (bench("And then?", ("Jan",), entities=("Uldenhof", "Blue Bridge")), False),
        (bench("And then?", ("Piet",), entities=("Uldenhof", "Red Bridge")), False),
        (bench("Who drew the red bridge of Uldenhof?", ("Jan",)), True),
        (bench("Who drew the red bridges of Uldenhof?", ("Jan",)), False),
        (bench("Who drew the red bridge?", ("Jan",)), False),
    ],
)
def test_an_answer_and_two_entities_are_a_chain(row, hit):
    prints = fingerprints_of([row])
    found = prints.of_chain(("x", "Jan"), ["Red Bridge", "Uldenhof", "The Sea", "Jan Smit"])
    assert (found is not None) == hit


def test_a_run_must_be_half_of_the_question():
    """What questions made by one writer share, however rare, is less than that."""
    tail = (
        "That city lies on a river whose source is in a country with three official languages. "
        "Which of the seas does that river end in?"
    )
    head = "The man in the image designed a bridge that stands in the largest city of a canton."
    prints = fingerprints_of([bench(f"{head} {tail}")])
    assert prints.in_pages([head]) == [()]
    assert prints.in_pages([f"{head} Its twin stands in another. Who paid for it?"]) == [()]
    [[hit]] = prints.in_pages([tail])
    assert hit.detail == "25 of its 42 words, in long runs"


def test_a_question_that_stands_in_a_benchmark_many_times_is_no_frame():
    prints = fingerprints_of([bench(name=f"b.jsonl:{row}") for row in range(1, 9)])
    [[hit]] = prints.in_pages([LONG])
    assert hit.row == "b.jsonl:1"


def test_a_whole_question_with_its_answer_is_no_frame_of_those_that_hold_it():
    prints = fingerprints_of([bench()])
    texts = [f"{LONG} Number {place}." for place in range(7)]
    answers = [("1732",)] * 6 + [("1799",)]
    hits = prints.in_questions(texts, answers, 5)
    assert [len(each) for each in hits] == [1] * 6 + [0]
    assert hits[0][0].detail == "the whole question, and the answer"
    framed = [LONG.replace("burn down", f"close {place}") for place in range(7)]
    assert prints.in_questions(framed, [("1732",)] * 7, 5) == [()] * 7


def test_a_whole_question_is_found_though_the_benchmark_has_it_in_a_frame():
    frame = (
        "Look at the picture of a bridge that was built by one of the three brothers who came from "
        "the north, and then tell me which of the old towns on the other bank stood beside {}?"
    )
    rows = [bench(frame.format(name), name=f"b:{name}") for name in ("Aa", "Bo", "Ce", "Du", "Ek")]
    prints = fingerprints_of(rows)
    texts = [frame.format("Ce"), frame.format("Ce").upper(), frame.format("Fy")]
    hits = prints.in_questions(texts, [("1732",)] * 3, 50)
    assert [[hit.row for hit in each] for each in hits] == [["b:Ce"], ["b:Ce"], []]
    assert prints.in_questions(texts, [("1799",)] * 3, 50) == [()] * 3
