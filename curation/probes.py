"""Probes: shortcuts that are tried, not opinions. A question that one solves is out.

Here the direct probe (no tools); the others take the same form.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from curation.ground import Pictures
from curation.verdicts import PanelFor, judge_by, rules_alone
from hopsight.errors import Outcome, ProviderError, ToolError
from hopsight.harness.policy import EpisodeView, Policy, Remaining
from hopsight.harness.render import extract_answer
from hopsight.stage import Staged
from hopsight.types import (
    ProbeResult,
    Question,
    Rejection,
    StopReason,
    Task,
    Trajectory,
    Usage,
    Verdict,
    content_hash,
)
from hopsight.waiting import all_done

STAGE = "probe_results"
DIRECT = "direct"
_UNJUDGED = "unjudged"


@dataclass(frozen=True, slots=True)
class Probed:
    """Questions that withstood a probe, and what the probe did on every question."""

    questions: Staged[Question]
    results: tuple[ProbeResult, ...]
    verdicts: tuple[Verdict, ...]


async def direct(
    questions: Sequence[Question],
    policy: Policy,
    pictures: Pictures,
    panel_for: PanelFor = rules_alone,
    *,
    seed: int,
) -> Probed:
    """Let a policy answer each question in one turn, without tools, and judge its answer.

    It is judged as a rollout is: by rule where a rule decides, else by the panel of its question.
    """
    answers = (_answer(question, policy, pictures, seed) for question in questions)
    trajectories = await all_done(answers)
    judged = await judge_by(questions, trajectories, panel_for)
    return sort_out(DIRECT, questions, trajectories, judged.verdicts)


def sort_out(
    probe: str,
    questions: Sequence[Question],
    trajectories: Sequence[Trajectory],
    verdicts: Sequence[Verdict],
) -> Probed:
    """Reject what any trajectory solved, as `<probe>_probe_solved`.

    A question that infrastructure kept from being probed or judged is rejected as
    `<probe>_probe_unjudged`: an outage is no pass.
    """
    by_trajectory = {verdict.trajectory_id: verdict for verdict in verdicts}
    outcomes = defaultdict(list)
    for trajectory in trajectories:
        if trajectory.id in by_trajectory:
            pair = (trajectory, by_trajectory[trajectory.id])
            outcomes[trajectory.question_id].append(pair)
    kept, rejected, results = [], [], []
    for question in questions:
        result = _result(probe, question, outcomes[question.id])
        results.append(result)
        if result.solved or result.detail == _UNJUDGED:
            ending = "solved" if result.solved else "unjudged"
            rejected.append(
                Rejection(
                    record_id=question.id,
                    stage=STAGE,
                    reason=f"{probe}_probe_{ending}",
                    detail=result.answer or "",
                )
            )
        else:
            kept.append(question)
    staged = Staged(len(questions), tuple(kept), tuple(rejected))
    return Probed(staged, tuple(results), tuple(verdicts))


def _result(
    probe: str, question: Question, outcomes: Sequence[tuple[Trajectory, Verdict]]
) -> ProbeResult:
    judged = [pair for pair in outcomes if pair[1].outcome != "infra"]
    winner = next((pair[0] for pair in judged if pair[1].outcome == "correct"), None)
    shown = winner or (judged[0][0] if judged else None)
    return ProbeResult(
        question_id=question.id,
        probe=probe,
        answer=shown.final_answer if shown else None,
        solved=winner is not None,
        detail=f"{len(judged)} judged" if judged else _UNJUDGED,
    )


async def _answer(question: Question, policy: Policy, pictures: Pictures, seed: int) -> Trajectory:
    """One turn of a policy that has no tools, as a trajectory."""
    task = question.task
    # Of the task and the round's seed alone: nothing about the gold answer may reach a policy.
    episode_seed = int(content_hash([DIRECT, task.id, policy.name, seed])[:8], 16)
    view = EpisodeView(task, (), (), Remaining(turns=1, calls=0), None, _reader(task, pictures))
    answer: str | None = None
    try:
        turn = await policy.begin(episode_seed).act(view)
    except ProviderError:
        stop = StopReason.POLICY_FAILED
    else:
        answer = None if turn.calls else extract_answer(turn.text)
        stop = StopReason.NO_ANSWER if answer is None else StopReason.ANSWERED
    return Trajectory(
        question_id=question.id,
        policy=policy.name,
        sample=0,
        seed=episode_seed,
        task=task,
        turns=(),
        bank=(),
        final_answer=answer,
        stop_reason=stop,
        fatal_step=None,
        usage=Usage(model_calls=1, tool_calls=0, images=len(task.images)),
    )


def _reader(task: Task, pictures: Pictures) -> Callable[[int], bytes]:
    def pixels(handle: int) -> bytes:
        if not 0 <= handle < len(task.images):
            raise ToolError(
                Outcome.INVALID_ARGS, f"no image {handle}; there are {len(task.images)}"
            )
        return pictures.bytes(task.images[handle].sha256)

    return pixels
