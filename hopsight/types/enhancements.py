"""Records of pictures that were made worse, and of what a tool brings back."""

from typing import ClassVar, Literal

from typing_extensions import override

from hopsight.types.base import Part, Record, Sha256

DegradationKind = Literal[
    "gaussian_blur", "defocus_blur", "motion_blur", "downsampling", "perspective"
]
"""What is done to a picture."""

MeasureName = Literal["text", "keypoints", "ssim"]
"""What versions of a picture are compared by."""


class Parameter(Part):
    """A drawn value by name; lengths in pixels, angles in degrees, corners in shares of a side."""

    name: str
    value: float


class Degradation(Part):
    """What was done to a picture, exactly enough to do it again."""

    kind: DegradationKind
    parameters: tuple[Parameter, ...]

    def __getitem__(self, name: str) -> float:
        """The value of a parameter. Raises KeyError where it has none of that name."""
        for each in self.parameters:
            if each.name == name:
                return each.value
        raise KeyError(name)


class Enhancement(Record):
    """A question whose picture was degraded, and the proof that `tool` restores it.

    `before`, `degraded` and `restored` say by `measure` how much of the original a version gives,
    from 0 to 1: the original as a JPEG, what the question now shows, and what the tool makes of it.
    `picture` is what the question shows, `source` the original; licence and author are its own.
    """

    kind: ClassVar[str] = "enh"
    question_id: str
    parent_id: str
    degradation: Degradation
    tool: str
    measure: MeasureName
    before: float
    degraded: float
    restored: float
    picture: Sha256
    source: Sha256

    @property
    @override
    def parents(self) -> tuple[str, ...]:
        return (self.question_id,)
