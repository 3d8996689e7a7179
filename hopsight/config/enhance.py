"""The enhancement subset: how many pictures are degraded, how, and when an attempt counts."""

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from hopsight.config.section import Section
from hopsight.types import DegradationKind


def _ordered(ends: tuple[float, float]) -> tuple[float, float]:
    if ends[0] > ends[1]:
        raise ValueError(f"{ends[0]:g} to {ends[1]:g} is no range: the lower end comes first")
    return ends


Sigma = Annotated[float, Field(ge=0.5, le=6)]
Pixels = Annotated[float, Field(ge=1, le=64)]
Factor = Annotated[float, Field(gt=1, le=8)]
Shift = Annotated[float, Field(ge=0, lt=0.3)]
Share = Annotated[float, Field(ge=0, le=1)]


class DegradeConfig(Section):
    """The ranges that the parameters of a degradation are drawn from, evenly; all [ours]."""

    gaussian_sigma: Annotated[tuple[Sigma, Sigma], AfterValidator(_ordered)] = Field(
        (1.0, 3.0), description="Width of a Gaussian blur, in pixels [ours]."
    )
    defocus_radius: Annotated[tuple[Pixels, Pixels], AfterValidator(_ordered)] = Field(
        (2.0, 5.0), description="Radius of the disc of a defocused lens, in pixels [ours]."
    )
    motion_length: Annotated[tuple[Pixels, Pixels], AfterValidator(_ordered)] = Field(
        (4.0, 12.0), description="Way of a moving camera, in pixels, in any direction [ours]."
    )
    downsample_factor: Annotated[tuple[Factor, Factor], AfterValidator(_ordered)] = Field(
        (2.0, 5.0), description="How many times smaller each side gets [ours]."
    )
    corner_shift: Annotated[tuple[Shift, Shift], AfterValidator(_ordered)] = Field(
        (0.04, 0.2),
        description="How far each corner moves inward, as a share of width and of height [ours].",
    )


class EnhanceConfig(Section):
    """The enhancement subset: pictures made worse, each with a tool that is seen to restore it."""

    share: Share = Field(0.1, description="Share of the questions whose picture is degraded [OSV].")
    kinds: Annotated[tuple[DegradationKind, ...], Field(min_length=1)] = Field(
        ("gaussian_blur", "defocus_blur", "downsampling", "perspective"),
        description="What may be done to a picture, of which a round takes what a tool in "
        "harness.tools takes back: sharpen, super_resolution, perspective_correct [OSV]. Blur of "
        "two lenses [ours]; motion_blur can be named too, and sharpen hardly ever takes it back.",
    )
    measure: Literal["keypoints", "text"] = Field(
        "keypoints",
        description="What the original, the degraded and the restored picture are compared by: "
        "key points found again in place, or, where a picture has writing, how much of it is read "
        "(needs rapidocr and onnxruntime). Plain pictures: structural similarity [ours].",
    )
    min_loss: Share = Field(
        0.05, description="Least that a degradation must cost by the measure, of 1 [ours]."
    )
    min_gain: Share = Field(
        0.05, description="Least that the tool must bring back by the measure, of 1 [ours]."
    )
    ranges: DegradeConfig = Field(
        default_factory=DegradeConfig, description="What the parameters are drawn from [ours]."
    )

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if len(set(self.kinds)) < len(self.kinds):
            raise ValueError("kinds names one twice")
        return self
