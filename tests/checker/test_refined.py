"""Rows of blurred and visualized questions, sound and broken one way at a time."""

from pathlib import Path
from typing import Any

import pytest

from tests.checker import small_world as small
from tests.checker.checks import check_rl
from tests.checker.grammar import UnreadableError, read_question
from tests.checker.small_world import Change, refined_row
from tests.checker.solve import Condition
from tests.checker.world import World, read_world


def failures(world: World, folder: Path, *rows: dict[str, Any]) -> tuple[str, ...]:
    exports = small.write_exports(folder, [], rows)
    report = check_rl(exports / "rl", world)
    assert report.rl == len(rows)
    return report.failures


def say(row: dict[str, Any], old: str, new: str) -> None:
    message = row["prompt"][1]
    assert old in message["content"]
    message["content"] = message["content"].replace(old, new)


def hop(row: dict[str, Any], number: int) -> dict[str, Any]:
    found: dict[str, Any] = row["extra_info"]["constraints"]["hops"][number]
    return found


def tell(row: dict[str, Any], *looks: str) -> None:
    """Another set of visual facts, in constraints and text alike."""
    conditions = hop(row, 1)["constraints"]
    conditions[1:] = map(small.look, looks)
    said = " and ".join([", ".join(looks[:-1]), looks[-1]] if len(looks) > 1 else looks)
    say(row, "three horizontal bands, the colour red and several stars", said)


def state_the_relation(row: dict[str, Any]) -> None:
    hop(row, 0)["relation"], hop(row, 0)["inverse"] = "birth_place", True


def describe_less(row: dict[str, Any]) -> None:
    hop(row, 0)["constraints"].pop()
    say(row, "a person who was born between 1840 and 1855", "a certain person")


def lead_by_the_capital(row: dict[str, Any]) -> None:
    """The picture is told of the only country that has Ostby for its capital."""
    row["extra_info"]["constraints"]["anchor"]["image"] = small.sha("ostby")
    row["images"][0]["bytes"] = small.PICTURES["ostby"]
    conditions = hop(row, 1)["constraints"]
    way = {"relation": "capital", "inverse": True, "constraints": conditions}
    row["extra_info"]["constraints"]["hops"] = [way]
    text = row["prompt"][1]["content"]
    told = text[text.index("a country whose") :]
    start = "<image:0><image>\nThe city marked on the map in the image serves as the capital of "
    row["prompt"][1]["content"] = start + told


BROKEN: dict[str, tuple[str, Change, str]] = {
    "a relation that the text hides and the constraints state": (
        "blurred",
        state_the_relation,
        "text_differs: hop 1 says linked, not birth_place",
    ),
    "a relation that the text states and the constraints hide": (
        "blurred",
        lambda row: say(row, "has to do with", "is the birthplace of"),
        "text_differs: hop 1 says birth_place, not linked",
    ),
    "a blurred hop that two fit": (
        "blurred",
        describe_less,
        "2 articles fit hop 1 (linked) from Ostby, not one: Ada Stone, Cid Moor",
    ),
    "a look of another picture": (
        "visual",
        lambda row: tell(row, "three horizontal bands", "a green band at the top"),
        "wrong_answer: 'Sudland mark', not 'Norland crown'",
    ),
    "a look of both pictures": (
        "visual",
        lambda row: tell(row, "three horizontal bands", "the colour white"),
        "2 articles fit hop 2 (linked)",
    ),
    "a look of neither": (
        "visual",
        lambda row: tell(row, "a crescent", "the colour red"),
        "0 articles fit hop 2",
    ),
    "a look that only the constraints have": (
        "visual",
        lambda row: say(row, ", the colour red and", " and"),
        "text_differs: hop 2: only the constraints has",
    ),
    "a look that only the text has": (
        "visual",
        lambda row: say(row, "several stars", "several stars and a crescent"),
        "text_differs: hop 2: only the text has",
    ),
    "a picture that is not needed": (
        "visual",
        lead_by_the_capital,
        "idle_look: hop 1 is known without its picture",
    ),
    "a look as a value": (
        "visual",
        lambda row: hop(row, 1)["constraints"][1].update(op="is"),
        "constraints: a condition is of a picture by half",
    ),
    "a value as a look": (
        "visual",
        lambda row: hop(row, 1)["constraints"][1].update(attribute="languages"),
        "constraints: a condition is of a picture by half",
    ),
    "a look without a value": (
        "visual",
        lambda row: hop(row, 1)["constraints"][1].pop("value"),
        "constraints: a condition has no value",
    ),
}


@pytest.mark.parametrize("name", ["blurred", "visual"])
def test_a_sound_row_passes(name: str, world: World, tmp_path: Path):
    assert failures(world, tmp_path, refined_row(name)) == ()


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_row_is_caught(case: str, world: World, tmp_path: Path):
    name, change, reason = BROKEN[case]
    row = refined_row(name)
    change(row)
    (found,) = failures(world, tmp_path, row)
    assert reason in found


@pytest.mark.parametrize(
    ("written", "reason"),
    [("ADA STONE", "drawn_name: Ada Stone"), ("norland-crown", "drawn_answer: Norland crown")],
)
def test_a_name_or_answer_in_the_given_picture_is_caught(
    written: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(small.LOOKS, "boats", (["a golden frame"], ["Blue Boats", written]))
    world = read_world(*small.write_world(tmp_path))
    (found,) = failures(world, tmp_path / "exports", refined_row("visual"))
    assert reason in found


def test_a_picture_that_looks_like_another_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(small.LOOKS, "eastland", small.LOOKS["boats"])
    world = read_world(*small.write_world(tmp_path))
    (found,) = failures(world, tmp_path / "exports", refined_row("visual"))
    assert "twin_picture: Eastland" in found


def test_a_description_that_all_but_names_its_article_is_caught(world: World, tmp_path: Path):
    row = refined_row("blurred")
    hop(row, 0)["constraints"][1].update(high=1852.0)
    say(row, "1855", "1852")
    (found,) = failures(world, tmp_path, row)
    assert found.endswith("(q_2): telling_hop: fewer than 3 articles fit hop 1 by itself")


def test_a_way_that_is_asked_twice_in_other_words_is_caught(world: World, tmp_path: Path):
    again = refined_row("blurred")
    again["extra_info"].update(index=1, question_id="q_3")
    say(again, "has to do with", "is connected with")
    (found,) = failures(world, tmp_path, refined_row("blurred"), again)
    assert "rl.parquet row 1 (q_3): shared: the way is in the RL file twice" in found


def test_what_no_page_says_of_an_article_is_caught(world: World, tmp_path: Path):
    row = refined_row("blurred")
    hop(row, 0)["constraints"].append(small.condition("field", "music"))
    say(row, "1855.", "1855 and whose field was music.")
    (found,) = failures(world, tmp_path, row)
    assert "unborne: nothing says field of hop 1" in found


@pytest.mark.parametrize(
    ("said", "looks"),
    [
        ("shows a star", {"a star"}),
        ("bears a star and a sun", {"a star", "a sun"}),
        ("shows a star, a sun and the colour red", {"a star", "a sun", "the colour red"}),
    ],
)
def test_looks_are_read_one_by_one_after_the_facts(said: str, looks: set[str]):
    text = (
        "The city marked on the map in the image is connected with a country that drives on the "
        f"left and whose flag {said}. What is the currency of that country?"
    )
    (reading,) = read_question(text, {})
    conditions = reading.steps[0].conditions
    assert {each.value for each in conditions if each.attribute == "picture"} == looks
    assert Condition("driving_side", value="left") in conditions
    with pytest.raises(UnreadableError):
        read_question(text.replace("flag", "plaque"), {})
