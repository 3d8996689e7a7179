"""One attempt: degrade a picture, let its tool restore it as in an episode, measure all three."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from curation.enhancement.measures import Scale
from hopsight.errors import Outcome, StoreError
from hopsight.harness import ImageBank, Pictures
from hopsight.harness.execute import Executed, execute, written
from hopsight.harness.render import handle
from hopsight.harness.setting import Setting
from hopsight.harness.toolset import Toolset
from hopsight.harness.workbench import Workbench
from hopsight.imaging import FACTORS
from hopsight.imaging.degrade import undegraded
from hopsight.store.images import picture_ref
from hopsight.types import Degradation, DegradationKind, ImageRef, MeasureName, ToolCall

TOOL_OF: Final[Mapping[DegradationKind, str]] = MappingProxyType(
    {
        "gaussian_blur": "sharpen",
        "defocus_blur": "sharpen",
        "motion_blur": "sharpen",
        "downsampling": "super_resolution",
        "perspective": "perspective_correct",
    }
)
"""The tool that takes a degradation back [OSV]."""

_CALL: Final = "enhance"


@dataclass(frozen=True, slots=True)
class Tried:
    """What a tool made of a degraded picture: bytes, or None with what it said instead."""

    outcome: Outcome
    data: bytes | None
    said: str


@dataclass(frozen=True, slots=True)
class Measured:
    """The three values of an attempt by one measure."""

    measure: MeasureName
    before: float
    degraded: float
    restored: float


@dataclass(slots=True)
class Scratch:
    """Pictures of one attempt, in memory: most are not worth keeping."""

    held: dict[str, bytes] = field(default_factory=dict)

    def put(self, data: bytes, source_url: str, license: str, author: str) -> ImageRef:
        """Check a picture and hold it. Raises PictureError."""
        image = picture_ref(data, source_url, license, author)
        self.held[image.sha256] = data
        return image

    def bytes(self, sha256: str) -> bytes:
        """The bytes of a held picture. Raises StoreError where it is none."""
        if sha256 not in self.held:
            raise StoreError(f"picture {sha256} is not of this attempt", "put it there first")
        return self.held[sha256]


async def restored(data: bytes, source: ImageRef, how: Degradation, bench: Workbench) -> Tried:
    """What the tool of a degradation makes of the degraded picture `data`.

    It is called as a policy calls it in an episode: by name, with arguments in JSON, on a bank
    that holds the picture. Perspective has to find the corners by itself. Raises ConfigError where
    `bench` lacks what the tool needs.
    """
    tool, pictures = TOOL_OF[how.kind], Scratch()
    setting = Setting(bench, pictures, tools=Toolset((tool,)))
    task = pictures.put(data, source.source_url, source.license, source.author)
    limits = setting.limits
    bank = ImageBank((task,), pictures, limits.max_images, limits.max_pixels)
    call = ToolCall(call_id=_CALL, name=tool, arguments=json.dumps(_arguments(how)))
    executed = await execute(call, setting, bank, limits.tool_timeout_s)
    return _tried(executed, bank, pictures)


async def measured(scale: Scale, original: bytes, data: bytes, made: bytes | None) -> Measured:
    """The original, the degraded picture and what the tool made of it, which may be nothing.

    The original is measured as a JPEG of the same quality, so that a loss is the degradation's
    alone. Raises PictureError as `undegraded`, ProviderError as `Scale.of`.
    """
    worse = await scale.of(data)
    better = worse if made is None else await scale.of(made)
    before = await scale.of(undegraded(original))
    return Measured(scale.name, round(before, 4), round(worse, 4), round(better, 4))


def _arguments(how: Degradation) -> dict[str, object]:
    given: dict[str, object] = {"image": handle(0)}
    if how.kind == "downsampling":
        given["scale"] = min(max(round(how["factor"]), FACTORS[0]), FACTORS[-1])
    return given


def _tried(executed: Executed, bank: ImageBank, pictures: Pictures) -> Tried:
    text, made = written(executed, bank, _CALL)
    outcome = executed.result.outcome
    if outcome is not Outcome.OK or not made:
        return Tried(outcome, None, text)
    return Tried(outcome, pictures.bytes(bank.entries[made[0]].image.sha256), text)
