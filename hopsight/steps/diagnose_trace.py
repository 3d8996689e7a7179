"""Diagnose a trace: what a rollout says about the data, and which stage is at fault."""

from collections import Counter
from collections.abc import Callable
from typing import Final, Literal

from pydantic import Field

from hopsight.errors import Outcome
from hopsight.steps.judge_process import marks_by_rule
from hopsight.steps.step import Step
from hopsight.steps.text import block, holds, line, listed
from hopsight.steps.turns import MAX_TURNS, calls_of, observed, told_turns
from hopsight.types import (
    Diagnosis,
    Dimension,
    DimensionMark,
    Observation,
    Part,
    Stage,
    StopReason,
    TraceLabel,
    Trajectory,
    Turn,
)

Mode = Literal["sft", "rl"]

SHARED: Final[tuple[Dimension, ...]] = (
    "information_complexity",
    "visual_dependency",
    "shortcut_leakage",
    "verifiability",
)
OF_MODE: Final[dict[Mode, tuple[Dimension, ...]]] = {
    "sft": ("step_appropriateness", "tool_usage_quality", "tool_pattern_diversity"),
    "rl": ("capability_requirement", "difficulty_match", "learning_utility"),
}
RL_BAND: Final = (0.2, 0.8)
"""Pass rates of a good match [ours]."""


class Trace(Part):
    """A rollout with all that is known of it.

    `graded` and `correct` count the rollouts of the same question that infrastructure did not
    lose. `solved_with_evidence` is what a replay with the gold evidence in context gave, None
    where there was none. `leaks` are shortcuts that were met, in words.
    """

    mode: Mode
    question: str
    pictures: int = Field(ge=0)
    gold: str
    turns: tuple[Turn, ...] = Field(max_length=MAX_TURNS)
    final_answer: str | None
    stop_reason: StopReason
    outcome: Literal["correct", "incorrect", "no_answer", "abstain", "infra"]
    graded: int = Field(ge=0)
    correct: int = Field(ge=0)
    solved_with_evidence: bool | None = None
    leaks: tuple[str, ...] = ()

    @property
    def is_infrastructure(self) -> bool:
        """Whether the rollout was lost and says nothing about the question."""
        return self.stop_reason.is_infrastructure or self.outcome == "infra"

    @property
    def dimensions(self) -> tuple[Dimension, ...]:
        """What is diagnosed in this mode."""
        return SHARED + OF_MODE[self.mode]


class TraceFinding(Part):
    """A mark for each dimension; a label for RL, None for SFT."""

    marks: tuple[DimensionMark, ...] = Field(max_length=len(SHARED) + 3)
    label: TraceLabel | None


def diagnosis_of(trajectory: Trajectory, mode: Mode, found: TraceFinding) -> Diagnosis:
    """The finding as a record of its trajectory."""
    return Diagnosis(
        trajectory_id=trajectory.id,
        question_id=trajectory.question_id,
        mode=mode,
        marks=found.marks,
        label=found.label,
    )


def _fill(trace: Trace) -> dict[str, str]:
    replay = {None: "not made", True: "solved", False: "not solved"}[trace.solved_with_evidence]
    return {
        "mode": trace.mode,
        "dimensions": listed(trace.dimensions),
        "question": block(trace.question, 4_000),
        "pictures": str(trace.pictures),
        "gold": line(trace.gold),
        "turns": told_turns(trace.turns),
        "answer": line(trace.final_answer or "none"),
        "ended": f"{trace.stop_reason}, judged {trace.outcome}",
        "rate": f"{trace.correct} of {trace.graded}",
        "replay": replay,
        "shortcuts": listed(trace.leaks),
    }


def check(trace: Trace, found: TraceFinding) -> str | None:
    """Each dimension once, a stage for what is bad, and a label that fits the mode and the end."""
    given = Counter(mark.dimension for mark in found.marks)
    if given != Counter(trace.dimensions):
        return f"marks are wanted for {', '.join(trace.dimensions)}, each once"
    blameless = next((m for m in found.marks if m.score < 0 and m.stage == "none"), None)
    if blameless is not None:
        return f"{blameless.dimension} is below 0, so a stage is at fault, not none"
    if (found.label is None) != (trace.mode == "sft"):
        return "a label is wanted for rl, and null for sft"
    if trace.mode == "rl" and (found.label == "infra_failure") != trace.is_infrastructure:
        return f"the label {found.label} does not fit the end: {trace.stop_reason}"
    return None


def reference(trace: Trace) -> TraceFinding:
    """By pass rate, end, outcomes of calls, repeats and shortcuts. [ours]"""
    marks = tuple(_mark(trace, dimension) for dimension in trace.dimensions)
    return TraceFinding(marks=marks, label=label(trace) if trace.mode == "rl" else None)


def label(trace: Trace) -> TraceLabel:
    """The RL label; what nobody solves is hard if the gold evidence makes it solvable."""
    if trace.is_infrastructure:
        return "infra_failure"
    rate = _rate(trace)
    if rate > RL_BAND[1]:
        return "too_easy"
    if rate >= RL_BAND[0]:
        return "good_match"
    return "fake_hard" if trace.solved_with_evidence is False else "too_hard"


def _rate(trace: Trace) -> float:
    return trace.correct / trace.graded if trace.graded else 0.0


def _mark(trace: Trace, dimension: Dimension) -> DimensionMark:
    if trace.is_infrastructure:
        evidence, score, stage = f"the rollout was lost: {trace.stop_reason}", 0, _NONE
    else:
        evidence, raw, at_fault = _RULES[dimension](trace)
        score = max(-5, min(5, round(raw)))
        stage = at_fault if score < 0 else _NONE
    return DimensionMark(dimension=dimension, evidence=evidence, score=score, stage=stage)


_Found = tuple[str, float, Stage]
_NONE: Final[Stage] = "none"


def _information_complexity(trace: Trace) -> _Found:
    fresh = sum(seen.outcome is Outcome.OK and not seen.repeat for seen in _seen(trace))
    return f"{fresh} calls brought something new", 2 * fresh - 4, "explore"


def _visual_dependency(trace: Trace) -> _Found:
    looked = any("image" in call.arguments for turn in trace.turns for call in turn.calls)
    if not trace.pictures:
        return "the question has no picture", -5, "seed_entities"
    told = "a call used a picture" if looked else "no call used a picture"
    return told, 3 if looked else -2, "seed_entities"


def _shortcut_leakage(trace: Trace) -> _Found:
    if trace.leaks:
        return f"met: {line(trace.leaks[0], 200)}", -5, "organize"
    if trace.outcome == "correct" and not _seen(trace):
        return "answered without any tool", -4, "curate"
    return "no shortcut was met", 4, "organize"


def _verifiability(trace: Trace) -> _Found:
    if holds(observed(trace.turns), trace.gold):
        return "a tool found the gold answer", 4, "curate"
    if trace.solved_with_evidence is False:
        return "not solved with the gold evidence in context", -5, "curate"
    return "no tool found the gold answer", 0 if trace.outcome == "correct" else -1, "curate"


def _step_appropriateness(trace: Trace) -> _Found:
    marks = marks_by_rule(trace.turns, trace.final_answer)
    useful = marks.count("useful")
    return f"{useful} of {len(marks)} turns are useful", _share(useful, len(marks)), "curate"


def _tool_usage_quality(trace: Trace) -> _Found:
    seen = _seen(trace)
    good = sum(each.outcome is Outcome.OK and not each.repeat for each in seen)
    return f"{good} of {len(seen)} calls worked", _share(good, len(seen)), "curate"


def _tool_pattern_diversity(trace: Trace) -> _Found:
    tools = sorted({call.name for turn in trace.turns for call in turn.calls})
    return f"{len(tools)} tools: {line(', '.join(tools), 200)}", 3 * len(tools) - 5, "explore"


def _capability_requirement(trace: Trace) -> _Found:
    return f"{len(trace.turns)} turns", len(trace.turns) - 3, "explore"


def _difficulty_match(trace: Trace) -> _Found:
    return _solved(trace), 5 - 20 * abs(_rate(trace) - 0.5), "explore"


def _learning_utility(trace: Trace) -> _Found:
    """The variance of a reward of 0 or 1, which a group's advantages need."""
    rate = _rate(trace)
    return _solved(trace), 40 * rate * (1 - rate) - 5, "explore"


def _solved(trace: Trace) -> str:
    return f"{trace.correct} of {trace.graded} rollouts are correct"


def _seen(trace: Trace) -> list[Observation]:
    pairs = (pair for turn in trace.turns for pair in calls_of(turn))
    return [seen for _, seen in pairs if seen is not None]


def _share(good: int, count: int) -> float:
    return 10 * good / count - 5 if count else -5


_RULES: Final[dict[Dimension, Callable[[Trace], _Found]]] = {
    "information_complexity": _information_complexity,
    "visual_dependency": _visual_dependency,
    "shortcut_leakage": _shortcut_leakage,
    "verifiability": _verifiability,
    "step_appropriateness": _step_appropriateness,
    "tool_usage_quality": _tool_usage_quality,
    "tool_pattern_diversity": _tool_pattern_diversity,
    "capability_requirement": _capability_requirement,
    "difficulty_match": _difficulty_match,
    "learning_utility": _learning_utility,
}

DIAGNOSE_TRACE: Final = Step(
    name="diagnose_trace",
    role="analyzer",
    input=Trace,
    output=TraceFinding,
    fill=_fill,
    check=check,
    reference=reference,
    max_tokens=2048,
)
