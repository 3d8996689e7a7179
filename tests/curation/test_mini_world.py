"""The static chain over the world that ships with the project."""

from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from curation.canonical import canonical_questions
from curation.fuzz import fuzzed_questions
from curation.ground import grounded_questions
from curation.paths import enumerate_paths, sample_paths
from curation.recipe import path_rules
from curation.seeds import seed_entities
from hopsight.chains.walker import Walker
from hopsight.config import RoundConfig
from hopsight.leak import leaks
from hopsight.reference.generator import problems
from hopsight.store.images import ImageStore
from hopsight.wiki.build import build_snapshot
from hopsight.wiki.snapshot import Snapshot
from hopsight.wiki.sources import source_files

CONFIG = RoundConfig()


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    return ImageStore(Path(tmp_path_factory.mktemp("pictures")))


@pytest.fixture(scope="module")
def snapshot(pictures):
    files = source_files(CONFIG.source, Path())
    return Snapshot(build_snapshot(files.dump, files.pictures, files.sidecar, pictures))


@pytest.fixture(scope="module")
def walker(snapshot):
    return Walker(snapshot, path_rules(CONFIG))


@pytest.fixture(scope="module")
def seeds(snapshot):
    bounds = CONFIG.seed_entities
    return seed_entities(
        snapshot,
        count=bounds.count,
        weights=bounds.per_domain,
        min_in_degree=bounds.min_in_degree,
        max_in_degree=bounds.max_in_degree,
        min_picture_px=bounds.min_picture_px,
        seed=CONFIG.seed,
    ).kept


def through_the_gates(walker, snapshot, pictures, paths):
    canonical = canonical_questions(walker, paths, round=CONFIG.round)
    fuzzed = fuzzed_questions(walker, canonical, seed=CONFIG.seed)
    return grounded_questions(snapshot, fuzzed, pictures)


def test_the_default_round_has_enough_questions_over_enough_anchors(
    walker, snapshot, pictures, seeds
):
    paths = sample_paths(walker, seeds, path_rules(CONFIG), seed=CONFIG.seed).kept
    framed = through_the_gates(walker, snapshot, pictures, paths)
    assert len(framed.questions.kept) >= 330
    assert len({chain.nodes[0].page_id for chain in framed.chains}) >= 150
    assert len({question.text for question in framed.questions.kept}) >= 300
    assert len(Counter(len(chain.nodes) for chain in framed.chains)) == 3
    verified = 0
    for question, chain in zip(framed.questions.kept, framed.chains, strict=True):
        names = [name for node in chain.nodes for name in snapshot.names(node.page_id)]
        assert leaks(question.text, [*names, chain.answer, *chain.answer_aliases]) == []
        assert problems(snapshot, chain) == []
        clues = [node.clue for node in chain.nodes]
        verified += any(
            clue is not None
            and len(walker.index.related(before.page_id, clue.relation, clue.inverse)) > 1
            for before, clue in zip(chain.nodes, clues[1:], strict=False)
        )
    assert verified > len(framed.questions.kept) / 2


def test_over_two_thousand_paths_with_answers_pass_every_static_gate(
    walker, snapshot, pictures, seeds
):
    paths = list(islice(enumerate_paths(walker, seeds, (2,)), 2600))
    framed = through_the_gates(walker, snapshot, pictures, paths)
    assert len(framed.questions.kept) >= 2000
