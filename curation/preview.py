"""A look at a round: the same stages up to the refined questions, on a few paths and seeds."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from curation import probes
from curation.canonical import canonical_questions
from curation.fuzz import fuzzed_questions
from curation.ground import grounded_questions
from curation.looks import Pictures
from curation.paths import sample_paths
from curation.recipe import draw_seeds, path_rules
from curation.wording import STAGE as WORDING
from curation.wording import entered, readers_of, worded_anew, worded_questions
from hopsight.chains.framed import Framed, framed
from hopsight.chains.walker import Walker
from hopsight.config import RoundConfig
from hopsight.datasets import SNAPSHOT_ROUND
from hopsight.errors import StoreError
from hopsight.harness.policies import Sampling
from hopsight.judge import JudgeSetup
from hopsight.judge.panel import panel_of
from hopsight.llm.service import Models
from hopsight.policies import make_policy
from hopsight.stage import Staged
from hopsight.types import EvidenceChain, Question, Seed, SnapshotRecord
from hopsight.wiki import ingest
from hopsight.wiki.stored import stored_snapshot
from hopsight.wiki.tables import write_tables
from hopsight.workspace import Workspace
from refine import build_link, imported
from refine.imported.linked import linked_seeds
from refine.imported.unchanged import STAGE as REFINED
from refine.imported.unchanged import unchanged_seeds
from refine.stages import STAGES, refined_by


@dataclass(frozen=True, slots=True)
class Preview:
    """Questions with their chains, what each stage rejected by reason, and their pictures.

    `asked` holds by stage the records that models were asked about, none where rules answered;
    `seeds` the ids of the imported questions that were read, `rows` how many the files hold.
    """

    questions: Staged[Question]
    chains: tuple[EvidenceChain, ...]
    reasons: Mapping[str, Mapping[str, int]]
    pictures: Pictures
    asked: Mapping[str, frozenset[str]]
    seeds: frozenset[str] = frozenset()
    read: int = 0
    rows: int = 0

    @property
    def pairs(self) -> tuple[tuple[Question, EvidenceChain], ...]:
        """Each question with its chain."""
        return tuple(zip(self.questions.kept, self.chains, strict=True))

    @property
    def imported(self) -> int:
        """How many of the questions come from imported ones."""
        return sum(chain.path_id in self.seeds for chain in self.chains)


async def preview_questions(
    config: RoundConfig, workspace: Workspace, scratch: Workspace, models: Models
) -> Preview:
    """Make the first `explore.paths` questions of a round, and those of as many imported rows.

    The stages are those of the round in its order; where models read and word, they do it here,
    and what they answer is kept, so that the round does not pay for it again. The wiki is the one
    stored in `workspace`, which is not written to; where that holds none of the round's source,
    it is read from the source into `scratch`, as pictures of imported rows are. Raises
    BudgetExceeded, and ProviderError where a model failed for every question.
    """
    home = workspace if _holds_source(config, workspace) else _ingested(config, scratch)
    world = stored_snapshot(home.store)
    maker = _Maker(config, Walker(world, path_rules(config)), models)
    grounded = await maker.grounded(home)
    rules = config.refine.imported
    most = config.explore.paths
    # Fetching pictures runs a loop of its own.
    seeds = await asyncio.to_thread(imported.read_files, rules, scratch.images, first=most)
    linked = await maker.linked(seeds)
    pairs = (*grounded.pairs, *linked.pairs)
    final = await maker.refined(framed(len(pairs), pairs))
    return Preview(
        Staged(len(pairs), final.questions.kept, final.questions.rejected),
        final.chains,
        maker.reasons,
        _Either(home.images, scratch.images),
        maker.asked,
        frozenset(seed.id for seed in seeds.kept),
        seeds.entered,
        imported.count_rows(rules),
    )


@dataclass(frozen=True, slots=True)
class _Maker:
    """The stages of a round, and what they rejected and asked of models so far."""

    config: RoundConfig
    walker: Walker
    models: Models
    reasons: dict[str, Mapping[str, int]] = field(default_factory=dict)
    asked: dict[str, frozenset[str]] = field(default_factory=dict)

    async def grounded(self, home: Workspace) -> Framed:
        """Questions of sampled paths, each with a picture, read and worded."""
        config, walker = self.config, self.walker
        drawn = draw_seeds(walker.world, config).kept
        paths = sample_paths(walker, drawn, path_rules(config), seed=config.seed)
        canonical = canonical_questions(walker, paths.kept, round=config.round)
        fuzzed = fuzzed_questions(walker, canonical, seed=config.seed)
        least = config.seed_entities.min_picture_px
        made = grounded_questions(walker.world, fuzzed, home.images, min_picture_px=least)
        readers = readers_of(self.models)
        if readers is not None:
            self.asked[WORDING] = frozenset(map(entered, made.questions.kept))
            made = await worded_questions(walker.world, walker.index, made, readers)
        self.reasons["link_paths"] = paths.reasons()
        self.reasons["canonical_questions"] = canonical.questions.reasons()
        self.reasons["fuzzed_questions"] = fuzzed.questions.reasons()
        self.reasons[WORDING] = made.questions.reasons()
        return made

    async def linked(self, seeds: Staged[Seed]) -> Framed:
        """Imported questions with their chains."""
        if not self.config.refine.imported.files:
            return framed(0, ())
        if self.models.endpoint("generator") is not None:
            self.asked[build_link.STAGE] = frozenset(seed.id for seed in seeds.kept)
        walker = self.walker
        made = await linked_seeds(seeds.kept, walker.world, walker.index, self.models, self.config)
        self.reasons[imported.STAGE] = seeds.reasons()
        self.reasons[build_link.STAGE] = made.questions.reasons()
        return made

    async def refined(self, easy: Framed) -> Framed:
        """The questions in their last form."""
        config, walker = self.config, self.walker
        for operator, stage in STAGES.items():
            found = refined_by(operator, walker, easy, config.refine, seed=config.seed)
            easy = found.joined
            self.reasons[stage] = found.harder.questions.reasons()
        longest = config.explore.answer_max_tokens
        final = unchanged_seeds(walker.world, easy, answer_max_tokens=longest)
        readers = readers_of(self.models, REFINED)
        if readers is not None:
            harder = (each for each in final.questions.kept if each.operator in STAGES)
            self.asked[REFINED] = frozenset(map(entered, harder))
            final = await worded_anew(walker.world, walker.index, final, readers, STAGES)
        self.reasons[REFINED] = final.questions.reasons()
        return final


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


@dataclass(frozen=True, slots=True)
class _Either:
    """Pictures of the wiki and of imported rows."""

    wiki: Pictures
    rows: Pictures

    def bytes(self, sha256: str) -> bytes:
        """The bytes. Raises StoreError where neither has them."""
        try:
            return self.wiki.bytes(sha256)
        except StoreError:
            return self.rows.bytes(sha256)


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
