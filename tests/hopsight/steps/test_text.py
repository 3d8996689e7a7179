from string import ascii_letters

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopsight.steps.text import (
    holds,
    leaked,
    line,
    names_one,
    numbered,
    numbers,
    ranges,
    wrong_count,
    wrong_numbers,
)

NAMES = st.text(ascii_letters, min_size=4, max_size=12)
ENDINGS = st.sampled_from(["", "'s", "’s", "s", "n", "an", "ian", "ese", "ish", "-born", ",", "."])
CASES = st.sampled_from([str, str.upper, str.lower, str.title, str.swapcase])
INVISIBLE = st.sampled_from(["", "\u200b", "\u00ad", "\u2060", "\ufeff"])


@given(NAMES, ENDINGS, CASES, INVISIBLE, st.text(max_size=20), st.text(max_size=20))
def test_a_name_is_caught_in_any_case_and_with_any_ending(
    name, ending, case, hidden, before, after
):
    written = case(name[:2] + hidden + name[2:] + ending)
    assert leaked(f"{before} {written} {after}", (name,)) == [name]


@given(st.lists(NAMES, min_size=2, max_size=3), CASES, ENDINGS)
def test_a_name_of_several_words_is_caught_across_lines(words, case, ending):
    name = " ".join(words)
    assert leaked("see " + case("\n".join(words) + ending), (name,)) == [name]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("an Italian town", "Italy"),
        ("the Romans built it", "Rome"),
        ("a Mexican painter", "Mexico"),
        ("the Chinese port", "China"),
        ("in GEORGIA", "Georgia (country)"),
        ("Georgian wine", "Georgia (country)"),
        ("a café in Zürich-West", "Zurich"),
        ("由東京出發", "東京"),
    ],
)
def test_adjectives_qualifiers_accents_and_other_scripts_hide_nothing(text, name):
    assert leaked(text, (name,)) == [name]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("an urban area", "Ur"),
        ("the marching band", "March"),
        ("a romantic novel", "Rome"),
        ("the Chinook wind", "China"),
        ("a partial answer", "Paris"),
        ("it is us", "US"),
    ],
)
def test_other_words_give_no_name_away(text, name):
    assert leaked(text, (name,)) == []


@given(st.text(max_size=60), st.lists(st.text(max_size=12), max_size=4))
def test_no_text_and_no_name_makes_the_search_crash(text, names):
    assert set(leaked(text, names)) <= set(names)
    assert all(number >= 0 for number in numbers(text))
    for name in names:
        holds(text, name)


@given(st.lists(st.text(max_size=40), max_size=5))
def test_a_list_has_one_line_for_each_text(texts):
    assert len(numbered(texts).splitlines()) == max(1, len(texts))


@given(st.text(max_size=80), st.integers(5, 40))
def test_a_line_is_one_line_of_bounded_length(text, limit):
    assert len(line(text, limit).splitlines()) <= 1
    assert len(line(text, limit)) <= limit + len(" [cut]")


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("It covers 12,500 km.", "12500", True),
        ("It covers 12,500 km.", "500", False),
        ("It has 5 arches.", "5", True),
        ("It has 15 arches.", "5", False),
        ("It has 5.5 arches.", "5", False),
        ("It is by Ada Stone.", "ada stone", True),
        ("It is by Ada Stoner.", "Ada Stone", False),
        ("It is.", "", False),
    ],
)
def test_a_value_stands_in_a_text_as_whole_words_only(text, value, expected):
    assert holds(text, value) == expected


def test_a_name_within_a_longer_one_of_another_is_no_mention_of_it():
    assert not names_one("Boria City lies there.", ("Boria",), ("Boria City", "Boria"))
    assert names_one("Boria City lies in Boria.", ("Boria",), ("Boria City", "Boria"))
    assert names_one("Boria City lies there.", ("Boria City",), ("Boria City", "Boria"))


def test_numbers_are_read_however_they_are_grouped():
    assert numbers("Between 1,200 and 1300.5, in 300 BC; B52 is none.") == (1200, 1300.5, 300)


def test_ranges_are_read_and_lists_of_numbers_are_none():
    text = "between 10 and 5, from 1,200 km to 1,300 km, 1840–1850 or 7 to 9; 3 and 4, 2 rivers"
    assert ranges(text) == ((5, 10), (1200, 1300), (1840, 1850), (7, 9))
    assert ranges("on 1999-12-31 with 3,000 square kilometres and 4 rivers") == ()


@given(st.lists(st.integers(-3, 6), max_size=6), st.integers(0, 4))
def test_numbers_in_range_are_told_from_others(given_numbers, count):
    wanted = set(range(1, count + 1))
    distinct = len(set(given_numbers)) == len(given_numbers)
    assert (wrong_numbers(given_numbers, count) is None) == (
        distinct and set(given_numbers) <= wanted
    )
    assert (wrong_count(given_numbers, count) is None) == (
        distinct and set(given_numbers) == wanted
    )
