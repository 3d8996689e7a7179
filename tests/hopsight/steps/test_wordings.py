import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hopsight.steps import CHECK_WORDING, VERBALISE_PATH
from hopsight.steps.check_wording import StatementFinding, Wording, WordingFindings
from hopsight.steps.statements import Statement, missing
from hopsight.steps.verbalise_path import PathWording, WrittenQuestion
from tests.hopsight.steps.samples import WORDING, paths, wrong


def asked(text):
    return WrittenQuestion(question=text)


def test_every_grounded_chain_parts_into_one_statement_a_hop_and_passes_as_it_is():
    assert len(paths()) > 10
    for path in paths():
        assert path.reference.startswith(" ".join(each.text for each in path.statements) + " ")
        assert len(path.statements) in {2, 3}
        assert not wrong(VERBALISE_PATH, path, VERBALISE_PATH.reference(path))


def changed(path, old, new):
    assert old in path.reference
    return wrong(VERBALISE_PATH, path, asked(path.reference.replace(old, new)))


@settings(max_examples=30)
@given(st.data())
def test_a_name_in_a_question_is_caught_wherever_it_stands(data):
    path = data.draw(st.sampled_from(paths()))
    name = data.draw(st.sampled_from([name for name in path.avoid if len(name) > 3]))
    spaces = [n for n, char in enumerate(path.reference) if char == " "]
    place = data.draw(st.sampled_from(spaces))
    case = data.draw(st.sampled_from([str.upper, str.lower, str]))
    text = f"{path.reference[:place]} {case(name)} {path.reference[place:]}"
    assert "gives away" in wrong(VERBALISE_PATH, path, asked(text))


def test_a_question_that_lost_a_value_says_which():
    for path in paths():
        for value in (value for each in path.statements for value in each.values):
            if path.reference.count(value) == 1:
                assert f"{value!r}" in changed(path, value, "one")


def test_numbers_may_be_written_in_another_way_but_not_be_changed():
    pairs = [(path, value) for path in paths() for each in path.statements for value in each.values]
    path, value = next((path, value) for path, value in pairs if "," in value)
    assert not changed(path, value, value.replace(",", ""))
    assert "no longer says" in changed(path, value, "17")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Where?", "characters"),
        ("x" * 3000 + "?", "characters"),
        ("What does the image show? " * 5 + "Tell.", "question mark"),
        ("What does the image\nshow? " * 5, "question mark"),
        ("What is the capital of that country over there? " * 3, "picture"),
    ],
)
def test_a_text_that_is_no_one_question_about_the_picture_is_refused(text, problem):
    path = next(path for path in paths() if "image" in path.anchor)
    assert problem in wrong(VERBALISE_PATH, path, asked(text))


@given(st.text(max_size=200))
def test_no_question_makes_its_check_crash(text):
    assert wrong(VERBALISE_PATH, paths()[0], asked(f"a{text}"))


def test_a_question_that_lost_most_of_its_statements_is_too_short():
    path = paths()[0]
    values = " ".join(value for each in path.statements for value in each.values)
    assert "characters" in wrong(VERBALISE_PATH, path, asked(f"In the image, what {values}?"))


def test_the_rules_find_every_reference_wording_faithful():
    for path in paths():
        item = Wording(text=path.reference, statements=path.statements)
        assert CHECK_WORDING.reference(item).is_faithful


def test_a_changed_number_is_contradicted_a_lost_one_is_not_stated_and_a_new_name_is_more():
    def by_rule(text):
        found = CHECK_WORDING.reference(WORDING.model_copy(update={"text": text}))
        return [each.finding for each in found.findings], bool(found.more)

    assert by_rule(WORDING.text) == (["stated", "stated"], False)
    assert by_rule(WORDING.text.replace("300", "400")) == (["stated", "contradicted"], True)
    assert by_rule("A river flows through it. How long is it?") == (["stated", "not_stated"], False)
    assert by_rule(WORDING.text.replace("A river", "A lake")) == (["not_stated", "stated"], False)
    assert by_rule(WORDING.text.replace("it. How", "it near Ostby. How"))[1]


def test_findings_have_one_for_each_statement():
    def found(*numbers, more=()):
        marks = tuple(StatementFinding(number=n, finding="stated") for n in numbers)
        return WordingFindings(findings=marks, more=more)

    assert not wrong(CHECK_WORDING, WORDING, found(2, 1))
    assert "missing" in wrong(CHECK_WORDING, WORDING, found(1))
    assert "twice" in wrong(CHECK_WORDING, WORDING, found(1, 1, 2))
    assert "not one of" in wrong(CHECK_WORDING, WORDING, found(1, 2, 3))
    assert found(1, 2).is_faithful
    assert not found(1, 2, more=("a lake",)).is_faithful


@given(st.text(max_size=60), st.text(max_size=60), st.lists(st.text(max_size=10), max_size=3))
def test_no_text_makes_the_search_for_values_crash(text, statement, values):
    missing(Statement(text=statement, values=tuple(values)), text)
    CHECK_WORDING.reference(Wording(text=text, statements=(Statement(text=statement),)))


def test_a_writer_is_told_to_keep_how_the_picture_is_referred_to_and_every_value():
    for path in paths():
        kept = VERBALISE_PATH.fill(path)["keep"].splitlines()
        assert kept[0] == path.anchor
        assert {value for each in path.statements for value in each.values} <= set(kept)
        assert len(kept) == len(set(kept))


def test_the_example_that_a_writer_is_shown_passes_its_own_check():
    example = [text for speaker, text in VERBALISE_PATH.prompt.sections if speaker == "assistant"]
    assert len(example) == 1
    shown = VERBALISE_PATH.prompt.sections[1][1]
    found = dict(re.findall(r'<data name="(\w+)">\n(.*?)\n</data>', shown, re.DOTALL))
    anchor, *values = found["keep"].splitlines()
    item = PathWording(
        anchor=anchor,
        statements=(Statement(text="", values=tuple(values)),),
        avoid=tuple(found["avoid"].splitlines()),
        reference=found["draft"],
    )
    assert not wrong(VERBALISE_PATH, item, WrittenQuestion.model_validate_json(example[0]))


SIGHTS = Statement(
    text="One of the sights of the city on the map is a museum.",
    values=("museum",),
    relation=("sights",),
    cues=("locat", "city"),
    apart=("the city on the map", "city", "museum"),
)


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("A museum is one of the sights of the city on the map.", []),
        ("The museum that is located in the city on the map.", []),
        ("The city on the map is a museum.", ["sights"]),
        ("A museum of a city.", ["sights"]),
    ],
)
def test_a_text_in_which_no_word_tells_a_relation_has_lost_it(text, lost):
    assert missing(SIGHTS, text) == lost


def test_the_words_of_a_relation_are_told_by_the_statement_itself_and_not_by_its_ends():
    told = 0
    for path in paths():
        for statement in path.statements:
            assert missing(statement, path.reference) == []
            if statement.relation:
                told += 1
                bare = f"{path.anchor} {' '.join(statement.values)}"
                assert " ".join(statement.relation) in missing(statement, bare)
    assert told > len(paths())
