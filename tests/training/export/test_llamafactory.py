import hashlib
import json

import pytest

from hopsight.harness.tools import SPECS
from hopsight.types import ToolCall
from tests.training.export.made import FINAL, asked, call, seen, trajectory, turn
from training.export import export_sft
from training.export.llamafactory import DATASET_INFO

GOOD, BROKEN = 4, 2


@pytest.fixture
def exported(tmp_path):
    """Four sound traces, each with a picture brought by a tool, and two that cannot be rows."""
    questions, chains, store = asked(tmp_path)
    chosen = questions[: GOOD + BROKEN]
    bad_turns = [turn(ToolCall(call_id="c", name="visit", arguments="{"))], [turn(call())]
    traces = []
    for number, question in enumerate(chosen):
        brought = chosen[number - 1].images
        good = [turn(call(), observations=[seen("<image:1>", 1)]), FINAL]
        turns = good if number < GOOD else bad_turns[number - GOOD]
        traces.append(trajectory(*turns, task=question.task, bank=brought, question=question.id))
    by_id = {question.id: question for question in chosen}
    folder = tmp_path / "sft"
    result = export_sft(traces, by_id, chains, SPECS, store, folder)
    return result, folder, json.loads((folder / "sft.json").read_text()), by_id, traces


def test_rows_stand_in_the_order_of_their_questions(exported):
    result, _, rows, _, traces = exported
    assert [row["id"] for row in rows] == sorted(trace.question_id for trace in traces[:GOOD])
    assert [record.row for record in result.rows] == list(range(GOOD))
    assert [record.question_id for record in result.rows] == [row["id"] for row in rows]
    assert [record.trajectory_id for record in result.rows] == [r["trajectory_id"] for r in rows]


def test_a_trace_that_cannot_be_a_row_is_rejected_with_turn_and_reason(exported):
    result, _, _, _, traces = exported
    told = {each.record_id: (each.stage, each.reason, each.detail) for each in result.rejected}
    assert told == {
        traces[GOOD].id: (
            "sft_dataset",
            "malformed_call",
            "turn 0: arguments of visit are not JSON",
        ),
        traces[GOOD + 1].id: ("sft_dataset", "no_final_turn", "turn 0 is not final"),
    }


def test_every_placeholder_has_a_picture_that_is_there(exported):
    result, folder, rows, by_id, _ = exported
    for row, record in zip(rows, result.rows, strict=True):
        text = "".join(message["value"] for message in row["conversations"])
        assert text.count("<image>") == len(row["images"]) == 2
        hashes = [
            hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in row["images"]
        ]
        assert tuple(hashes) == record.images
        assert hashes[0] == by_id[row["id"]].images[0].sha256
    named = {name for row in rows for name in row["images"]}
    assert {f"images/{path.name}" for path in (folder / "images").iterdir()} == named


def test_every_row_has_the_same_keys(exported):
    _, _, rows, by_id, _ = exported
    assert len({tuple(row) for row in rows}) == 1
    assert {row["tools"] for row in rows} == {rows[0]["tools"]}
    for row in rows:
        assert row["answer"] == by_id[row["id"]].answer
        assert {tuple(message) for message in row["conversations"]} == {("from", "value")}


def test_dataset_info_names_every_column_and_tag_that_the_rows_use(exported):
    _, folder, rows, _, _ = exported
    info = json.loads((folder / "dataset_info.json").read_text())
    assert info == DATASET_INFO
    (entry,) = info.values()
    assert (folder / entry["file_name"]).is_file()
    assert entry["formatting"] == "sharegpt"
    assert set(entry["columns"]) == {"messages", "images", "system", "tools"}
    assert set(entry["columns"].values()) <= rows[0].keys()
    tags = entry["tags"]
    roles = {message[tags["role_tag"]] for row in rows for message in row["conversations"]}
    known = {tags[f"{name}_tag"] for name in ("user", "assistant", "observation", "function")}
    assert roles == known


def test_tools_are_what_the_harness_offers(exported):
    tools = json.loads(exported[2][0]["tools"])
    assert [tool["name"] for tool in tools] == [spec.name for spec in SPECS]
    for tool in tools:
        assert tool["description"]
        assert tool["parameters"]["type"] == "object"


def test_the_constraints_name_no_entity_of_the_path(exported):
    _, _, rows, by_id, _ = exported
    for row in rows:
        told = json.loads(row["constraints"])
        assert told["anchor"] == {"image": by_id[row["id"]].images[0].sha256}
        assert told["ask"]
        assert len(told["hops"]) >= 2
        for hop in told["hops"]:
            assert set(hop) == {"relation", "inverse", "constraints"}


def test_an_export_replaces_the_one_before_whole(exported, tmp_path):
    _, folder, rows, by_id, traces = exported
    _, chains, store = asked(tmp_path)
    keep = [trace for trace in traces if trace.question_id == rows[0]["id"]]
    export_sft(keep, by_id, chains, SPECS, store, folder)
    (row,) = json.loads((folder / "sft.json").read_text())
    assert row == rows[0]
    assert {f"images/{path.name}" for path in (folder / "images").iterdir()} == set(row["images"])


def test_the_order_in_which_traces_come_changes_nothing(exported, tmp_path):
    _, folder, _, by_id, traces = exported
    _, chains, store = asked(tmp_path)
    export_sft(traces[::-1], by_id, chains, SPECS, store, tmp_path / "again")
    again = (tmp_path / "again" / "sft.json").read_bytes()
    assert again == (folder / "sft.json").read_bytes()
