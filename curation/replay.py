"""Replay with the evidence: is a question that nobody solved too hard, or not to be solved?

A question that no rollout answered is asked once more, without tools, with the sentences that
bear its chain out before the policy. Who answers it then had only failed to find them: the
question is `too_hard` for now. Where even that is not answered, it is `unsolvable`: something
about the question or its evidence is wrong, or the one who answers cannot reason that far.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal

from curation.looks import Pictures
from curation.probes import one_turn
from curation.verdicts import PanelFor, judge_by, rules_alone
from hopsight.chains import changed
from hopsight.harness.policy import Policy
from hopsight.reference.agents import DirectAnswerer
from hopsight.reference.shortcuts import evidence_memory, evidence_of
from hopsight.types import EvidenceChain, Question, Rejection, Task
from hopsight.unique import World
from hopsight.waiting import all_done

Finding = Literal["too_hard", "unsolvable", "unjudged"]

Reader = Callable[[Question], tuple[Task, Policy]]
"""Gives, for a question, what is asked with its evidence, and who answers."""

SAYS: Final[Mapping[Finding, str]] = {
    "too_hard": "answered once its evidence is given",
    "unsolvable": "not answered even with its evidence",
    "unjudged": "the replay with its evidence was lost or could not be judged",
}


async def replay(
    questions: Sequence[Question],
    reader: Reader,
    pictures: Pictures,
    panel_for: PanelFor = rules_alone,
    *,
    seed: int,
) -> dict[str, Finding]:
    """What each question turned out to be, by its id. It is judged as a rollout is."""
    asked = [(question, *reader(question)) for question in questions]
    answers = [one_turn(each, task, policy, pictures, seed) for each, task, policy in asked]
    trajectories = await all_done(answers)
    judged = await judge_by(questions, trajectories, panel_for)
    outcomes = {verdict.question_id: verdict.outcome for verdict in judged.verdicts}
    return {each.id: _finding(outcomes.get(each.id, "infra")) for each in questions}


def _finding(outcome: str) -> Finding:
    if outcome == "infra":
        return "unjudged"
    return "too_hard" if outcome == "correct" else "unsolvable"


def read_by_rule(world: World, chains: Mapping[str, EvidenceChain]) -> Reader:
    """The strong agent, in a world that holds nothing but the evidence."""

    def read(question: Question) -> tuple[Task, Policy]:
        memory = evidence_memory(world, chains[question.chain_id])
        return question.task, DirectAnswerer(memory)

    return read


def read_by_model(policy: Policy, chains: Mapping[str, EvidenceChain]) -> Reader:
    """A model, with the evidence after the question."""

    def read(question: Question) -> tuple[Task, Policy]:
        return with_evidence(question.task, chains[question.chain_id]), policy

    return read


def with_evidence(task: Task, chain: EvidenceChain) -> Task:
    """The task with every sentence of the chain's evidence under its page's title."""
    told = [f"- {each.title}: {each.sentence}" for each in evidence_of(chain)]
    text = "\n".join([task.text, "", "These sentences of an encyclopedia hold the answer:", *told])
    return Task(text=text, images=task.images)


def told(rejected: Sequence[Rejection], findings: Mapping[str, Finding]) -> tuple[Rejection, ...]:
    """Rejections with what the replay found in front of their detail."""
    return tuple(
        changed(each, detail=_detail(each, findings[each.record_id]))
        if each.record_id in findings
        else each
        for each in rejected
    )


def _detail(rejection: Rejection, finding: Finding) -> str:
    return f"{finding}: {SAYS[finding]}; {rejection.detail}"
