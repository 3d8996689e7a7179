"""With its evidence given, a sound question is answered; one with broken evidence is not."""

import asyncio

import pytest

from curation.replay import read_by_model, read_by_rule, replay, told, with_evidence
from hopsight.chains import by_id, changed
from hopsight.errors import ProviderError
from hopsight.harness.policy import AssistantTurn
from hopsight.types import Rejection
from tests.curation.made import PICTURES, grounded, walker

FRAMED = grounded()
PAIRS = list(zip(FRAMED.questions.kept, FRAMED.chains, strict=True))


def rule_findings(pairs):
    questions = [question for question, _ in pairs]
    reader = read_by_rule(walker().world, by_id(chain for _, chain in pairs))
    return asyncio.run(replay(questions, reader, PICTURES, seed=1))


def with_chain(question, chain):
    return changed(question, chain_id=chain.id), chain


def test_most_sound_questions_are_answered_from_their_evidence_alone():
    found = rule_findings(PAIRS)
    assert set(found) == {question.id for question, _ in PAIRS}
    hard = sum(each == "too_hard" for each in found.values())
    assert hard >= 0.8 * len(PAIRS)


def test_a_question_whose_evidence_does_not_hold_the_answer_is_unsolvable():
    findings = rule_findings(PAIRS)
    broken = []
    for question, chain in PAIRS:
        if findings[question.id] == "too_hard":
            # A true sentence of the chain, but not the one that holds the answer.
            elsewhere = changed(chain, answer_evidence=chain.nodes[1].hop)
            broken.append(with_chain(question, elsewhere))
    found = rule_findings(broken)
    assert broken
    assert set(found.values()) == {"unsolvable"}


class Reader:
    """A model that answers with what stands after the last title of the evidence."""

    name = "reader"

    def __init__(self, answers, *, fails=False):
        self.answers = answers
        self.fails = fails
        self.asked = []

    def begin(self, seed):
        return self

    async def act(self, view):
        if self.fails:
            raise ProviderError("no answer from the model", "try again")
        self.asked.append((view.task, view.tools, view.remaining.calls))
        answer = self.answers.get(view.task.id)
        return AssistantTurn(text=f"<answer>{answer}</answer>" if answer else "I cannot tell.")


def test_a_model_is_shown_question_picture_and_every_sentence_and_no_tools():
    (question, chain), (other, other_chain) = PAIRS[:2]
    chains = by_id([chain, other_chain])
    model = Reader({with_evidence(question.task, chain).id: question.answer})
    found = asyncio.run(replay([question, other], read_by_model(model, chains), PICTURES, seed=1))
    assert found == {question.id: "too_hard", other.id: "unsolvable"}
    task, tools, calls = model.asked[0]
    assert (tools, calls, task.images) == ((), 0, question.images)
    assert task.text.startswith(question.text)
    sentences = [node.hop.sentence for node in chain.nodes if node.hop is not None]
    assert all(each in task.text for each in [*sentences, chain.answer_evidence.sentence])


def test_an_outage_tells_nothing():
    question, chain = PAIRS[0]
    reader = read_by_model(Reader({}, fails=True), by_id([chain]))
    found = asyncio.run(replay([question], reader, PICTURES, seed=1))
    assert found == {question.id: "unjudged"}


@pytest.mark.parametrize("finding", ["too_hard", "unsolvable", "unjudged"])
def test_the_rejection_says_what_was_found(finding):
    rows = [
        Rejection(
            record_id=name, stage="curated_questions", reason="quarantine", detail="area of X"
        )
        for name in ("q_1", "q_2")
    ]
    one, other = told(rows, {"q_1": finding})
    assert one.detail.startswith(f"{finding}: ")
    assert one.detail.endswith("; area of X")
    assert (one.record_id, one.reason, one.id == rows[0].id) == ("q_1", "quarantine", False)
    assert other == rows[1]
