"""What decisions do to questions."""

from random import Random

import pytest

from curation.review import OPERATOR, STAGE, apply_decisions, edited, rechecker
from hopsight.types import content_hash
from tests.curation.made import fuzzed
from tests.curation.review.rounds import chains, decision, questions, reworded

RECHECK = rechecker(fuzzed()[0])


def applied(*decisions):
    return apply_decisions(questions(), chains(), decisions, RECHECK)


def numbered(*decisions):
    return [each.model_copy(update={"number": n}) for n, each in enumerate(decisions, start=1)]


def test_what_nobody_decided_about_goes_on_as_it_is():
    staged = applied()
    assert staged.kept == questions()
    assert staged.entered == len(questions()) > 10


def test_accepted_edited_and_rejected_questions_are_all_accounted_for():
    first, second, third, *rest = questions()
    text = reworded(second)
    note = decision(third, "reject", reason="picture_mismatch", note="a map")
    staged = applied(*numbered(decision(first), decision(second, "edit", text=text), note))
    assert staged.kept[0] == first
    assert staged.kept[1].text == text
    assert staged.kept[2:] == tuple(rest)
    assert [(each.record_id, each.stage, each.reason, each.detail) for each in staged.rejected] == [
        (third.id, STAGE, "review_rejected", "picture_mismatch: a map")
    ]
    assert staged.entered == len(staged.kept) + len(staged.rejected)


def test_an_edit_changes_the_words_alone_and_tells_where_they_come_from():
    question = questions()[0]
    made = decision(question, "edit", text=reworded(question))
    (after, *_) = applied(made).kept
    assert (after.operator, after.parent_id) == (OPERATOR, question.id)
    assert after.prompt.sha256 == content_hash(made.model_dump(mode="json"))
    same = ("answer", "answer_aliases", "images", "chain_id", "round")
    assert [getattr(after, name) for name in same] == [getattr(question, name) for name in same]
    with pytest.raises(ValueError, match="is no edit of"):
        edited(questions()[1], made)


def test_the_last_decision_counts_in_whatever_order_they_are_given():
    question = questions()[0]
    made = numbered(
        decision(question, "reject"),
        decision(question, "edit", text=reworded(question)),
        decision(question, "reject", reason="wrong_answer"),
        decision(question),
    )
    for seed in range(5):
        Random(seed).shuffle(made)
        assert applied(*made).kept == questions()
        assert len(applied(*[each for each in made if each.number < 4]).rejected) == 1


def test_a_withdrawn_decision_is_none():
    question = questions()[0]
    taken = numbered(decision(question, "reject"), decision(question, "withdraw"))
    assert applied(*taken).kept == questions()


def test_an_edit_that_gives_something_away_is_out_with_the_reason():
    question, chain = questions()[0], chains()[0]
    name = chain.nodes[1].title
    staged = applied(decision(question, "edit", text=f"{question.text[:-1]} near {name}?"))
    (rejection,) = staged.rejected
    assert (rejection.record_id, rejection.reason) == (question.id, "edit_name_leak")
    assert name in rejection.detail
    assert question.id not in {each.id for each in staged.kept}


def test_a_decision_about_a_question_that_is_not_there_does_nothing_and_is_told(caplog):
    stranger = decision(questions()[0]).model_copy(update={"question_id": "q_" + "0" * 16})
    assert applied(stranger).kept == questions()
    assert "event=decisions_without_question n=1" in caplog.text
