import ast
import json
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.checker import small_world as small
from tests.checker.__main__ import main
from tests.checker.checks import check_exports, question_problems
from tests.checker.rows import Row
from tests.checker.small_world import Change, refined_row, rl_row, sft_row
from tests.checker.world import World


def failures(world: World, folder: Path, *rows: dict[str, Any]) -> tuple[str, ...]:
    sft = [row for row in rows if "conversations" in row] or [sft_row()]
    rl = [row for row in rows if "prompt" in row] or [rl_row()]
    return check_exports(small.write_exports(folder, sft, rl), world).failures


def say(row: dict[str, Any], old: str, new: str) -> None:
    """Change the words of the question in a row of either kind."""
    message = row["conversations"][0] if "conversations" in row else row["prompt"][1]
    key = "value" if "conversations" in row else "content"
    assert old in message[key]
    message[key] = message[key].replace(old, new)


def answer(row: dict[str, Any], text: str) -> None:
    row["answer"] = text
    row["conversations"][-1]["value"] = f"<answer>{text}</answer>"


def turn(role: str, value: str) -> dict[str, str]:
    return {"from": role, "value": value}


def ask_calling_code(row: dict[str, Any]) -> None:
    row["constraints"]["ask"] = "calling_code"
    say(row, "currency", "calling code")
    answer(row, "+99")


def narrow(row: dict[str, Any], year: int) -> None:
    """Lower the upper bound of the person's birth, in constraints and text."""
    row["extra_info"]["constraints"]["hops"][0]["constraints"][1].update(high=float(year))
    say(row, "1855", str(year))


def shout_the_other(row: dict[str, Any]) -> None:
    """Text and picture of the SFT row."""
    say(row, small.QUESTIONS["ostby"], small.QUESTIONS["boats"].upper())
    row["images"][0]["bytes"] = small.PICTURES["boats"]


SOUND_SFT = "sft.json row 0"
BROKEN_SFT: dict[str, tuple[Change, str]] = {
    "another answer": (lambda row: answer(row, "Sudland mark"), "wrong_answer"),
    "an answer in part": (lambda row: answer(row, "crown"), "wrong_answer"),
    "a last turn with another answer": (
        lambda row: row["conversations"][-1].update(value="<answer>Norland</answer>"),
        "final_answer",
    ),
    "a last turn without an answer": (
        lambda row: row["conversations"][-1].update(value="Norland crown"),
        "final_answer",
    ),
    "an answer that only a thought holds": (
        lambda row: row["conversations"][-1].update(
            value="<think><answer>Norland crown</answer></think>"
        ),
        "final_answer",
    ),
    "a picture that no article has": (
        lambda row: row["constraints"]["anchor"].update(image="0" * 64),
        "not_one_answer: 0 articles have the picture",
    ),
    "a hop that nobody fits": (
        lambda row: row["constraints"]["hops"].__setitem__(0, small.hop("creator", "country")),
        "not_one_answer: 0 articles fit hop 1",
    ),
    "an attribute without a value": (
        lambda row: row["constraints"].update(ask="highest_point"),
        "not_one_answer: 0 values",
    ),
    "an attribute with two values": (
        lambda row: row["constraints"].update(ask="languages"),
        "not_one_answer: 2 values",
    ),
    "an answer that every way gives": (ask_calling_code, "idle_hop: the answer stands without the"),
    "a title in the text": (lambda row: say(row, "That person", "ada stone"), "name_leak: Ada"),
    "a bare title in the text": (
        lambda row: say(row, "That city", "Norland’s city"),
        "name_leak: Norland",
    ),
    "an alias in the text": (lambda row: say(row, "That city", "Óstburg"), "name_leak: Ostburg"),
    "an alias of an alias": (lambda row: say(row, "That city", "East-Burgh"), "name_leak: East"),
    "a name that namesakes share": (
        lambda row: say(row, "That city", "The North's city"),
        "name_leak: North",
    ),
    "the answer in the text": (
        lambda row: say(row, "That city", "The Norland crown's city"),
        "answer_leak: Norland crown",
    ),
    "a text about another relation": (
        lambda row: say(row, "was born in", "died in"),
        "text_differs: hop 2 says death_place, not birth_place",
    ),
    "a text about another picture": (
        lambda row: say(row, "work of art described on the label", "city marked on the map"),
        "text_unreadable",
    ),
    "a text about another attribute": (
        lambda row: say(row, "the currency", "the capital"),
        "text_differs: asks for capital, not currency",
    ),
    "a text without a hop": (
        lambda row: say(row, " That city lies in a certain country.", ""),
        "text_unreadable",
    ),
    "a condition that the text keeps back": (
        lambda row: row["constraints"]["hops"][2]["constraints"].append(
            small.condition("languages", "Norlandish")
        ),
        "text_differs: hop 3: only the constraints has",
    ),
    "a text that refers to nothing before": (
        lambda row: say(row, "That city lies", "That river lies"),
        "text_unreadable",
    ),
    "constraints that are no JSON": (lambda row: row.update(constraints="{"), "constraints: "),
    "constraints with an unknown key": (
        lambda row: row["constraints"].update(answer="x"),
        "constraints: ",
    ),
    "a condition of no known kind": (
        lambda row: row["constraints"]["hops"][0]["constraints"][0].update(op="not"),
        "constraints: ",
    ),
    "two observations in a row": (
        lambda row: row["conversations"].insert(3, turn("observation", "More.")),
        "turns: not human, (function_call, observation)*, gpt: hcoog",
    ),
    "no last turn": (lambda row: row["conversations"].pop(), "turns: not human"),
    "an answer before a call": (
        lambda row: row["conversations"].insert(1, turn("gpt", "Let me look.")),
        "turns: not human",
    ),
    "an unknown role": (
        lambda row: row["conversations"][2].update({"from": "tool"}),
        "turns: not human",
    ),
    "a placeholder too few": (
        lambda row: row["conversations"][2].update(value="A picture <image:1>."),
        "pictures: 1 placeholders for 2 pictures",
    ),
    "a placeholder too many": (
        lambda row: row["conversations"][2].update(value="<image> <image>"),
        "pictures: 3 placeholders for 2 pictures",
    ),
    "a picture that is not there": (
        lambda row: row["images"].__setitem__(1, "images/none.png"),
        "pictures: no file images/none.png",
    ),
    "a picture outside of the export": (
        lambda row: row["images"].__setitem__(1, "../rl/rl.parquet"),
        "pictures: no file",
    ),
    "a file that is no picture": (
        lambda row: row["images"].__setitem__(1, "sft.json"),
        "pictures: number 1 is no picture",
    ),
    "another picture than meant": (
        lambda row: row["images"].__setitem__(0, "images/ostby.png"),
        "picture: the first picture",
    ),
    "no handle for the picture": (
        lambda row: row["conversations"][0].update(value=f"<image>{small.QUESTIONS['boats']}"),
        "opening: ",
    ),
    "handles that do not begin at 0": (
        lambda row: say(row, "<image:0>", "<image:1>"),
        "opening: handles are not numbered from 0",
    ),
    "a call with a list for an argument": (
        lambda row: row["conversations"][1].update(
            value='{"name": "visit", "arguments": {"url": ["a"]}}'
        ),
        "calls: visit has an argument that is no scalar",
    ),
    "tools that are no JSON": (lambda row: row.update(tools="visit(url)"), "tools: "),
    "a tool with a list for an argument": (
        lambda row: row.update(tools=row["tools"].replace('"string"', '"array"')),
        "tools: argument url of visit is no scalar",
    ),
    "a call of no known tool": (
        lambda row: row["conversations"][1].update(value='{"name": "x", "arguments": {}}'),
        "calls: x",
    ),
    "a call with an unknown argument": (
        lambda row: row["conversations"][1].update(
            value='{"name": "visit", "arguments": {"u": 1}}'
        ),
        "calls: visit with ['u']",
    ),
    "a call that is no JSON": (
        lambda row: row["conversations"][1].update(value="visit(a)"),
        "calls: ",
    ),
    "a missing column": (lambda row: row.pop("system"), "schema: no system"),
}

BROKEN_RL: dict[str, tuple[Change, str]] = {
    "another ground truth": (
        lambda row: row["reward_model"].update(ground_truth="1922"),
        "wrong_answer: '1921', not '1922'",
    ),
    "no ground truth": (lambda row: row["reward_model"].update(ground_truth=""), "ground_truth"),
    "a clue that two fit": (
        lambda row: row["extra_info"]["constraints"]["hops"][0]["constraints"].pop(),
        "not_one_answer: 2 articles fit hop 1 (birth_place) from Ostby, not one: Ada Stone, Cid",
    ),
    "a text with another number": (
        lambda row: say(row, "1840", "1841"),
        "text_differs: hop 1: only the constraints has",
    ),
    "a text with a condition too many": (
        lambda row: say(row, " and 1855", " and 1855 and whose field was music"),
        "text_differs: hop 1: only the text has",
    ),
    "a bound that is the answer": (
        lambda row: say(row, "1855", "1921"),
        "answer_leak: 1921",
    ),
    "a range in another unit": (
        lambda row: row["extra_info"]["constraints"]["hops"][0]["constraints"][1].update(unit="m"),
        "constraints: birth_year is not measured in m",
    ),
    "a range without bounds": (
        lambda row: [
            row["extra_info"]["constraints"]["hops"][0]["constraints"][1].pop(bound)
            for bound in ("low", "high")
        ],
        "constraints: a range has no bound",
    ),
    "a description that names its entity": (
        lambda row: narrow(row, 1851),
        "idle_hop: the answer stands without the picture",
    ),
    "bytes that are no picture": (
        lambda row: row["images"][0].update(bytes=b"GIF89a"),
        "pictures: number 0 is no picture",
    ),
    "a damaged picture": (
        lambda row: row["images"][0].update(bytes=small.PICTURES["ostby"][:-20]),
        "pictures: number 0 is a damaged",
    ),
    "a small picture": (
        lambda row: row["images"][0].update(bytes=small.png(1, side=511)),
        "pictures: the question's is 511 pixels along its shorter side",
    ),
    "no bytes": (lambda row: row["images"][0].update(bytes=b""), "pictures: number 0 is an empty"),
    "a placeholder too few": (
        lambda row: say(row, "<image:0><image>", "<image:0>"),
        "pictures: 0 placeholders for 1 pictures",
    ),
    "no user": (lambda row: row["prompt"][1].update(role="human"), "prompt: roles are"),
    "another row's index": (lambda row: row["extra_info"].update(index=3), "index: 3 in row 0"),
    "a question of the SFT file": (
        lambda row: row["extra_info"].update(question_id="q_1"),
        "shared: the question",
    ),
    "a text of the SFT file": (
        shout_the_other,
        "shared: the text is in the SFT file too",
    ),
}


def test_sound_rows_pass(world: World, tmp_path: Path):
    assert failures(world, tmp_path) == ()


@pytest.mark.parametrize("case", BROKEN_SFT)
def test_a_broken_sft_row_is_caught(case: str, world: World, tmp_path: Path):
    change, reason = BROKEN_SFT[case]
    row = sft_row()
    change(row)
    (found,) = failures(world, tmp_path, row)
    assert found.startswith(SOUND_SFT)
    assert reason in found


@pytest.mark.parametrize("case", BROKEN_RL)
def test_a_broken_rl_row_is_caught(case: str, world: World, tmp_path: Path):
    change, reason = BROKEN_RL[case]
    row = rl_row()
    change(row)
    (found,) = failures(world, tmp_path, row)
    assert found.startswith("rl.parquet row 0")
    assert reason in found


def test_a_text_that_can_be_read_in_two_ways_is_caught(world: World):
    text = "The person commemorated on the plaque in the image is known for a certain painting."
    row = Row("", "", f"{text} What is the date of that painting, as a year?", "", "", "")
    row.constraints = json.dumps(small.CONSTRAINTS["boats"])
    found = question_problems(world, row, {"painting": {"artwork", "book"}})
    assert "text_ambiguous: 2 readings" in found


def test_a_column_of_another_type_is_caught(world: World, tmp_path: Path):
    row = rl_row()
    row["extra_info"]["aliases"] = "1921"
    found = failures(world, tmp_path, row)
    assert any("extra_info.aliases is string, not list" in each for each in found)


def test_a_question_that_is_asked_twice_is_caught(world: World, tmp_path: Path):
    again = rl_row()
    again["extra_info"].update(index=1, question_id="q_3")
    (found,) = failures(world, tmp_path, rl_row(), again)
    assert "rl.parquet row 1" in found
    assert "twice" in found


def test_the_same_words_about_another_picture_are_another_question(world: World, tmp_path: Path):
    other = rl_row()
    other["extra_info"].update(index=1, question_id="q_3")
    other["images"][0]["bytes"] = small.PICTURES["norland"]
    other["extra_info"]["constraints"]["anchor"]["image"] = small.sha("norland")
    (found,) = failures(world, tmp_path, rl_row(), other)
    assert "rl.parquet row 1" in found
    assert "twice" not in found


def test_the_way_of_an_sft_row_in_other_words_is_caught(world: World, tmp_path: Path):
    row = refined_row("blurred")
    sft = sft_row()
    say(sft, small.QUESTIONS["boats"], small.QUESTIONS["ostby"])
    sft["constraints"] = small.CONSTRAINTS["blurred"]
    sft["images"][0] = "images/ostby.png"
    answer(sft, "1921")
    found = failures(world, tmp_path, sft, row)
    assert any("shared: the way is in the SFT file too" in each for each in found)


def test_an_index_that_does_not_name_the_file_is_caught(world: World, tmp_path: Path):
    exports = small.write_exports(tmp_path, [sft_row()], [rl_row()])
    (exports / "sft" / "dataset_info.json").write_text('{"set": {"file_name": "other.json"}}')
    assert "no ShareGPT entry" in check_exports(exports, world).failures[0]


def test_the_command_fails_with_a_line_for_each_row_and_a_summary(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    xml, pictures = small.write_world(tmp_path)
    row = sft_row()
    answer(row, "Sudland mark")
    exports = small.write_exports(tmp_path / "exports", [row], [rl_row()])
    assert main([str(exports), str(xml), str(pictures)]) == 1
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith("sft.json row 0 (q_1): wrong_answer")
    assert last == "checked 1 SFT, 1 RL and 0 evaluation rows: 1 failed"


def test_the_command_passes_sound_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    xml, pictures = small.write_world(tmp_path)
    exports = small.write_exports(tmp_path / "exports", [sft_row()], [rl_row()])
    assert main([str(exports), str(xml), str(pictures)]) == 0
    assert capsys.readouterr().out == "checked 1 SFT, 1 RL and 0 evaluation rows: 0 failed\n"


def test_the_command_fails_without_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    xml, pictures = small.write_world(tmp_path)
    assert main([str(tmp_path / "none"), str(xml), str(pictures)]) == 1
    assert "cannot be read" in capsys.readouterr().out


def test_nothing_of_the_makers_is_imported():
    allowed = {*sys.stdlib_module_names, "lxml", "pyarrow", "tests"}
    for file in sorted(Path(__file__).parent.glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, file
                names = [node.module or ""]
            for name in names:
                is_test = file.name.startswith(("test_", "conftest")) and name == "pytest"
                assert is_test or name.split(".")[0] in allowed, f"{file}: {name}"
                assert not name.startswith("tests") or name.startswith("tests.checker"), file


def held_row(row: dict[str, Any], folder: Path) -> dict[str, Any]:
    """An evaluation row that asks what an exported SFT row asks."""
    picture = (folder / "sft" / row["images"][0]).read_bytes()
    return {
        "id": "q_held",
        "question": row["conversations"][0]["value"].split("\n", 1)[1],
        "answer": row["answer"],
        "aliases": [],
        "images": [{"bytes": picture, "path": "images/held.png"}],
        "constraints": json.dumps(row["constraints"]),
    }


@pytest.mark.parametrize(("answer_given", "caught"), [(None, 0), ("Sudland mark", 1)])
def test_an_evaluation_row_is_solved_and_shares_no_picture_with_training(
    world: World, tmp_path: Path, answer_given: str | None, caught: int
) -> None:
    folder = small.write_exports(tmp_path, [sft_row()], [rl_row()])
    row = held_row(sft_row(), folder)
    row["answer"] = answer_given or row["answer"]
    (folder / "eval").mkdir()
    pq.write_table(pa.Table.from_pylist([row]), folder / "eval" / "eval.parquet")
    report = check_exports(folder, world)
    said = " ".join(report.failures)
    assert report.held == 1
    assert said.count("wrong_answer") == caught
    assert "an evaluation question starts from the same picture" in said
