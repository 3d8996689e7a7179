"""A look at a round: the same stages up to the grounded questions, on a few paths."""

from collections.abc import Mapping
from dataclasses import dataclass

from curation.canonical import canonical_questions
from curation.fuzz import fuzzed_questions
from curation.ground import grounded_questions
from curation.paths import Walker, sample_paths
from curation.recipe import draw_seeds, path_rules
from hopsight.config import RoundConfig
from hopsight.types import EvidenceChain, Question
from hopsight.wiki.build import build_snapshot
from hopsight.wiki.snapshot import Snapshot
from hopsight.wiki.sources import source_files
from hopsight.wiki.tables import write_tables
from hopsight.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Preview:
    """Questions with their chains, and what each stage rejected by reason."""

    pairs: tuple[tuple[Question, EvidenceChain], ...]
    reasons: Mapping[str, Mapping[str, int]]


def preview_questions(config: RoundConfig, workspace: Workspace) -> Preview:
    """Make the first `explore.paths` questions of a round in a workspace of its own."""
    files = source_files(config.source)
    tables = build_snapshot(files.dump, files.pictures, files.sidecar, workspace.images)
    write_tables(tables, workspace.store)
    world = Snapshot.load(workspace.store)
    seeds = draw_seeds(world, config)
    rules = path_rules(config)
    walker = Walker(world, rules)
    paths = sample_paths(walker, seeds.kept, rules, seed=config.seed)
    canonical = canonical_questions(walker, paths.kept, round=config.round)
    fuzzed = fuzzed_questions(walker, canonical, seed=config.seed)
    grounded = grounded_questions(
        world, fuzzed, workspace.images, min_picture_px=config.seed_entities.min_picture_px
    )
    return Preview(
        tuple(zip(grounded.questions.kept, grounded.chains, strict=True)),
        {
            "link_paths": paths.reasons(),
            "canonical_questions": canonical.questions.reasons(),
            "fuzzed_questions": fuzzed.questions.reasons(),
            "grounded_questions": grounded.questions.reasons(),
        },
    )
