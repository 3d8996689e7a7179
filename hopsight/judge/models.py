"""Judging by models: a checked verdict, several judgments, several judges, and no half results.

Rules come first: what they decide no model reads. A judgment is one verdict of one model; of its
answer only the verdict field is read. Where a judgment cannot be had, the answer stays unjudged
and is judged again later: a judge that fails says nothing about the answer.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from hopsight.errors import ConfigError, ProviderError
from hopsight.judge.rules import RULES, rule, rule_on, verdict_of
from hopsight.llm.chat import ChatRequest
from hopsight.llm.prompts import Prompt, load_prompt
from hopsight.llm.structured import Complete, Refused, ask
from hopsight.types import Part, Question, Trajectory, Verdict
from hopsight.waiting import all_done

Decision = Literal["correct", "incorrect", "no_answer", "abstain"]
_CAUTIOUS_FIRST: tuple[Decision, ...] = ("incorrect", "no_answer", "abstain")
PROMPT = "judge_answer"


class JudgeAnswer(Part):
    """What a judge writes. `reason` lets it think; nothing reads it."""

    reason: str
    verdict: Decision


@dataclass(frozen=True, slots=True)
class JudgeModel:
    """A judge: its name for the record, and how it is asked.

    `fallbacks` are asked in order where the model before fails or gives no usable verdict.
    """

    name: str
    complete: Complete = field(repr=False)
    fallbacks: tuple["JudgeModel", ...] = ()


@dataclass(frozen=True, slots=True)
class Panel:
    """Several judges, each asked `judgments` times with the same prompt.

    More than one judgment of a model that samples at temperature 0 is the same judgment again.
    """

    judges: tuple[JudgeModel, ...]
    judgments: int = 1
    prompt: Prompt = field(default_factory=lambda: load_prompt(PROMPT))
    temperature: float = 0.0
    max_tokens: int = 1024
    repairs: int = 2

    def __post_init__(self) -> None:
        if not self.judges or self.judgments < 1:
            raise ConfigError(
                "a panel needs a judge and at least one judgment", "name a model for role judge"
            )

    @property
    def name(self) -> str:
        """What a verdict names as its judge: rules, models, judgments, prompt."""
        models = "+".join(judge.name for judge in self.judges)
        prompt = f"{self.prompt.name}@{self.prompt.version}:{self.prompt.sha256[:8]}"
        return f"{RULES}, {models} x{self.judgments}, {prompt}"


@dataclass(frozen=True, slots=True)
class Vote:
    """One judgment. `model` is the one that gave it, which may be a fallback of `judge`."""

    judge: str
    model: str
    sample: int
    decision: Decision


@dataclass(frozen=True, slots=True)
class Unjudged:
    """No verdict could be had: infrastructure. Judged again later, and in no rate until then."""

    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class Judgment:
    """All votes on one answer. Without votes the rules decided."""

    outcome: Decision
    rationale: str
    votes: tuple[Vote, ...] = ()

    @property
    def score(self) -> float:
        """Share of the votes that say "correct": the judgments averaged, in [0, 1]."""
        if not self.votes:
            return float(self.outcome == "correct")
        return sum(vote.decision == "correct" for vote in self.votes) / len(self.votes)


async def judge_text(
    question: str, gold: str, aliases: Sequence[str], answer: str, panel: Panel
) -> Judgment | Unjudged:
    """The judgment on a final answer: by rule where a rule decides, else by the panel."""
    ruling = rule(answer, gold, aliases)
    if ruling.outcome is not None and ruling.outcome != "infra":
        return Judgment(ruling.outcome, ruling.reason)
    request = ChatRequest(
        messages=panel.prompt.render(
            {
                "question": question,
                "gold": gold,
                "aliases": "\n".join(aliases) or "none",
                "answer": answer,
            }
        ),
        temperature=panel.temperature,
        max_tokens=panel.max_tokens,
    )
    asked = [
        _vote(judge, request, sample, panel.repairs)
        for judge in panel.judges
        for sample in range(panel.judgments)
    ]
    votes = await all_done(asked)
    missing = [vote for vote in votes if isinstance(vote, Unjudged)]
    if missing:
        return missing[0]
    return _counted(tuple(vote for vote in votes if isinstance(vote, Vote)))


async def judge_trajectory(
    question: Question, trajectory: Trajectory, panel: Panel
) -> Verdict | Unjudged:
    """The verdict on one trajectory of `question`; HopsightError if it is another question's."""
    ruling = rule_on(question, trajectory)
    if ruling.outcome is not None:
        return verdict_of(trajectory, ruling.outcome, ruling.reason, RULES)
    judged = await judge_text(
        question.text,
        question.answer,
        question.answer_aliases,
        trajectory.final_answer or "",
        panel,
    )
    if isinstance(judged, Unjudged):
        return judged
    return verdict_of(trajectory, judged.outcome, judged.rationale, panel.name)


async def _vote(
    judge: JudgeModel, request: ChatRequest, sample: int, repairs: int
) -> Vote | Unjudged:
    """The first usable verdict of the judge and its fallbacks."""
    failures: list[Unjudged] = []
    for model in (judge, *judge.fallbacks):
        try:
            said = await ask(model.complete, request, JudgeAnswer, repairs=repairs, sample=sample)
        except ProviderError as error:
            failures.append(Unjudged("judge_failed", f"{model.name}: {error.cause}"))
            continue
        if not isinstance(said, Refused):
            return Vote(judge.name, model.name, sample, said.verdict)
        failures.append(Unjudged("judge_refused", f"{model.name}: {said.reason}: {said.detail}"))
    return failures[-1]


def _counted(votes: tuple[Vote, ...]) -> Judgment:
    """More than half of the votes make an answer correct; of the rest the commonest decides."""
    counts = Counter(vote.decision for vote in votes)
    told = ", ".join(
        f"{counts[word]} {word}" for word in ("correct", *_CAUTIOUS_FIRST) if counts[word]
    )
    rationale = f"judgments: {told}"
    if 2 * counts["correct"] > len(votes):
        return Judgment("correct", rationale, votes)
    best = max(_CAUTIOUS_FIRST, key=lambda word: (counts[word], -_CAUTIOUS_FIRST.index(word)))
    return Judgment(best, rationale, votes)
