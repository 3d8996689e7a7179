from pathlib import Path

import pytest

from tests.checker.looks import Look, read_looks, shows
from tests.checker.world import World

FLAG = (
    "three horizontal bands, from top to bottom: red, light-blue, orange",
    "a white cross in the upper left corner",
    "four red five-pointed stars on the right",
    "a green field",
)


@pytest.mark.parametrize(
    "phrase",
    [
        "three horizontal bands",
        "a red band at the top",
        "an orange band at the bottom",
        "the colour red",
        "the colour blue",
        "a cross",
        "several stars",
        "a green field",
    ],
)
def test_a_phrase_that_the_visual_facts_bear_out_is_shown(phrase: str):
    assert shows(FLAG, phrase) is True


@pytest.mark.parametrize(
    "phrase",
    [
        "two horizontal bands",
        "three vertical bands",
        "an orange band at the top",
        "a red band on the left",
        "the colour light-blue",
        "a star",
        "several crosses",
        "a crescent",
        "a red field",
    ],
)
def test_a_phrase_that_they_do_not_bear_out_is_not(phrase: str):
    assert shows(FLAG, phrase) is False


def test_without_visual_facts_it_is_open():
    assert shows((), "a star") is None


def test_the_sidecar_lies_in_the_folder_or_beside_it(tmp_path: Path):
    row = '{"file": "a_b.png", "visual_facts": ["a star"], "text": ["HALT"]}\n'
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    assert read_looks(pictures) == {}
    (tmp_path / "pictures.jsonl").write_text(row)
    assert read_looks(pictures) == {"a b.png": Look(("a star",), ("HALT",))}
    (pictures / "pictures.jsonl").write_text('{"file": "c.png"}')
    assert read_looks(pictures) == {"c.png": Look()}


def test_an_article_has_the_look_of_its_picture(world: World):
    assert world.articles["Blue Boats"].look == Look(("a golden frame",), ("Blue Boats", "oil"))
    assert world.articles["Ostby"].look == Look()


def test_links_in_prose_join_both_ways_but_not_those_of_templates_files_and_appendices(
    world: World,
):
    ada = {"Blue Boats", "Ostby", "Sudland", "Norland (country)"}
    assert world.linked["Ada Stone"] == ada
    assert "Ada Stone" in world.linked["Sudland"]
    assert "Ben Wood" in world.linked["Eastland"]


def test_a_page_without_an_infobox_is_joined_by_facts_alone(world: World):
    assert "Poet" in world.linked["Cid Moor"]
    assert "Poet" not in world.linked["Ada Stone"]
    assert "North" not in world.linked["Norland (country)"]
