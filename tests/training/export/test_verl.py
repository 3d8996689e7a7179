import hashlib
import json

import pyarrow.parquet as pq
import pytest

from hopsight.harness.tools import SPECS
from tests.training.export.made import asked
from training.export import export_eval, export_rl


@pytest.fixture
def exported(tmp_path):
    """Some questions as rows."""
    questions, chains, store = asked(tmp_path)
    result = export_rl(questions, chains, SPECS, store, tmp_path / "rl")
    table = pq.read_table(tmp_path / "rl" / "rl.parquet")
    return questions, result, table


def test_the_columns_are_those_that_verl_reads(exported):
    schema = exported[2].schema
    assert schema.names == [
        "data_source",
        "agent_name",
        "prompt",
        "images",
        "reward_model",
        "extra_info",
    ]
    assert str(schema.field("prompt").type) == (
        "list<element: struct<role: string, content: string>>"
    )
    assert str(schema.field("images").type) == "list<element: struct<bytes: binary, path: string>>"
    assert str(schema.field("reward_model").type) == "struct<style: string, ground_truth: string>"


def test_every_row_has_the_same_keys_and_none_is_missing(exported):
    rows = exported[2].to_pylist()
    keys = {tuple(row["extra_info"]) for row in rows}
    assert keys == {
        ("index", "question_id", "aliases", "constraints", "tools", "need_tools_kwargs")
    }
    for row in rows:
        assert all(value is not None for value in (*row.values(), *row["extra_info"].values()))
        assert row["data_source"]
        assert row["reward_model"]["style"] == "rule"


def test_a_row_asks_its_question_and_holds_its_answer(exported):
    questions, result, table = exported
    by_id = {question.id: question for question in questions}
    rows = table.to_pylist()
    assert [row["extra_info"]["question_id"] for row in rows] == sorted(by_id)
    assert [row["extra_info"]["index"] for row in rows] == list(range(len(questions)))
    for row, record in zip(rows, result.rows, strict=True):
        question = by_id[row["extra_info"]["question_id"]]
        assert record.question_id == question.id
        assert row["reward_model"]["ground_truth"] == question.answer
        assert row["extra_info"]["aliases"] == list(question.answer_aliases)
        assert [message["role"] for message in row["prompt"]] == ["system", "user"]
        assert row["prompt"][1]["content"].endswith(question.text)
        assert question.answer not in row["prompt"][0]["content"]


def test_placeholders_are_as_many_as_pictures_and_the_bytes_are_the_pictures(exported):
    questions, _, table = exported
    by_id = {question.id: question for question in questions}
    for row in table.to_pylist():
        question = by_id[row["extra_info"]["question_id"]]
        text = "".join(message["content"] for message in row["prompt"])
        assert text.count("<image>") == len(row["images"]) == len(question.images)
        hashes = [hashlib.sha256(image["bytes"]).hexdigest() for image in row["images"]]
        assert hashes == [image.sha256 for image in question.images]


def test_constraints_and_tools_are_json(exported):
    for row in exported[2].to_pylist():
        assert json.loads(row["extra_info"]["constraints"])["ask"]
        assert len(json.loads(row["extra_info"]["tools"])) == len(SPECS)


def test_the_order_in_which_questions_come_changes_no_byte(tmp_path):
    questions, chains, store = asked(tmp_path)
    files = []
    for number, ordered in enumerate((questions, questions[::-1])):
        folder = tmp_path / str(number)
        export_rl(ordered, chains, SPECS, store, folder)
        export_eval(ordered, chains, store, folder)
        files.append([(folder / n).read_bytes() for n in ("rl.parquet", "eval.parquet")])
    assert files[0] == files[1]


def test_no_question_gives_an_empty_file_with_its_columns(tmp_path, exported):
    _, chains, store = asked(tmp_path)
    result = export_rl([], chains, SPECS, store, tmp_path / "none")
    table = pq.read_table(tmp_path / "none" / "rl.parquet")
    assert result.rows == ()
    assert table.num_rows == 0
    assert table.schema.equals(exported[2].schema)


def test_evaluation_rows_hold_question_answer_and_picture(tmp_path):
    questions, chains, store = asked(tmp_path)
    result = export_eval(questions, chains, store, tmp_path / "eval")
    rows = pq.read_table(tmp_path / "eval" / "eval.parquet").to_pylist()
    by_id = {question.id: question for question in questions}
    assert [row["id"] for row in rows] == sorted(by_id) == [r.question_id for r in result.rows]
    for row in rows:
        question = by_id[row["id"]]
        assert (row["question"], row["answer"]) == (question.text, question.answer)
        (image,) = row["images"]
        assert hashlib.sha256(image["bytes"]).hexdigest() == question.images[0].sha256
