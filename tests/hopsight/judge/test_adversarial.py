"""Answers that differ in meaning by as little as possible: no rule accepts one."""

import re
from pathlib import Path

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hopsight.judge import exact_match, read_labelled
from hopsight.judge.amounts import date

GOLDS = sorted({i.gold for i in read_labelled(Path(__file__).parent / "labelled.jsonl")})
SYMBOLS = "+#$€£%²³½/([{^&@=<>|~×÷√"
MARKS = "\u0300\u0302\u0306\u0308\u030a\u3099\u309a\u094d"
UNITS = ("km", "m", "km2", "m2", "ft", "mi", "kg", "t", "MW", "mW", "%", "°C", "°F", "minutes")

words = st.text("abcdeXYZ", min_size=4, max_size=8)
names = st.lists(words, min_size=1, max_size=3).map(" ".join)
numbers = st.integers(1, 10**7).flatmap(lambda n: st.sampled_from([str(n), f"{n:,}"]))
golds = st.one_of(st.sampled_from(GOLDS), names, numbers)


@given(golds, st.sampled_from(SYMBOLS), st.data())
@settings(max_examples=300)
def test_an_added_symbol_never_goes_unnoticed(gold, symbol, data):
    place = data.draw(st.integers(0, len(gold)))
    assert not exact_match(gold[:place] + symbol + gold[place:], gold)


@given(golds, st.sampled_from("123456789"), st.data())
@settings(max_examples=300)
def test_another_or_an_added_digit_never_goes_unnoticed(gold, digit, data):
    digits = [match.start() for match in re.finditer(r"\d", gold)]
    assume(digits)
    place = data.draw(st.sampled_from(digits))
    assert not exact_match(gold[:place] + digit + gold[place:], gold)
    if gold[place] != digit:
        assert not exact_match(gold[:place] + digit + gold[place + 1 :], gold)


@given(golds, st.sampled_from(["-", "−", "minus ", "$", "not ", "non-", "un", "no ", "~", "c. "]))
def test_what_stands_in_front_never_goes_unnoticed(gold, front):
    assert not exact_match(front + gold, gold)


@given(
    golds,
    st.sampled_from(
        ["%", "²", "'", '"', "+", "-", "#", "*", " or London", "/Rome", ", Texas", " II", " BC",
         " (not)", "?", " million", "0", " Jr.", "s"]
    ),
)  # fmt: skip
def test_what_stands_behind_never_goes_unnoticed(gold, behind):
    assume(gold[-1].isdigit() or behind not in ("'", '"', "*"))
    assume("." not in gold or behind != "0")
    assert not exact_match(gold + behind, gold)


@given(numbers, st.sampled_from(UNITS), st.sampled_from(UNITS))
def test_another_unit_never_goes_unnoticed(number, unit, other):
    assume(unit != other)
    assert not exact_match(f"{number} {other}", f"{number} {unit}")


@given(golds, st.data())
def test_a_missing_or_misplaced_word_never_goes_unnoticed(gold, data):
    parts = gold.split()
    assume(len(parts) > 1 and date(gold) is None)
    place = data.draw(st.integers(1, len(parts) - 1))
    assert not exact_match(" ".join(parts[:place] + parts[place + 1 :]), gold)
    swapped = [*parts[: place - 1], parts[place], parts[place - 1], *parts[place + 1 :]]
    assume([part.lower() for part in swapped] != [part.lower() for part in parts])
    assert not exact_match(" ".join(swapped), gold)


@given(golds, st.sampled_from(MARKS), st.data())
def test_an_added_mark_never_goes_unnoticed(gold, mark, data):
    letters = [match.end() for match in re.finditer(r"[^\W\d_]", gold)]
    assume(letters)
    place = data.draw(st.sampled_from(letters))
    assert not exact_match(gold[:place] + mark + gold[place:], gold)


@given(st.sampled_from(["Co", "No", "In", "Os", "Hf", "mW", "MW", "Mb", "pH", "AB"]))
def test_capitals_of_a_formula_never_go_unnoticed(symbol):
    assert not exact_match(symbol.swapcase(), symbol)


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_text_breaks_the_rules(answer, gold):
    assert exact_match(answer, gold) in {True, False}
