"""Refine: which questions are made harder, by which operators, and how far."""

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from hopsight.config.section import Section

Plan = Literal[
    "none",
    "expand",
    "blur",
    "visualize",
    "expand+blur",
    "expand+visualize",
    "blur+visualize",
    "expand+blur+visualize",
]
Weight = Annotated[float, Field(ge=0, le=1_000_000)]
Few = Annotated[int, Field(ge=1, le=4)]


def _by_name(weights: dict[Plan, float]) -> dict[Plan, float]:
    """Sort weights: the order in which a file lists them must not change what is drawn."""
    return dict(sorted(weights.items()))


def _usual_plans() -> dict[Plan, float]:
    return {
        "blur": 0.15,
        "blur+visualize": 0.1,
        "expand": 0.05,
        "expand+blur": 0.05,
        "expand+blur+visualize": 0.05,
        "none": 0.5,
        "visualize": 0.1,
    }


class ExpandConfig(Section):
    """Expand(L): the old answer becomes a waypoint."""

    hops: Few = Field(1, description="Hops that are added, exactly [OPD; value ours].")


class BlurConfig(Section):
    """Blur(M, W): facts in place of a stated relation."""

    nodes: Few = Field(1, description="Interior nodes that are blurred, exactly [OPD; value ours].")
    facts: Annotated[int, Field(ge=1, le=3)] = Field(
        2, description="Facts that each is told by, exactly [OPD; value ours]."
    )


class VisualizeConfig(Section):
    """Visualize(N, P, Q), where P is 1: a snapshot holds one picture a page."""

    nodes: Few = Field(
        1, description="Nodes told by their pictures, counted from the last [OPD; value ours]."
    )
    facts: Annotated[int, Field(ge=1, le=3)] = Field(
        2, description="Most visual facts that each is told by [OPD; value ours]."
    )


class ImportedConfig(Section):
    """Solved questions of others, as seeds."""

    files: tuple[Annotated[str, Field(min_length=1, max_length=1_000)], ...] = Field(
        (),
        description="Files with question, answer, images and reasoning: Parquet, JSON, JSONL, CSV.",
    )
    pictures: Annotated[str, Field(min_length=1, max_length=1_000)] | None = Field(
        None, description="The folder of the pictures; null is the folder of each file."
    )
    fetch: bool = Field(
        default=False, description="Fetch pictures that a row only gives the address of."
    )


class RefineConfig(Section):
    """How easy questions are made hard."""

    imported: ImportedConfig = Field(
        default_factory=ImportedConfig,
        description="Seeds from files; BuildLink finds their way in the wiki [OPD].",
    )

    plans: Annotated[dict[Plan, Weight], AfterValidator(_by_name)] = Field(
        default_factory=_usual_plans,
        description="Weight of each way through the operators; a question that an operator cannot "
        "make harder goes on as it was, and the attempt is told as rejected [ours].",
    )
    expand: ExpandConfig = Field(
        default_factory=ExpandConfig, description="Expand(L): more hops [OPD]."
    )
    blur: BlurConfig = Field(
        default_factory=BlurConfig, description="Blur(M, W): facts for relations [OPD]."
    )
    visualize: VisualizeConfig = Field(
        default_factory=VisualizeConfig, description="Visualize(N, Q): pictures for facts [OPD]."
    )

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if sum(self.plans.values()) <= 0:
            raise ValueError("plans needs at least one weight above 0")
        return self
