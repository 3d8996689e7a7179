import asyncio
import json

from curation.probes import direct, sort_out
from curation.verdicts import judge_all
from hopsight.errors import ProviderError, ToolError
from hopsight.harness.policy import AssistantTurn
from hopsight.judge import JudgeModel, Panel
from hopsight.llm.chat import ChatAnswer, TokenUse
from hopsight.types import StopReason, ToolCall
from tests.curation.made import PICTURES, grounded, trajectory

QUESTIONS = grounded().questions.kept[:4]


class Closedbook:
    """Answers from what it remembers, by the text of the question."""

    name = "closed-book"

    def __init__(self, memory, *, fails=False, calls=()):
        self.memory = memory
        self.fails = fails
        self.calls = calls
        self.seeds = []
        self.seen = []

    def begin(self, seed):
        self.seeds.append(seed)
        return self

    async def act(self, view):
        if self.fails:
            raise ProviderError("no answer from the model", "try again")
        self.seen.append((view.tools, len(view.pixels(0)), view.remaining.calls))
        answer = self.memory.get(view.task.text)
        text = "I cannot tell." if answer is None else f"<answer>{answer}</answer>"
        return AssistantTurn(text=text, calls=self.calls)


def probe(policy, seed=1, panel_for=lambda _: None):
    return asyncio.run(direct(QUESTIONS, policy, PICTURES, panel_for, seed=seed))


def test_what_is_answered_without_tools_is_out():
    known = QUESTIONS[1]
    probed = probe(Closedbook({known.text: known.answer}))
    solved = [q for q in QUESTIONS if (q.text, q.answer) == (known.text, known.answer)]
    assert probed.questions.reasons() == {"direct_probe_solved": len(solved)}
    assert known not in probed.questions.kept
    assert len(probed.results) == len(probed.verdicts) == probed.questions.entered == 4
    assert {result.question_id for result in probed.results if result.solved} == {
        question.id for question in solved
    }


def test_a_wrong_answer_or_none_is_no_shortcut():
    probed = probe(Closedbook({QUESTIONS[0].text: "nonsense"}))
    assert probed.questions.kept == QUESTIONS
    assert probed.results[0].answer == "nonsense"


def test_the_probe_gives_a_picture_and_no_tools():
    policy = Closedbook({})
    probe(policy)
    assert all(tools == () and size > 0 and calls == 0 for tools, size, calls in policy.seen)


def test_a_turn_that_calls_a_tool_is_no_answer():
    question = QUESTIONS[0]
    call = ToolCall(call_id="c", name="web_search", arguments="{}")
    policy = Closedbook({question.text: question.answer}, calls=(call,))
    assert probe(policy).questions.kept == QUESTIONS


def test_an_outage_is_no_pass():
    probed = probe(Closedbook({}, fails=True))
    assert probed.questions.kept == ()
    assert probed.questions.reasons() == {"direct_probe_unjudged": 4}


def panel(answer):
    """A panel of one judge that says a verdict, or is away."""

    async def complete(request, sample):
        if isinstance(answer, Exception):
            raise answer
        text = json.dumps({"reason": "because", "verdict": answer})
        tokens = TokenUse(prompt=1, completion=1)
        return ChatAnswer(text=text, finish="stop", model="m", tokens=tokens)

    return Panel((JudgeModel("m", complete),))


SAID_ANOTHER_WAY = Closedbook({QUESTIONS[0].text: "the very same thing, in other words"})


def test_an_answer_that_rules_do_not_know_is_judged_by_the_panel_of_its_question():
    assert probe(SAID_ANOTHER_WAY).questions.kept == QUESTIONS
    asked = []

    def panel_for(question_id):
        asked.append(question_id)
        return panel("correct")

    probed = probe(SAID_ANOTHER_WAY, panel_for=panel_for)
    out = {row.record_id for row in probed.questions.rejected}
    assert QUESTIONS[0].id in out
    assert probed.questions.reasons() == {"direct_probe_solved": len(out)}
    assert set(asked) == {question.id for question in QUESTIONS}


def test_an_answer_that_the_judge_could_not_be_asked_about_is_no_pass():
    away = panel(ProviderError("the judge is away", "try later"))
    probed = probe(SAID_ANOTHER_WAY, panel_for=lambda _: away)
    rejected = {row.record_id: row.reason for row in probed.questions.rejected}
    assert rejected[QUESTIONS[0].id] == "direct_probe_unjudged"
    assert set(rejected.values()) == {"direct_probe_unjudged"}


def test_the_episode_seed_depends_on_task_policy_and_round_alone():
    first, again, other = Closedbook({}), Closedbook({}), Closedbook({})
    probe(first)
    probe(again)
    probe(other, seed=2)
    assert first.seeds == again.seeds
    assert set(first.seeds).isdisjoint(other.seeds)


def test_one_solved_rollout_of_several_is_enough():
    question = QUESTIONS[0]
    rollouts = [
        trajectory(question, "wrong", sample=0),
        trajectory(question, question.answer, sample=1),
        trajectory(question, None, sample=2, stop=StopReason.INFRA_FATAL),
    ]
    probed = sort_out("one_search", [question], rollouts, judge_all([question], rollouts))
    assert probed.questions.reasons() == {"one_search_probe_solved": 1}
    assert probed.results[0].detail == "2 judged"


def test_an_unknown_picture_is_told_to_the_policy():
    class Curious(Closedbook):
        async def act(self, view):
            try:
                view.pixels(9)
            except ToolError as error:
                return AssistantTurn(text=f"<answer>{error.message}</answer>")
            return AssistantTurn(text="")

    assert "there are 1" in (probe(Curious({})).results[0].answer or "")
