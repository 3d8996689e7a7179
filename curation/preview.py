"""A look at a round: the same stages up to the grounded questions, on a few paths."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from curation import probes
from curation.canonical import canonical_questions
from curation.fuzz import fuzzed_questions
from curation.ground import grounded_questions
from curation.looks import Pictures
from curation.paths import sample_paths
from curation.recipe import draw_seeds, path_rules
from curation.wording import STAGE as WORDING
from curation.wording import readers_of, worded_questions
from hopsight.chains.framed import Framed
from hopsight.chains.walker import Walker
from hopsight.config import RoundConfig
from hopsight.datasets import SNAPSHOT_ROUND
from hopsight.harness.policies import Sampling
from hopsight.judge import JudgeSetup
from hopsight.judge.panel import panel_of
from hopsight.llm.service import Models
from hopsight.policies import make_policy
from hopsight.stage import Staged
from hopsight.types import EvidenceChain, Question, SnapshotRecord
from hopsight.unique import FactIndex
from hopsight.wiki import ingest
from hopsight.wiki.snapshot import Snapshot
from hopsight.wiki.tables import write_tables
from hopsight.workspace import Workspace
from refine.stages import STAGES, refined_by


@dataclass(frozen=True, slots=True)
class Preview:
    """Questions with their chains, what each stage rejected by reason, the wiki, its pictures."""

    questions: Staged[Question]
    chains: tuple[EvidenceChain, ...]
    reasons: Mapping[str, Mapping[str, int]]
    world: Snapshot
    pictures: Pictures

    @property
    def pairs(self) -> tuple[tuple[Question, EvidenceChain], ...]:
        """Each question with its chain."""
        return tuple(zip(self.questions.kept, self.chains, strict=True))


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
    reasons: dict[str, Mapping[str, int]] = {
        "link_paths": paths.reasons(),
        "canonical_questions": canonical.questions.reasons(),
        "fuzzed_questions": fuzzed.questions.reasons(),
        "grounded_questions": grounded.questions.reasons(),
    }
    final = grounded
    for operator, stage in STAGES.items():
        refined = refined_by(operator, walker, final, config.refine, seed=config.seed)
        final = refined.joined
        reasons[stage] = refined.harder.questions.reasons()
    kept = Staged(grounded.questions.entered, final.questions.kept, grounded.questions.rejected)
    return Preview(kept, final.chains, reasons, world, home.images)


async def word_preview(preview: Preview, models: Models) -> Preview:
    """Let models read and word the questions, as the round will; unchanged where rules do.

    What they answer is kept, so that the round does not pay for it again. Raises BudgetExceeded.
    """
    readers = readers_of(models)
    if readers is None:
        return preview
    world = preview.world
    grounded = Framed(preview.questions, preview.chains)
    worded = await worded_questions(world, FactIndex(world), grounded, readers)
    reasons = {**preview.reasons, WORDING: worded.questions.reasons()}
    return Preview(worded.questions, worded.chains, reasons, world, preview.pictures)


async def probe_preview(
    preview: Preview, config: RoundConfig, models: Models, judge: JudgeSetup
) -> probes.Probed:
    """Let the prober's model answer the questions without tools, exactly as the round will.

    What it and the judge answer is kept, so that the round does not pay for it again. Raises
    BudgetExceeded.
    """
    sampling = Sampling(**config.harness.sampling.model_dump())
    prober = make_policy("prober", probes.STAGE, sampling, str(config.models.prober), models)
    questions = [question for question, _ in preview.pairs]
    panel_for = partial(panel_of, judge, models, probes.STAGE)
    return await probes.direct(questions, prober, preview.pictures, panel_for, seed=config.seed)


def _holds_source(config: RoundConfig, workspace: Workspace) -> bool:
    """Whether the stored snapshot is that of the round's source, by the test that a round makes."""
    if not workspace.store.exists("snapshots", SNAPSHOT_ROUND):
        return False
    stored = workspace.store.read("snapshots", SNAPSHOT_ROUND, SnapshotRecord)[0]
    fits = stored.choice == ingest.choice(config, stored.articles)
    return fits and ingest.same_source(config, stored)


def _ingested(config: RoundConfig, scratch: Workspace) -> Workspace:
    ingest.scan_source(config.source, scratch, workers=1)
    graphs = ingest.build_links(config.source, scratch, config.explore.max_hub_in_degree)
    write_tables(ingest.read_selected(config, scratch, graphs).tables, scratch.store)
    return scratch
