"""Write the example files: `python -m examples.seeds.make FOLDER`.

The questions are those that a round asks about the mini world, told as solved ones.
"""

import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from curation.canonical import canonical_questions
from curation.fuzz import fuzzed_questions
from curation.ground import grounded_questions
from curation.paths import sample_paths
from curation.recipe import path_rules
from curation.seeds import seed_entities
from examples.seeds.shapes import Solved, write_seeds
from hopsight.chains.walker import Walker
from hopsight.config import RoundConfig
from hopsight.store.images import ImageStore
from hopsight.wiki.build import build_snapshot
from hopsight.wiki.snapshot import Snapshot
from hopsight.wiki.sources import source_files

QUESTIONS: Final = 15
_PATHS: Final = 40


def solved_questions(images: ImageStore, count: int = QUESTIONS) -> list[Solved]:
    """The first questions of the default round over the mini world, with their pictures."""
    config = RoundConfig()
    files = source_files(config.source, Path())
    world = Snapshot(build_snapshot(files.dump, files.pictures, files.sidecar, images))
    bounds = config.seed_entities
    seeds = seed_entities(
        world,
        count=bounds.count,
        weights=bounds.per_domain,
        min_in_degree=bounds.min_in_degree,
        max_in_degree=bounds.max_in_degree,
        min_picture_px=bounds.min_picture_px,
        seed=config.seed,
    )
    rules = replace(path_rules(config), paths=_PATHS)
    walker = Walker(world, rules)
    paths = sample_paths(walker, seeds.kept, rules, seed=config.seed).kept
    canonical = canonical_questions(walker, paths, round=config.round)
    grounded = grounded_questions(
        world, fuzzed_questions(walker, canonical, seed=config.seed), images
    )
    pairs = grounded.pairs
    return [
        Solved(question, chain, images.bytes(question.images[0].sha256))
        for question, chain in list(pairs)[:count]
    ]


def main(folder: Path) -> None:
    """Write the files into a folder."""
    with TemporaryDirectory() as scratch:
        write_seeds(solved_questions(ImageStore(Path(scratch))), folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
