from collections import Counter

import pytest

from curation.splits import split_questions
from hopsight.chains.framed import changed
from hopsight.errors import HopsightError
from tests.curation.made import grounded

FRAMED = grounded()
QUESTIONS = FRAMED.questions.kept
CHAINS = {chain.id: chain for chain in FRAMED.chains}
SOME = {question.id: "some" for question in QUESTIONS}


def split(questions=QUESTIONS, chains=FRAMED.chains, bands=SOME, solved=(), **changes):
    shares = {"eval_share": 0.2, "rl_share": 0.7, "seed": 1} | changes
    return split_questions(questions, chains, bands, frozenset(solved), **shares)


def parts(staged):
    found: dict[str, set[str]] = {"sft": set(), "rl": set(), "eval": set()}
    for assignment in staged.kept:
        found[assignment.split].add(assignment.question_id)
    return found


def test_every_question_is_assigned_once_or_rejected():
    staged = split()
    ids = [each.question_id for each in staged.kept] + [r.record_id for r in staged.rejected]
    assert sorted(ids) == sorted(question.id for question in QUESTIONS)


def test_training_and_evaluation_share_no_anchor_picture_or_answer():
    staged = split()
    by_id = {question.id: question for question in QUESTIONS}
    found = parts(staged)
    assert found["eval"]
    assert found["sft"] | found["rl"]

    def traits(ids):
        chains = [CHAINS[by_id[question_id].chain_id] for question_id in ids]
        anchors = {chain.nodes[0].page_id for chain in chains}
        pictures = {image.sha256 for i in ids for image in by_id[i].images}
        answers = {(chain.nodes[-1].page_id, chain.attribute) for chain in chains}
        return anchors, pictures, answers

    training, held = traits(found["sft"] | found["rl"]), traits(found["eval"])
    assert all(mine.isdisjoint(theirs) for mine, theirs in zip(training, held, strict=True))


def test_a_fifth_of_the_anchors_is_for_evaluation():
    anchors = {chain.nodes[0].page_id for chain in FRAMED.chains}
    held = {each.anchor for each in split().kept if each.split == "eval"}
    assert len(held) == round(0.2 * len(anchors))


def test_training_questions_that_ask_what_evaluation_asks_are_rejected_with_that_reason():
    staged = split()
    by_id = {question.id: question for question in QUESTIONS}
    held = {
        (CHAINS[by_id[i].chain_id].nodes[-1].page_id, CHAINS[by_id[i].chain_id].attribute)
        for i in parts(staged)["eval"]
    }
    rejected = [each for each in staged.rejected if each.reason == "answer_in_eval"]
    assert rejected
    for rejection in rejected:
        chain = CHAINS[by_id[rejection.record_id].chain_id]
        assert (chain.nodes[-1].page_id, chain.attribute) in held


def test_a_picture_of_an_evaluation_question_is_out_of_training():
    staged = split()
    by_id = {question.id: question for question in QUESTIONS}
    found = parts(staged)
    held = by_id[sorted(found["eval"])[0]]
    mine = by_id[sorted(found["rl"])[0]]
    borrowed = changed(mine, images=held.images)
    questions = [question for question in QUESTIONS if question.id != mine.id] + [borrowed]
    bands = {question.id: "some" for question in questions}
    again = split(questions, bands=bands)
    reasons = {each.record_id: each.reason for each in again.rejected}
    assert reasons[borrowed.id] == "picture_in_eval"


def test_the_frontier_goes_mostly_to_rl_and_shares_no_question_with_sft():
    found = parts(split(eval_share=0.0))
    assert found["rl"].isdisjoint(found["sft"])
    assert len(found["rl"]) == round(0.7 * len(QUESTIONS))


def test_what_the_policy_always_solves_is_sft_only():
    bands = {question.id: "all" for question in QUESTIONS}
    found = parts(split(bands=bands))
    assert not found["rl"]
    assert found["sft"]


def test_what_nobody_solves_is_quarantined_and_what_the_teacher_solves_is_sft():
    bands = {question.id: "none" for question in QUESTIONS}
    solved = {QUESTIONS[0].id, QUESTIONS[1].id}
    staged = split(bands=bands, solved=solved, eval_share=0.0)
    assert parts(staged)["sft"] == solved
    assert staged.reasons() == {"quarantine": len(QUESTIONS) - 2}


def test_the_split_does_not_depend_on_the_order_of_the_questions():
    first, second = split(), split(QUESTIONS[::-1], FRAMED.chains[::-1])
    assert Counter(first.kept) == Counter(second.kept)
    assert Counter(first.rejected) == Counter(second.rejected)


def test_a_question_without_its_chain_is_refused():
    with pytest.raises(HopsightError, match="not among the chains"):
        split(chains=())
