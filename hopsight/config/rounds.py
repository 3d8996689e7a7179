"""The configuration of a round: everything that decides its bytes, and its limits on spending.

The number of workers is not here: it is an argument of a run and must not change what comes out.
Tags in descriptions: [OSV] arXiv 2605.05185, [ODE] arXiv 2605.10832, [ours] a choice of this
project. The default values are those for the mini world.
"""

from pathlib import PurePath
from typing import Annotated, Final, Literal, Self, TypeVar, get_args

from pydantic import AfterValidator, Field, model_validator

from hopsight.config.enhance import EnhanceConfig
from hopsight.config.refine import RefineConfig
from hopsight.config.section import Count, Section
from hopsight.config.source import SourceConfig
from hopsight.config.traces import TraceConfig
from hopsight.types import Domain, content_hash

Weight = Annotated[float, Field(ge=0, le=1_000_000)]
Share = Annotated[float, Field(ge=0, le=1)]
Hops = Annotated[int, Field(ge=1, le=8)]
ToolName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
RoleName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._/-]{0,99}$")]
ProbeName = Literal["direct", "text_search", "image_search", "text_only", "blank_picture"]
PROBE_NAMES: Final[tuple[ProbeName, ...]] = get_args(ProbeName)
"""In the order in which they are made."""

K = TypeVar("K", str, int)


def _by_key(weights: dict[K, float]) -> dict[K, float]:
    """Sort weights: the order in which a file lists them must not change what is drawn."""
    return dict(sorted(weights.items()))


def _each_once(names: tuple[ProbeName, ...]) -> tuple[ProbeName, ...]:
    """In the order in which they are made: that of a file must not change what is made."""
    if len(set(names)) < len(names):
        raise ValueError("a probe stands twice")
    return tuple(name for name in PROBE_NAMES if name in names)


class SeedConfig(Section):
    """Which pages a path may start from."""

    count: Count = Field(400, description="Seed pages to draw.")
    per_domain: Annotated[dict[Domain, Weight], AfterValidator(_by_key)] = Field(
        default_factory=lambda: dict.fromkeys(sorted(Domain), 1.0),
        description="Weight of each stratum; equal weights draw equally from all five [OSV].",
    )
    min_in_degree: Annotated[int, Field(ge=0)] = Field(
        1, description="Fewest pages that link to a seed; 50 for a full wiki [OSV]."
    )
    max_in_degree: Count = Field(10_000, description="Most pages that link to a seed [OSV].")
    min_picture_px: Count = Field(
        512, description="Shortest side of a seed's picture, in pixels [OSV]."
    )

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if sum(self.per_domain.values()) <= 0:
            raise ValueError("per_domain needs at least one weight above 0")
        if self.min_in_degree > self.max_in_degree:
            raise ValueError("min_in_degree is above max_in_degree")
        return self


class ExploreConfig(Section):
    """How paths are walked from a seed."""

    hops: Annotated[dict[Hops, Weight], AfterValidator(_by_key)] = Field(
        default_factory=lambda: {2: 0.4, 3: 0.4, 4: 0.2},
        description="Weight of each number of hops [OSV].",
    )
    paths: Count = Field(480, description="Paths that are wanted.")
    retries: Count = Field(10, description="Walks tried from one seed before it is dropped [OSV].")
    max_hub_in_degree: Count = Field(
        130,
        description="Pages with more links to them are hubs and never on a path; 10,000 for a "
        "full wiki [OSV].",
    )
    answer_max_tokens: Count = Field(6, description="Words of the longest answer [OSV].")

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if sum(self.hops.values()) <= 0:
            raise ValueError("hops needs at least one weight above 0")
        return self


class OrganizeConfig(Section):
    """How names are replaced by descriptions."""

    descriptors_per_node: Annotated[int, Field(ge=1, le=2)] = Field(
        2, description="Most descriptors of one node [ours]."
    )
    min_candidates: Count = Field(
        3,
        description="Entities that must fit a description alone, else the hops before it are "
        "redundant and the question is rejected as self_identifying [ours].",
    )


class CurateConfig(Section):
    """Which questions stay, and where they go."""

    policy_samples: Count = Field(4, description="Rollouts of the policy per question [ours].")
    teacher_samples: Count = Field(3, description="Rollouts of the teacher per question [ours].")
    benchmarks: tuple[Annotated[str, Field(min_length=1, max_length=1_000)], ...] = Field(
        (),
        description="Files of benchmarks (JSON, JSONL, CSV, Parquet): a question that one of them "
        "has, in words, picture or answer and way, is out.",
    )
    probes: Annotated[tuple[ProbeName, ...], AfterValidator(_each_once)] = Field(
        PROBE_NAMES,
        description="Shortcuts that are tried; a question that one solves is out. direct: no tools "
        "[OSV]; text_search, image_search: one search [ours, OSV]; text_only: the picture withheld "
        "[ours]; blank_picture: one that shows nothing [ours]. The cheapest comes first.",
    )
    eval_share: Share = Field(0.2, description="Share of anchors kept for evaluation only [ours].")
    rl_share: Share = Field(
        0.7, description="Share of the questions that are solved sometimes which go to RL [ours]."
    )
    enhance: EnhanceConfig = Field(
        default_factory=EnhanceConfig,
        description="Pictures made worse, each with a tool that is seen to restore it.",
    )
    traces: TraceConfig = Field(
        default_factory=TraceConfig,
        description="Which of the teacher's correct traces are learnt from.",
    )


class ModelsConfig(Section):
    """Who answers for a role: an endpoint of configs/models.yaml, or `reference` for rules.

    null leaves it to configs/models.yaml.
    """

    generator: RoleName | None = Field(None, description="Writes questions.")
    verifier: RoleName | None = Field(None, description="Checks what the generator wrote.")
    prober: RoleName | None = Field(None, description="Tries to answer without any tool.")
    judge: RoleName | None = Field(None, description="Grades answers.")
    policy: RoleName | None = Field(
        None, description="The policy that data are made for; by rules: reference-weak."
    )
    teacher: RoleName | None = Field(
        None, description="Its traces become SFT rows; by rules: reference-strong."
    )
    analyzer: RoleName | None = Field(None, description="Judges how traces came about.")

    @classmethod
    def roles(cls) -> tuple[str, ...]:
        """The names of the roles."""
        return tuple(cls.model_fields)


class SamplingConfig(Section):
    """How a model's turns are drawn; agents by rules do not read it. The defaults are [ODE]'s."""

    temperature: Annotated[float, Field(ge=0, le=2)] = Field(0.6, description="0 is greedy.")
    top_p: Annotated[float, Field(gt=0, le=1)] = Field(0.95, description="Nucleus.")
    max_tokens: Count = Field(8_192, description="Tokens of one turn.")


DEFAULT_TOOLS = (
    "web_search",
    "image_search",
    "visual_search",
    "visit",
    "zoom_in",
    "rotate",
    "flip",
)
"""The tools that every snapshot can serve, with no engine installed."""


class HarnessConfig(Section):
    """Limits of one episode, and how turns are drawn."""

    max_turns: Count = Field(50, description="Model calls of one episode [ODE].")
    max_calls: Count = Field(100, description="Tool calls of one episode [ours].")
    max_images: Count = Field(64, description="Pictures in one image bank [ours].")
    max_pixels: Count = Field(
        128_000_000, description="Pixels in one image bank, all pictures together [ours]."
    )
    wall_clock_s: Annotated[float, Field(gt=0, le=86_400)] = Field(
        600.0, description="Seconds that an episode may last [ours]."
    )
    backend: Annotated[str, Field(min_length=1, max_length=2_000)] = Field(
        "local",
        description="Who answers searches: local (the snapshot), live (configs/providers.yaml), "
        "replay (what live has answered before), or the address of a search server.",
    )
    tools: tuple[ToolName, ...] = Field(
        DEFAULT_TOOLS,
        min_length=1,
        description="What a policy may call, in the order in which it is told of them.",
    )
    dialect: Literal["hopsight", "ode", "opensearch_vl", "mm_deepresearch"] = Field(
        "hopsight",
        description="Whose names of tools, arguments and marks a model's policy uses; rules use "
        "ours.",
    )
    fatal_after: Count = Field(
        3, description="Tool errors in a row that end an episode as fatal [OSV]."
    )
    sampling: SamplingConfig = Field(
        default_factory=SamplingConfig, description="How a model's turns are drawn."
    )


class BudgetConfig(Section):
    """What a run may spend; it stops before a limit is passed. null is no limit."""

    max_calls: Annotated[int, Field(ge=0)] | None = Field(None, description="Model calls.")
    max_tokens: Count | None = Field(None, description="Tokens read and written by models.")
    max_usd: Annotated[float, Field(ge=0)] | None = Field(None, description="US dollars.")


class RoundConfig(Section):
    """The configuration of one evolution round."""

    round: Annotated[str, Field(pattern=r"^[0-9]{4}$")] = Field(
        "0001", description="Four digits, in quotes."
    )
    parent: Annotated[str, Field(pattern=r"^[0-9]{4}$")] | None = Field(
        None, description="The round this one was evolved from, or null."
    )
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)] = Field(
        1, description="The same seed gives the same data, with any number of workers."
    )
    source: SourceConfig = Field(default_factory=SourceConfig, description="The wiki.")
    seed_entities: SeedConfig = Field(
        default_factory=SeedConfig, description="Which pages a path may start from."
    )
    explore: ExploreConfig = Field(
        default_factory=ExploreConfig, description="How paths are walked from a seed."
    )
    organize: OrganizeConfig = Field(
        default_factory=OrganizeConfig, description="How names are replaced by descriptions."
    )
    refine: RefineConfig = Field(
        default_factory=RefineConfig, description="How easy questions are made hard."
    )
    curate: CurateConfig = Field(
        default_factory=CurateConfig, description="Which questions stay, and where they go."
    )
    models: ModelsConfig = Field(
        default_factory=ModelsConfig,
        description="Who answers for a role: an endpoint of configs/models.yaml, or reference, "
        "which is rules. null: as configs/models.yaml says.",
    )
    harness: HarnessConfig = Field(
        default_factory=HarnessConfig, description="Limits of one episode."
    )
    budget: BudgetConfig = Field(
        default_factory=BudgetConfig, description="What a run may spend; null is no limit."
    )

    @model_validator(mode="after")
    def _parent_before(self) -> Self:
        if self.parent is not None and self.parent >= self.round:
            raise ValueError(f"parent {self.parent} does not come before round {self.round}")
        return self


def fingerprint(config: RoundConfig) -> str:
    """Sha-256 (hex) of what decides the data of a round.

    Left out: `budget`, since a limit stops a run and does not change what it makes; the folders
    of the source, since a dump that is moved stays the same dump; how politely a wiki is asked.
    """
    value = config.model_dump(mode="json", exclude={"budget"})
    for key in ("dump", "pictures", "sql"):
        path = value["source"][key]
        value["source"][key] = None if path is None else PurePath(path).name
    if config.source.api is not None:
        value["source"]["api"] = config.source.api.decides()
    return content_hash(value)
