"""Probe (a): can the question be answered in one turn, without any tool?"""

from collections.abc import Callable, Sequence
from typing import Final

from curation.looks import Pictures
from curation.probes.outcomes import Probed, sort_out
from curation.verdicts import PanelFor, judge_by, rules_alone
from hopsight.errors import Outcome, ProviderError, ToolError
from hopsight.harness.policy import EpisodeView, Policy, Remaining
from hopsight.harness.render import extract_answer
from hopsight.types import Question, StopReason, Task, Trajectory, Usage, content_hash
from hopsight.waiting import all_done

DIRECT: Final = "direct"


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
    answers = (one_turn(each, each.task, policy, pictures, seed) for each in questions)
    trajectories = await all_done(answers)
    judged = await judge_by(questions, trajectories, panel_for)
    return sort_out(DIRECT, questions, trajectories, judged.verdicts)


async def one_turn(
    question: Question, task: Task, policy: Policy, pictures: Pictures, seed: int
) -> Trajectory:
    """One turn of a policy that has no tools, as a trajectory; the policy sees `task` alone."""
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
