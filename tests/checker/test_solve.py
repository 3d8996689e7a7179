import json
from typing import Any

import pytest

from tests.checker import small_world as small
from tests.checker.needs import idle_hop
from tests.checker.solve import (
    Condition,
    Step,
    UnsolvedError,
    candidates,
    meets,
    read_riddle,
    related,
    solve,
)
from tests.checker.world import World, number_of, unit_of

NORLAND = "Norland (country)"


def riddle(**changes: Any):
    return read_riddle(json.dumps(small.CONSTRAINTS["boats"] | changes))


def book(*more: Condition) -> Step:
    conditions = frozenset({Condition("infobox", "book"), *more})
    return Step("setting", inverse=True, conditions=conditions)


def test_facts_are_read_without_references_and_through_redirects(world: World):
    (maker,) = world.articles["Blue Boats"].facts["creator"]
    (place,) = world.articles["Ada Stone"].facts["birth_place"]
    (died,) = world.articles["Ada Stone"].facts["death_year"]
    assert (maker.text, maker.page) == ("Ada Stone", "Ada Stone")
    assert (place.text, place.page) == ("Ostby", "Ostby")
    assert (died.text, died.number) == ("1921", 1921)


def test_lists_are_split_but_numbers_are_not(world: World):
    facts = world.articles[NORLAND].facts
    assert [value.text for value in facts["languages"]] == ["Norlandish", "Sudlandish"]
    assert [value.page for value in facts["languages"]] == [None, None]
    assert [value.number for value in facts["area_km2"]] == [12_500]
    assert [value.number for value in facts["calling_code"]] == [None]


def test_names_are_titles_redirects_and_what_a_disambiguation_page_lists(world: World):
    assert world.articles["Ostby"].names == {"Ostby", "Ostburg", "East Burgh"}
    assert world.articles[NORLAND].names == {NORLAND, "Norland"}
    assert world.articles[NORLAND].shared == {"North"}


def test_redirects_in_a_circle_and_other_namespaces_are_no_articles(world: World):
    assert not {"Round", "Square", "Template:Box", "Ostburg"} & set(world.articles)


def test_a_picture_leads_to_its_article_by_its_bytes(world: World):
    assert world.pictured[small.sha("boats")] == ["Blue Boats"]
    assert world.pictured[small.sha("norland")] == [NORLAND]
    assert small.sha("boats") != small.sha("norland")


@pytest.mark.parametrize(
    ("text", "number"),
    [("1,234.5", 1234.5), ("-331", -331), ("331 BC", -331), ("\u22125", -5), ("about 5", None)],
)
def test_numbers_are_read(text: str, number: float | None):
    assert number_of(text) == number


def test_units_come_from_the_names_of_attributes():
    assert [
        unit_of(name) for name in ("birth_year", "founded", "area_km2", "tld", "max_mass_kg")
    ] == [
        "year",
        "year",
        "km2",
        None,
        "kg",
    ]


def test_what_an_infobox_does_not_say_is_open(world: World):
    city = world.articles["Westby"]
    assert meets(city, Condition("founded", low=1800, high=1900, unit="year")) is None
    assert meets(city, Condition("country", value="sudland")) is True
    assert meets(city, Condition("country", value="Norland")) is False
    assert meets(world.articles["North"], Condition("infobox", "country")) is None


def test_an_article_that_may_fit_counts(world: World):
    step = Step(
        "birth_place", inverse=True, conditions=frozenset({Condition("field", value="music")})
    )
    assert candidates(world, "Ostby", step) == {"Ada Stone", "Cid Moor"}


@pytest.mark.parametrize(
    ("start", "relation", "inverse", "found"),
    [
        ("Blue Boats", "creator", False, {"Ada Stone"}),
        ("Ada Stone", "creator", True, {"Blue Boats"}),
        ("Red Roofs", "creator", False, {"Ben Wood"}),
        ("Ben Wood", "notable_works", False, {"Red Roofs"}),
        ("Ostby", "country", False, {NORLAND}),
        (NORLAND, "country", True, {"Ostby"}),
        (NORLAND, "capital", True, set()),
    ],
)
def test_relations_are_read_from_both_ends(
    world: World, start: str, relation: str, inverse: bool, found: set[str]
):
    assert related(world, start, relation, inverse) == found


def test_what_happens_in_a_city_happens_in_its_country(world: World):
    both = {"Tale of the North", "Tale of the Town"}
    assert candidates(world, NORLAND, book()) == both
    assert candidates(world, "Ostby", book()) == {"Tale of the Town"}
    only = candidates(world, NORLAND, book(Condition("year", low=1890, high=1900, unit="year")))
    assert only == {"Tale of the North"}


def test_by_way_of_a_place_an_article_that_merely_may_fit_does_not_count(world: World):
    fitting = candidates(world, NORLAND, book(Condition("language", value="Norlandish")))
    assert fitting == {"Tale of the North"}


def test_a_country_is_a_place_of_what_its_infobox_puts_in_a_city(world: World):
    step = Step("setting", inverse=False, conditions=frozenset({Condition("infobox", "country")}))
    assert candidates(world, "Tale of the Town", step) == {NORLAND}


def test_constraints_lead_from_the_picture_to_the_answer(world: World):
    solution = solve(world, riddle())
    assert solution.path == ("Blue Boats", "Ada Stone", "Ostby", NORLAND)
    assert solution.value.text == "Norland crown"


def test_two_articles_with_one_picture_are_no_anchor(world: World):
    twice = World(world.articles, {small.sha("boats"): ["Blue Boats", "Red Roofs"]}, world.holders)
    with pytest.raises(UnsolvedError, match="2 articles have the picture"):
        solve(twice, riddle())


def test_every_hop_of_a_sound_question_is_needed(world: World):
    assert idle_hop(world, riddle(), "artwork") is None


def test_a_description_that_fits_one_article_makes_the_way_to_it_idle(world: World):
    hops = [dict(hop) for hop in small.CONSTRAINTS["boats"]["hops"]]
    hops[1] = small.hop(
        "birth_place",
        "settlement",
        {"attribute": "founded", "op": "between", "low": -400, "high": -300, "unit": "year"},
    )
    assert idle_hop(world, riddle(hops=hops), "artwork") == 0
    assert idle_hop(world, riddle(hops=hops[:1], ask="death_year"), "artwork") is None


def test_an_open_condition_does_not_make_a_hop_needed(world: World):
    hops = [*small.CONSTRAINTS["boats"]["hops"][:2]]
    described = small.condition("languages", "Norlandish")
    last = small.hop("country", "country", described)
    # Sudland may have the language, yet its infobox does not say so.
    assert meets(world.articles["Sudland"], Condition("languages", value="Norlandish")) is None
    assert idle_hop(world, riddle(hops=[*hops, last]), "artwork") == 0
