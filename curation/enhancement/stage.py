"""The enhancement subset: a few questions get a worse picture that one tool is seen to restore."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from types import MappingProxyType
from typing import Final

from curation.enhancement.attempt import TOOL_OF, Measured, measured, restored
from curation.enhancement.measures import scale_for
from hopsight.config.enhance import EnhanceConfig
from hopsight.errors import Outcome, PictureError, ProviderError
from hopsight.harness import Pictures
from hopsight.harness.workbench import Workbench
from hopsight.imaging.degrade import Degraded, degraded
from hopsight.stage import Staged
from hopsight.steps import each_of
from hopsight.types import DegradationKind, Enhancement, Question, Rejection, content_hash

STAGE = "enhancements"
CONCURRENT: Final = 4
"""Attempts under way at once; the engines have as many threads."""


@dataclass(frozen=True, slots=True)
class Studio:
    """What attempts work with.

    `bench` holds the engines of the tools and, where writing is read, the reader. `written` is
    what is known to stand on a picture, by its sha-256.
    """

    pictures: Pictures
    bench: Workbench
    rules: EnhanceConfig
    seed: int
    written: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Enhanced:
    """All questions that go on, in their order, and what became of the attempts."""

    questions: tuple[Question, ...]
    attempts: Staged[Enhancement]


async def enhanced_questions(
    questions: Sequence[Question], studio: Studio, tools: Collection[str]
) -> Enhanced:
    """Degrade the picture of `rules.share` of the questions, each as a tool of `tools` takes back.

    Every question goes on. One that is chosen goes on with its degraded picture, and so with a new
    id and the old one as its parent, if the measured gain proves that the tool helps; else as it
    was, and the attempt is rejected: `picture_unusable`, `not_degraded` (the picture is hardly
    worse), `not_restored` (the tool hardly helps), `tool_failed` or `reader_failed`
    (infrastructure). Where no tool of `tools` takes anything back, nothing is chosen.

    What is chosen and drawn depends on the seed and the questions' ids, not on their order.
    Raises ConfigError where the bench lacks an engine, StoreError for a picture that is missing.
    """
    kinds = possible(studio.rules, tools)
    picked = chosen(questions, studio.rules.share, studio.seed) if kinds else []
    results = await each_of(partial(_attempt, studio, kinds), picked, concurrency=CONCURRENT)
    made = {question.id: result for question, result in zip(picked, results, strict=True)}
    kept = [each[1] for each in results if not isinstance(each, Rejection)]
    rejected = [each for each in results if isinstance(each, Rejection)]
    return Enhanced(
        tuple(_going_on(question, made.get(question.id)) for question in questions),
        Staged(len(picked), tuple(kept), tuple(rejected)),
    )


def unchanged(questions: Sequence[Question]) -> Enhanced:
    """No attempt at all: every question goes on as it is."""
    return Enhanced(tuple(questions), Staged(0, (), ()))


def possible(rules: EnhanceConfig, tools: Collection[str]) -> tuple[DegradationKind, ...]:
    """The kinds of degradation that one of `tools` takes back."""
    return tuple(kind for kind in rules.kinds if TOOL_OF[kind] in tools)


def chosen(questions: Sequence[Question], share: float, seed: int) -> list[Question]:
    """`share` of the questions that have a picture, rounded, in an order that the seed decides."""
    pictured = [question for question in questions if question.images]
    order = sorted(pictured, key=lambda each: content_hash([STAGE, seed, each.id]))
    return order[: round(share * len(pictured))]


def originals(enhancements: Iterable[Enhancement]) -> dict[str, str]:
    """Sha-256 of each degraded picture to that of the picture it was made from."""
    return {each.picture: each.source for each in enhancements}


def _going_on(
    question: Question, result: tuple[Question, Enhancement] | Rejection | None
) -> Question:
    return question if result is None or isinstance(result, Rejection) else result[0]


async def _attempt(
    studio: Studio, kinds: Sequence[DegradationKind], question: Question
) -> tuple[Question, Enhancement] | Rejection:
    rng = Random(f"enhance|{studio.seed}|{question.id}")
    # The tool first, so that each is called for as often, however many kinds it takes back.
    tool = rng.choice(sorted({TOOL_OF[kind] for kind in kinds}))
    kind = rng.choice([kind for kind in kinds if TOOL_OF[kind] == tool])
    original = studio.pictures.bytes(question.images[0].sha256)
    try:
        worse = degraded(original, kind, studio.rules.ranges, rng)
        return await _proven(studio, question, original, worse)
    except PictureError as error:
        return _rejection(question, "picture_unusable", f"{kind}: {error.cause}")
    except ProviderError as error:
        return _rejection(question, "reader_failed", error.cause)


async def _proven(
    studio: Studio, question: Question, original: bytes, worse: Degraded
) -> tuple[Question, Enhancement] | Rejection:
    """The question with its worse picture, if the tool is seen to restore it."""
    source, how = question.images[0], worse.degradation
    tried = await restored(worse.data, source, how, studio.bench)
    if tried.outcome is Outcome.TRANSIENT:
        return _rejection(question, "tool_failed", tried.said)
    reader = studio.bench.layout if studio.rules.measure == "text" else None
    scale = await scale_for(original, reader, studio.written.get(source.sha256, ""))
    found = await measured(scale, original, worse.data, tried.data)
    reason = unproven(found, studio.rules)
    if reason is not None:
        told = f"{how.kind}, {found.measure} {found.before:.3f} {found.degraded:.3f} "
        return _rejection(question, reason, f"{told}{found.restored:.3f}: {tried.said}")
    image = studio.pictures.put(worse.data, source.source_url, source.license, source.author)
    enhanced = question.model_copy(
        update={"images": (image, *question.images[1:]), "parent_id": question.id}
    )
    return enhanced, Enhancement(
        question_id=enhanced.id,
        parent_id=question.id,
        degradation=how,
        tool=TOOL_OF[how.kind],
        measure=found.measure,
        before=found.before,
        degraded=found.degraded,
        restored=found.restored,
        picture=image.sha256,
        source=source.sha256,
    )


def unproven(found: Measured, rules: EnhanceConfig) -> str | None:
    """Why an attempt proves nothing, None where the tool helped."""
    if found.before - found.degraded < rules.min_loss:
        return "not_degraded"
    return "not_restored" if found.restored - found.degraded < rules.min_gain else None


def _rejection(question: Question, reason: str, detail: str) -> Rejection:
    return Rejection(record_id=question.id, stage=STAGE, reason=reason, detail=detail)
