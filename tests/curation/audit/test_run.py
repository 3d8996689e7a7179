"""Audits of small files in the published shapes."""

import io
import json
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

from curation.audit import LIMITS, audit_file, facts
from curation.contamination import read_fingerprints
from hopsight.errors import SourceError

QUESTIONS = [
    "Who drew the plans of the red bridge in the picture?",
    "In which year did the sailor in the portrait leave the harbour of Uldenhof for good?",
    "Which river passes the town whose coat of arms is shown here?",
]


def png(seed=1, size=(64, 48)):
    """A picture of its own for each number."""
    rng = Random(seed)
    small = Image.new("RGB", (6, 5))
    small.putdata([tuple(rng.randrange(256) for _ in range(3)) for _ in range(30)])
    out = io.BytesIO()
    small.resize(size, Image.Resampling.BICUBIC).save(out, "PNG")
    return out.getvalue()


def sft(number=0, **changes):
    call = json.dumps({"name": "web_search", "arguments": {"query": "x"}})
    said = [
        ("human", f"<image:0><image>\n{QUESTIONS[number]}"),
        ("function_call", f"<think>\nhm\n</think>\n\n{call}"),
        ("observation", "1. A page about it."),
        ("gpt", f"I know. <answer>Jan {number}</answer>"),
    ]
    return {
        "conversations": [{"from": role, "value": text} for role, text in said],
        "images": [f"{number}.png"],
        "system": "You answer.",
        "tools": "[]",
    } | changes


def rl(number=0, **changes):
    return {
        "images": [{"bytes": png(number), "path": None}],
        "agent_name": "a",
        "data_source": "d",
        "prompt": [
            {"role": "system", "content": "You answer."},
            {"role": "user", "content": f"<image>{QUESTIONS[number]}"},
        ],
        "reward_model": {"ground_truth": f"Jan {number}", "style": "rule"},
        "extra_info": {"tools_kwargs": {"k": number}},
    } | changes


def plain(number=0, **changes):
    return {
        "question": QUESTIONS[number],
        "answer": f"Jan {number}",
        "images": [{"bytes": png(number), "path": None}],
    } | changes


@pytest.fixture
def audited(tmp_path):
    """Audit rows, written as a file whose pictures lie beside it."""
    for number in range(len(QUESTIONS)):
        (tmp_path / f"{number}.png").write_bytes(png(number))

    def run(rows, kind="json", prints=None, **limits):
        path = tmp_path / f"data.{kind}"
        if kind == "parquet":
            pq.write_table(pa.Table.from_pylist(rows), path)
        elif kind == "jsonl":
            path.write_bytes(b"\n".join(r if isinstance(r, bytes) else dumped(r) for r in rows))
        else:
            path.write_bytes(dumped(rows))
        return audit_file(path, tmp_path, prints, **limits)

    return run


def dumped(value):
    return json.dumps(value, default=lambda data: data.hex()).encode()


def said(audit):
    return [(each.row, each.gate, each.reason) for each in audit.findings]


@pytest.mark.parametrize(
    ("make", "kind", "shape"),
    [
        (sft, "json", "sft"),
        (sft, "jsonl", "sft"),
        (rl, "parquet", "rl"),
        (plain, "parquet", "question"),
    ],
)
def test_sound_rows_of_every_shape_have_no_finding(audited, make, kind, shape):
    audit = audited([make(number) for number in range(3)], kind)
    assert said(audit) == []
    assert audit.figures.shapes == {shape: 3}
    assert audit.clean_rows == audit.entered == 3
    assert audit.figures.pictures == audit.figures.distinct_pictures == 3
    assert audit.figures.calls == ((1.0, 1) if make is sft else (0.0, 0))


def turns(*roles):
    text = {"human": f"<image>{QUESTIONS[0]}", "function_call": '{"name": "a", "arguments": {}}'}
    return [{"from": role, "value": text.get(role, "Jan 0")} for role in roles]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"conversations": turns("human", "gpt")}, None),
        ({"conversations": turns("human", "gpt"), "images": []}, "image_marks"),
        ({"images": ["0.png", "1.png"]}, "image_marks"),
        (
            {"conversations": turns("human", "function_call", "observation", "observation", "gpt")},
            "tool_results_in_a_row",
        ),
        ({"conversations": turns("human", "function_call", "gpt")}, "role_out_of_turn"),
        ({"conversations": turns("human", "observation", "gpt")}, "role_out_of_turn"),
        (
            {
                "conversations": [
                    *turns("human"),
                    {"from": "human", "value": "Well?"},
                    *turns("gpt"),
                ]
            },
            "role_out_of_turn",
        ),
        ({"conversations": turns("human", "function_call", "observation")}, "no_final_answer"),
        ({"conversations": turns("human", "critic", "gpt")}, "unknown_role"),
        ({"conversations": [*turns("human"), {"from": "gpt", "value": " "}]}, "empty_message"),
        (
            {"conversations": [*turns("human"), {"from": "gpt", "value": "Jan<|im_end|>"}]},
            "template_token",
        ),
        ({"system": "[INST] do"}, "template_token"),
        (
            {
                "conversations": [
                    {"from": "human", "value": f"<image>{QUESTIONS[0]} </tool_response>"},
                    *turns("gpt"),
                ]
            },
            "template_token",
        ),
        (
            {
                "conversations": [
                    *turns("human"),
                    {"from": "function_call", "value": "search(x)"},
                    *turns("observation", "gpt"),
                ]
            },
            "call_unreadable",
        ),
        ({"tools": "{not json"}, "tools_unreadable"),
        ({"tools": {"name": "a"}}, "tools_unreadable"),
    ],
)
def test_what_clashes_with_templates(audited, changes, reason):
    audit = audited([sft(0, **changes)])
    found = [each.reason for each in audit.findings if each.gate == "template"]
    assert found == ([] if reason is None else [reason])


def test_a_prompt_of_rl_must_mark_each_picture_once(audited):
    bare = rl(0, prompt=[{"role": "user", "content": QUESTIONS[0]}])
    assert said(audited([bare], "parquet")) == [(1, "template", "image_marks")]


def gif():
    frames = [Image.new("RGB", (40, 40), colour) for colour in ("red", "blue")]
    out = io.BytesIO()
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:])
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (png(1)[:-60], "picture_unreadable"),
        (b"\x89PNG\r\n\x1a\n", "picture_unreadable"),
        (b"<svg/>", "picture_unreadable"),
        (png(1, (20, 300)), "picture_tiny"),
        (png(1, (6000, 29)), "picture_aspect"),
        (gif(), "picture_animated"),
    ],
)
def test_unhealthy_pictures(audited, data, reason):
    audit = audited([plain(0, images=[{"bytes": data, "path": None}])], "parquet")
    assert said(audit) == [(1, "picture", reason)]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("0.png", None),
        ("no.png", "picture_missing"),
        ("../outside.png", "picture_outside"),
        ("", None),
    ],
)
def test_paths_of_pictures(audited, tmp_path, name, reason):
    (tmp_path.parent / "outside.png").write_bytes(png())
    audit = audited([plain(0, images=[name])])
    assert [each.reason for each in audit.findings] == ([] if reason is None else [reason])


def test_addresses_are_not_asked_and_told(audited):
    audit = audited([plain(0, images=["https://example.org/a.png"])])
    assert said(audit) == []
    assert audit.figures.addresses == 1


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"answer": None}, ("answer", "no_answer")),
        ({"answer": " ".join(["word"] * 21)}, ("answer", "long_answer")),
        ({"answer": "Red Bridge"}, ("leak", "answer_in_question")),
        ({"answer": ["Jan", "the plans"]}, ("leak", "answer_in_question")),
        ({"answer": "red"}, ("leak", "answer_in_question")),
        ({"answer": "re"}, None),
    ],
)
def test_answers(audited, changes, expected):
    audit = audited([plain(0, images=[], **changes)])
    assert [(each.gate, each.reason) for each in audit.findings] == ([expected] if expected else [])


def test_duplicates_name_the_row_they_repeat(audited):
    long = QUESTIONS[1]
    rows = [
        plain(1),
        plain(2, question=long),
        plain(1, question=long.upper(), answer="Piet"),
        plain(1, question=long.replace("for good", "for ever")),
        plain(1),
    ]
    audit = audited(rows, "parquet")
    assert [(each.row, each.reason, each.detail) for each in audit.findings] == [
        (3, "answers_differ", "row 1"),
        (4, "near_duplicate_question", "row 1"),
        (5, "duplicate_row", "row 1"),
    ]


def test_two_traces_of_one_question_are_no_equal_rows(audited):
    other = sft(0)["conversations"]
    other[2] = {"from": "observation", "value": "2. Another page."}
    assert said(audited([sft(0), sft(0, conversations=other)])) == [
        (2, "duplicate", "duplicate_question")
    ]


def test_benchmarks_are_found_in_questions_pictures_and_results(audited, tmp_path):
    bench = tmp_path / "bench.jsonl"
    lines = [
        {"question": QUESTIONS[1], "answer": "1731", "image": None},
        {"question": "What is it?", "answer": "x", "image": "2.png"},
    ]
    bench.write_text("\n".join(map(json.dumps, lines)))
    prints = read_fingerprints([bench])
    page = sft(0)["conversations"]
    page[2] = {"from": "observation", "value": f"Quiz: {QUESTIONS[1]}"}
    audit = audited([sft(0), sft(1), sft(2), sft(0, conversations=page)], prints=prints)
    assert [each for each in said(audit) if each[1] == "benchmark"] == [
        (2, "benchmark", "benchmark_text"),
        (3, "benchmark", "benchmark_picture"),
        (4, "benchmark", "benchmark_text"),
    ]
    assert audit.benchmark_rows == 2


def test_hostile_rows_are_told_one_by_one(audited):
    nested = b'{"question": ' + b"[" * 3000 + b"]" * 3000 + b"}"
    rows = [
        b"{broken",
        b"[1, 2]",
        b"null",
        b"\xff",
        nested,
        {"question": None, "answer": None, "images": None},
        {"something": "else"},
        {"conversations": "text", "images": None},
        {"conversations": [1, 2]},
        {"conversations": [{"from": 3, "value": "x"}]},
        {"conversations": [{"from": "human", "value": {"a": 1}}]},
        {"question": "Who is it?", "answer": {"odd": [{}]}, "images": 7},
        {"question": "x" * 5000},
        plain(0, images=None),
    ]
    audit = audited(rows, "jsonl", limits=LIMITS.__class__(row_bytes=4000))
    assert audit.entered == len(rows)
    assert audit.unreadable == len(rows) - 1
    told = [each for each in audit.findings if each.gate == "row"]
    assert [each.row for each in told] == list(range(1, len(rows)))
    assert told[12].reason == "row_too_long"


def test_null_columns_are_no_finding_of_their_own(audited):
    audit = audited([sft(0, images=None, system=None, tools=None, answer=None)])
    assert said(audit) == [(1, "template", "image_marks")]


def test_a_file_that_is_none(tmp_path):
    path = tmp_path / "x.json"
    path.write_text("[1, 2")
    with pytest.raises(SourceError, match="no JSON"):
        audit_file(path, tmp_path, None)


@pytest.mark.parametrize("kind", ["json", "jsonl", "parquet"])
def test_a_file_without_rows_is_none(audited, kind):
    with pytest.raises(SourceError, match="holds no rows"):
        audited([], kind)


@pytest.mark.parametrize("suffix", ["json", "jsonl"])
@pytest.mark.parametrize("start", ["", "\ufeff", "\n\n"])
def test_one_object_over_several_lines_is_no_rows(tmp_path, suffix, start):
    path = tmp_path / f"x.{suffix}"
    path.write_text(start + json.dumps({"data": [{"question": "q"}], "n": 1}, indent=1))
    with pytest.raises(SourceError, match=r"one JSON object .*an array, or one object a line"):
        audit_file(path, tmp_path, None)


def test_rows_of_which_the_first_is_broken_are_still_rows(audited):
    audit = audited([b"{", dumped(plain(0, images=None))], "jsonl")
    assert said(audit) == [(1, "row", "bad_row")]


@pytest.mark.parametrize(
    "row",
    [
        {"question": "", "answer": "x"},
        {"question": None, "answer": "x"},
        {"conversations": [], "images": None},
        {"question": "<image>", "answer": "x"},
    ],
)
def test_a_row_that_asks_nothing(audited, row):
    assert said(audited([row])) == [(1, "row", "no_question")]


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        ("A <b>sailor</b>.", []),
        ("<think>\nThe red bridge.\n</think>\n\nA sailor.", []),
        ("The red bridge", ["answer_in_question"]),
        ("word " * 21, ["long_answer"]),
        ("A sailor. <answer></answer>", ["no_answer"]),
        ("<think>\nhm\n</think>", ["no_answer"]),
    ],
)
def test_what_the_assistant_says_last_is_the_answer_where_no_mark_tells_it(audited, text, reasons):
    last = {"from": "gpt", "value": text}
    audit = audited([sft(0, conversations=[*turns("human"), last])])
    assert [each.reason for each in audit.findings] == reasons


def test_six_near_copies_are_told_as_five_are(audited):
    text = "Which river flows under the old stone bridge in the image near castle number {}?"
    for count in (5, 6, 40):
        rows = [plain(0, question=text.format(place)) for place in range(count)]
        audit = audited(rows, "parquet")
        assert said(audit) == [
            (place, "duplicate", "near_duplicate_question") for place in range(2, count + 1)
        ]
        assert audit.figures.unsaid == 0


def test_questions_too_alike_to_compare_are_counted(audited):
    text = "Which river flows under the old stone bridge in the image near castle number {}?"
    audit = audited([plain(0, question=text.format(place)) for place in range(60)], "parquet")
    assert said(audit) == []
    assert ("questions too short or too alike to compare", "60") in facts(audit)


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ("Jan", "Jan", "duplicate_row"),
        ("Jan", "JAN", "duplicate_row"),
        ("Jan", "Piet", "answers_differ"),
        ("Jan", ["Johan", "Jan"], "duplicate_question"),
        ("Jan", "It was Jan.", "duplicate_question"),
        ("Jan", None, "duplicate_question"),
        ("Jan", " ".join(["word"] * 21), "duplicate_question"),
    ],
)
def test_one_question_with_two_answers(audited, first, second, reason):
    audit = audited([plain(0, answer=first, images=None), plain(0, answer=second, images=None)])
    assert [each.reason for each in audit.findings if each.gate == "duplicate"] == [reason]


@pytest.mark.parametrize(
    ("answer", "reasons"), [("Jan", ["near_duplicate_question"]), ("Piet", [])]
)
def test_near_questions_with_two_answers_ask_for_two_things(audited, answer, reasons):
    text = "Which {} flows under the old stone bridge in the image near the castle of the town?"
    rows = [
        plain(0, question=text.format("river"), answer="Jan"),
        plain(0, question=text.format("brook"), answer=answer),
    ]
    assert [each.reason for each in audited(rows, "parquet").findings] == reasons
