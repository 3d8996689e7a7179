"""Stage results over the small atlas, for the tests of later stages."""

from functools import cache

from curation.canonical import canonical_questions
from curation.fuzz import fuzzed_questions
from curation.ground import grounded_questions
from curation.paths import sample_paths
from curation.seeds import seed_entities
from hopsight.chains.framed import Framed
from hopsight.chains.walker import PathRules, Walker
from hopsight.errors import Outcome
from hopsight.types import (
    Domain,
    LinkPath,
    Observation,
    Question,
    StopReason,
    ToolCall,
    Trajectory,
    Turn,
    Usage,
)
from hopsight.wiki.snapshot import Snapshot
from tests.worlds import Pictures, atlas

PICTURES = Pictures()
RULES = PathRules(hops={2: 0.5, 3: 0.5}, paths=30)


@cache
def walker() -> Walker:
    """A walker over the atlas."""
    return Walker(atlas(PICTURES), RULES)


@cache
def paths(seed: int = 1) -> tuple[LinkPath, ...]:
    """Paths from every pictured page."""
    world = walker().world
    seeds = seed_entities(
        world,
        count=100,
        weights=dict.fromkeys(Domain, 1.0),
        min_in_degree=1,
        max_in_degree=1000,
        min_picture_px=512,
        seed=seed,
    )
    return sample_paths(walker(), seeds.kept, RULES, seed=seed).kept


@cache
def canonical() -> Framed:
    """Canonical questions."""
    return canonical_questions(walker(), paths(), round="0001")


@cache
def fuzzed() -> tuple[Snapshot, Framed]:
    """The world and its fuzzed questions."""
    world = walker().world
    assert isinstance(world, Snapshot)
    return world, fuzzed_questions(walker(), canonical(), seed=1)


@cache
def grounded() -> Framed:
    """Grounded questions."""
    world, framed = fuzzed()
    return grounded_questions(world, framed, PICTURES)


def trajectory(
    question: Question,
    answer: str | None,
    *,
    policy: str = "weak",
    sample: int = 0,
    stop: StopReason = StopReason.ANSWERED,
    calls: int = 1,
    repeats: int = 0,
    fatal_step: int | None = None,
) -> Trajectory:
    """A made-up rollout with `calls` successful tool calls, the last `repeats` of them repeated."""
    turns = []
    for number in range(calls):
        call = ToolCall(call_id=f"c{number}", name="web_search", arguments="{}")
        seen = Observation(
            call_id=f"c{number}",
            text="found",
            images=(),
            outcome=Outcome.OK,
            repeat=number >= calls - repeats,
        )
        turns.append(Turn(text="", calls=(call,), observations=(seen,)))
    return Trajectory(
        question_id=question.id,
        policy=policy,
        sample=sample,
        seed=0,
        task=question.task,
        turns=tuple(turns),
        bank=(),
        final_answer=answer,
        stop_reason=stop,
        fatal_step=fatal_step,
        usage=Usage(model_calls=calls + 1, tool_calls=calls, images=1),
    )
