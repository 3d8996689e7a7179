"""Which wordings a reviewer may give a question."""

import pytest

from curation.review import rechecker
from hopsight.chains import changed
from hopsight.reference.generator import verbalise
from hopsight.steps.statements import statements_of
from tests.curation.made import fuzzed
from tests.curation.review.rounds import chains, other, questions, reworded

RECHECK = rechecker(fuzzed()[0])
QUESTION, CHAIN = questions()[0], chains()[0]


def reason(text, question=QUESTION, chain=CHAIN):
    return RECHECK(question, chain, text)[0]


def test_other_words_for_the_same_pass_for_every_question():
    for question, chain in zip(questions(), chains(), strict=True):
        assert RECHECK(question, chain, reworded(question)) == (None, "")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "empty_text"),
        ("  \n ", "empty_text"),
        (reworded(QUESTION) + "a" * 4_000, "text_too_long"),
        (reworded(QUESTION).replace("Look", "Lo\u200bok"), "unseen_characters"),
        (f"\u202e{QUESTION.text}", "unseen_characters"),
        (QUESTION.text, "same_text"),
        (QUESTION.text.replace(" ", "  "), "same_text"),
        (reworded(QUESTION)[:-1] + ".", "no_question"),
    ],
)
def test_a_text_that_is_no_other_question_is_refused(text, fault):
    assert reason(text) == fault


def test_every_name_and_the_answer_are_refused_as_they_are_and_inflected():
    for question, chain in zip(questions(), chains(), strict=True):
        text = reworded(question)[:-1]
        assert reason(f"{text}, {chain.answer}?", question, chain) == "answer_in_question"
        for node in chain.nodes:
            for form in (node.title, node.title.upper(), f"{node.title}'s", f"{node.title}s"):
                assert reason(f"{text} of {form}?", question, chain) == "name_leak", form


def test_most_sentences_that_are_left_out_are_missed():
    """Those that are not have their every word in another sentence of the question."""
    lost = []
    for question, chain in zip(questions(), chains(), strict=True):
        anchor = verbalise.anchor_phrase(chain.nodes[0].infobox, chain.path_id)
        assert anchor is not None
        statements, asks = statements_of(chain, anchor)
        for left_out in statements:
            if not left_out.values:
                continue
            kept = [each.text for each in statements if each != left_out]
            lost.append(reason(" ".join(["What is it?", *kept, asks]), question, chain))
    assert len(lost) > 20
    assert lost.count("clue_lost") / len(lost) > 0.75


def test_a_clue_that_is_changed_is_lost():
    question, chain = next(
        (question, chain)
        for question, chain in zip(questions(), chains(), strict=True)
        if "between" in question.text
    )
    found = RECHECK(question, chain, question.text.replace("between", "around", 1) + " Really?")
    assert found[0] is None
    number = next(word for word in question.text.split() if word.strip(".,?").isdigit())
    text = question.text.replace(number, "77", 1)
    assert RECHECK(question, chain, text)[0] == "clue_lost"


def test_what_no_clue_says_is_a_further_claim():
    assert reason(f"{QUESTION.text[:-1]} in 1777?") == "claims_more"
    assert reason(f"{QUESTION.text[:-1]} near Ruritania?") == "claims_more"


@pytest.mark.parametrize("word", ["not", "no", "never", "without", "except", "neither", "nor"])
def test_a_text_that_denies_what_the_question_says_is_refused(word):
    question, chain = next(
        (question, chain)
        for question, chain in zip(questions(), chains(), strict=True)
        if "between" in question.text
    )
    turned = question.text.replace("between", f"{word} between", 1)
    assert RECHECK(question, chain, turned)[0] == "turned"
    assert RECHECK(other(question, turned), chain, reworded(question))[0] == "turned"


@pytest.mark.parametrize("said", ["It isn't", "It isn’t", "It cannot be", "Never is it"])
def test_a_denial_is_one_in_any_form_and_not_within_a_word(said):
    assert reason(f"{said} so. {QUESTION.text}") == "turned"
    assert reason(f"Note another knot. {QUESTION.text}") is None


def test_a_denial_may_be_put_in_other_words():
    denying = other(QUESTION, f"It is not far. {QUESTION.text}")
    assert RECHECK(denying, CHAIN, f"It is never far. {QUESTION.text}") == (None, "")


def test_a_text_that_never_asked_with_a_mark_need_not():
    bare = other(QUESTION, QUESTION.text[:-1])
    assert RECHECK(bare, CHAIN, reworded(bare)) == (None, "")


def test_a_chain_that_the_wiki_no_longer_bears_out_is_told():
    evidence = changed(CHAIN.answer_evidence, revision=1)
    stale = changed(CHAIN, answer_evidence=evidence)
    assert reason(reworded(QUESTION), chain=stale) == "evidence_not_found"
