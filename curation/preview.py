"""A look at a round: the same stages up to the grounded questions, on a few paths."""

from collections.abc import Mapping
from dataclasses import dataclass

from curation import probes
from curation.canonical import canonical_questions
from curation.fuzz import fuzzed_questions
from curation.ground import Pictures, grounded_questions
from curation.paths import Walker, sample_paths
from curation.recipe import draw_seeds, path_rules
from hopsight.config import RoundConfig
from hopsight.datasets import SNAPSHOT_ROUND
from hopsight.harness.policies import Sampling
from hopsight.llm.service import Models
from hopsight.policies import make_policy
from hopsight.types import EvidenceChain, Question, SnapshotRecord
from hopsight.wiki import ingest
from hopsight.wiki.snapshot import Snapshot
from hopsight.wiki.sources import source_name
from hopsight.wiki.tables import write_tables
from hopsight.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Preview:
    """Questions with their chains, what each stage rejected by reason, and the pictures."""

    pairs: tuple[tuple[Question, EvidenceChain], ...]
    reasons: Mapping[str, Mapping[str, int]]
    pictures: Pictures


def preview_questions(config: RoundConfig, workspace: Workspace, scratch: Workspace) -> Preview:
    """Make the first `explore.paths` questions of a round.

    The wiki is the one stored in `workspace`, which is not written to; where that holds none of
    the round's source, it is read from the source into `scratch`.
    """
    home = workspace if _holds_source(config, workspace) else _ingested(config, scratch)
    world = Snapshot.load(home.store)
    seeds = draw_seeds(world, config)
    rules = path_rules(config)
    walker = Walker(world, rules)
    paths = sample_paths(walker, seeds.kept, rules, seed=config.seed)
    canonical = canonical_questions(walker, paths.kept, round=config.round)
    fuzzed = fuzzed_questions(walker, canonical, seed=config.seed)
    grounded = grounded_questions(
        world, fuzzed, home.images, min_picture_px=config.seed_entities.min_picture_px
    )
    return Preview(
        tuple(zip(grounded.questions.kept, grounded.chains, strict=True)),
        {
            "link_paths": paths.reasons(),
            "canonical_questions": canonical.questions.reasons(),
            "fuzzed_questions": fuzzed.questions.reasons(),
            "grounded_questions": grounded.questions.reasons(),
        },
        home.images,
    )


async def probe_preview(preview: Preview, config: RoundConfig, models: Models) -> probes.Probed:
    """Let the prober's model answer the questions without tools, exactly as the round will.

    Its answers are kept, so that the round does not pay for them again. Raises BudgetExceeded.
    """
    sampling = Sampling(**config.harness.sampling.model_dump())
    prober = make_policy("prober", probes.STAGE, sampling, str(config.models.prober), models)
    questions = [question for question, _ in preview.pairs]
    return await probes.direct(questions, prober, preview.pictures, seed=config.seed)


def _holds_source(config: RoundConfig, workspace: Workspace) -> bool:
    """Whether the stored snapshot is that of the round's source, by the test that a round makes."""
    if not workspace.store.exists("snapshots", SNAPSHOT_ROUND):
        return False
    stored = workspace.store.read("snapshots", SNAPSHOT_ROUND, SnapshotRecord)[0]
    return (stored.source, stored.dump) == (config.source.kind, source_name(config.source))


def _ingested(config: RoundConfig, scratch: Workspace) -> Workspace:
    ingest.scan_source(config.source, scratch, workers=1)
    graphs = ingest.build_links(config.source, scratch, config.explore.max_hub_in_degree)
    write_tables(ingest.read_selected(config, scratch, graphs).tables, scratch.store)
    return scratch
