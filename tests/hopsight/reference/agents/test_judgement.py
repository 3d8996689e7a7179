"""How links, pages and rows are weighed."""

from hopsight.reference.agents.judgement import answer_row, bond, fit, options
from hopsight.reference.agents.page import read_page
from hopsight.reference.agents.question import read_question
from tests.hopsight.reference.agents.views import link, page, url

LAND = read_page(
    url("Land"),
    page(
        "Land",
        {"capital": link("Seat"), "borders": f"{link('Near')}, {link('Far')}", "currency": "crown"},
        "Land is a country.",
    ),
)


def asked(text):
    return read_question(f"{text} Go on. What is its currency?")


def test_a_link_under_a_row_that_says_the_relation_comes_first():
    statement = asked("The land in the photo adjoins another country.").statements[0]
    assert {option.title for option in options(LAND, statement)[:2]} == {"Near", "Far"}


def test_a_value_outside_the_bounds_counts_against_a_page():
    statement = asked("It adjoins a country that covers between 100 and 200 km².").statements[0]
    inside, outside = (
        read_page(url(name), page(name, {"area_km2": area, "capital": "x", "tld": ".x"}))
        for name, area in (("In", "150"), ("Out", "250"))
    )
    assert fit(inside, statement) > fit(outside, statement) + 2


def test_a_page_of_another_kind_counts_against_what_is_sought():
    statement = asked("It adjoins a country.").statements[0]
    river = read_page(url("R"), page("R", {"mouth": "x"}, "R is a river."))
    assert fit(LAND, statement) > 0 > fit(river, statement)


def test_what_the_target_says_of_where_one_came_from_counts():
    statement = asked("It adjoins a country.").statements[0]
    assert bond(LAND, url("Near"), statement) > bond(LAND, url("Seat"), statement)
    assert bond(LAND, url("Unknown"), statement) == 0


def test_the_row_asked_for_is_found_and_none_if_there_is_none():
    row = answer_row(LAND, read_question("x. y. Which money do people pay with there?").ask)
    assert row is not None
    assert row.value == "crown"
    assert answer_row(LAND, read_question("x. y. How deep is it?").ask) is None


def test_a_unit_in_the_asking_words_picks_the_row_in_that_unit():
    lake = read_page(url("L"), page("L", {"area_km2": "50", "max_depth_m": "9", "mouth": "x"}))
    row = answer_row(lake, read_question("x. y. How much surface in square kilometres?").ask)
    assert row is not None
    assert row.value == "50"


def test_what_a_link_leads_to_is_known_wherever_it_stands():
    statement = asked("It adjoins a country.").statements[0]
    prose = f"The borders of Land are seen from {link('Seat')} and {link('Hill')}."
    told = {"capital": link("Seat"), "borders": link("Near")}
    view = read_page(url("Land"), page("Land", told, "Land is a country.", prose))
    scores = {option.title: option.score for option in options(view, statement)}
    assert scores["Seat"] < scores["Hill"] < scores["Near"]


def test_a_sentence_of_one_kind_of_things_tells_the_kind_of_its_links():
    prose = f"Rivers of Land are {link('Long')} and {link('Short')}."
    view = read_page(url("Land"), page("Land", {}, "Land is a country.", prose))
    assert all(m.kinds == {"river"} for m in view.mentions if m.title in {"Long", "Short"})
