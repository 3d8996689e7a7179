"""Questions and trajectories to judge."""

from hopsight.types import PromptRef, Question, StopReason, Trajectory, Usage


def question(answer="Paris", aliases=()):
    prompt = PromptRef(name="rules", version="1", sha256="0" * 64)
    return Question(
        text="Where?",
        answer=answer,
        answer_aliases=aliases,
        images=(),
        chain_id="chain_1",
        parent_id=None,
        operator="ground",
        prompt=prompt,
        round="0001",
    )


def trajectory(asked, answer, stop=StopReason.ANSWERED):
    return Trajectory(
        question_id=asked.id,
        policy="p",
        sample=0,
        seed=0,
        task=asked.task,
        turns=(),
        bank=(),
        final_answer=answer,
        stop_reason=stop,
        fatal_step=None,
        usage=Usage(model_calls=1, tool_calls=0, images=0),
    )
