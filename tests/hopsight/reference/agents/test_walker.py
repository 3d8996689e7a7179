"""The search agent on hand-made observations."""

import asyncio
import json

import pytest

from hopsight.reference.agents import strong_agent, weak_agent
from hopsight.types import Turn
from tests.hopsight.reference.agents.drawn import bands, field, png
from tests.hopsight.reference.agents.views import Shelf, link, page, turn_of, unseen, url, view

TEXT = (
    "The land in the photo adjoins another country whose money is the crown. The capital of that "
    "country is a city. In which year was that city founded?"
)
PAGES = {
    url("Land"): page(
        "Land", {"borders": f"{link('Near')}, {link('Far')}", "tld": ".la"}, "Land is a country."
    ),
    url("Near"): page("Near", {"capital": link("Wrong"), "currency": "dollar", "tld": ".ne"}),
    url("Far"): page("Far", {"capital": link("Seat"), "currency": "crown", "tld": ".fa"}),
    url("Seat"): page("Seat", {"founded": "1234", "country": link("Far")}, "Seat is a city."),
    url("Wrong"): page("Wrong", {"founded": "999", "country": link("Near")}, "It is a city."),
}


def drive(agent, shelf, text=TEXT, seed=1, warn_at=None, pixels=None):
    """Play to the first turn without calls; its text, and every turn."""
    session = agent.begin(seed)
    turns: tuple[Turn, ...] = ()
    while True:
        warning = "Answer now." if warn_at == len(turns) else None
        seen = pixels or (shelf.shown.__getitem__ if shelf.gallery else unseen)
        said = asyncio.run(session.act(view(text, turns, warning, seen)))
        if not said.calls:
            return said.text, turns
        done = tuple(shelf.answer(call, json.loads(call.arguments)) for call in said.calls)
        turns += (turn_of(said, done),)


def test_the_strong_agent_compares_candidates_and_answers_from_the_right_page():
    for seed in range(8):
        said, _ = drive(strong_agent(), Shelf(PAGES, {"<image:0>": "Land"}), seed=seed)
        assert "<answer>1234</answer>" in said


def test_the_weak_agent_takes_the_first_likely_link_so_chance_decides_between_two_alike():
    said = {drive(weak_agent(), Shelf(PAGES, {"<image:0>": "Land"}), seed=n)[0] for n in range(20)}
    assert any("1234" in text for text in said)
    assert any("1234" not in text for text in said)


def test_equal_seeds_act_equally():
    runs = [drive(weak_agent(), Shelf(PAGES, {"<image:0>": "Land"}), seed=5)[1] for _ in range(2)]
    assert runs[0] == runs[1]


def test_a_page_is_read_once_and_no_more_than_the_agent_may():
    for agent in (weak_agent(), strong_agent()):
        shelf = Shelf(PAGES, {"<image:0>": "Land"})
        drive(agent, shelf)
        visits = [value for name, value in shelf.asked if name == "visit"]
        assert len(visits) == len(set(visits)) <= agent.habits.visits


@pytest.mark.parametrize("handle", ["<image:1>", "<image:4>", "<image:6>"])
def test_the_strong_agent_turns_mirrors_and_crops_a_picture_that_nobody_knows(handle):
    said, _ = drive(strong_agent(), Shelf(PAGES, {handle: "Land"}))
    assert "<answer>1234</answer>" in said


def test_a_picture_of_one_colour_is_not_turned():
    shelf = Shelf(PAGES, {"<image:1>": "Land"})
    said, _ = drive(strong_agent(), shelf, pixels=lambda handle: png(field("black")))
    assert "<answer>" not in said
    assert {name for name, _ in shelf.asked} == {"visual_search", "web_search"}


def test_the_weak_agent_looks_at_the_picture_once():
    shelf = Shelf(PAGES, {"<image:1>": "Land"})
    said, _ = drive(weak_agent(), shelf)
    assert "<answer>" not in said
    assert shelf.asked == [("visual_search", "<image:0>")]


def test_an_agent_that_is_told_to_stop_stops():
    said, turns = drive(strong_agent(), Shelf(PAGES, {"<image:0>": "Land"}), warn_at=2)
    assert len(turns) == 2
    assert "<answer>" not in said


def test_pages_that_say_nothing_lead_to_no_answer():
    said, _ = drive(strong_agent(), Shelf({}, {"<image:0>": "Land"}))
    assert "<answer>" not in said


LOOKS = (
    "The land in the photo has to do with another country whose flag shows two horizontal bands, "
    "from top to bottom: white, red. The capital of that country is a city. In which year was that "
    "city founded?"
)
GALLERY = {
    "Near": png(bands(["red", "white"])),
    "Far": png(bands(["white", "red"])),
}


def test_the_strong_agent_tells_candidates_apart_by_their_pictures():
    for seed in range(8):
        shelf = Shelf(PAGES, {"<image:0>": "Land"}, gallery=GALLERY)
        said, _ = drive(strong_agent(), shelf, LOOKS, seed)
        assert "<answer>1234</answer>" in said
        assert ("image_search", "Far") in shelf.asked
        assert ("visit", url("Near")) not in shelf.asked


def test_the_weak_agent_sees_only_which_colours_stand_out():
    said = {
        drive(weak_agent(), Shelf(PAGES, {"<image:0>": "Land"}, gallery=GALLERY), LOOKS, seed)[0]
        for seed in range(20)
    }
    assert any("1234" in text for text in said)
    assert any("1234" not in text for text in said)


def test_pictures_that_cannot_be_had_or_read_leave_the_agent_to_the_pages():
    for gallery in ({}, {"Near": b"broken", "Far": b"broken"}):
        shelf = Shelf(PAGES, {"<image:0>": "Land"}, gallery=gallery)
        drive(strong_agent(), shelf, LOOKS)
        assert {("visit", url("Near")), ("visit", url("Far"))} <= set(shelf.asked)


def test_a_picture_is_searched_for_once_and_not_beyond_the_habit():
    for agent in (weak_agent(), strong_agent()):
        many = {f"Land {number}": "" for number in range(40)}
        borders = ", ".join(map(link, many))
        pages = {url("Land"): page("Land", {"borders": borders, "tld": ".la"}, "A country.")}
        shelf = Shelf(pages, {"<image:0>": "Land"}, gallery=GALLERY)
        drive(agent, shelf, LOOKS)
        searched = [value for name, value in shelf.asked if name == "image_search"]
        assert 0 < len(searched) == len(set(searched)) <= agent.habits.glances
