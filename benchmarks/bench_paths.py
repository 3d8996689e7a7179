"""Paths: all of two hops from every pictured anchor, a share of each through the static gates."""

import tempfile
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from time import perf_counter, process_time

from benchmarks.report import figure, finish
from benchmarks.world import mini_tables
from curation.canonical import canonical_questions
from curation.fuzz import fuzzed_questions
from curation.ground import grounded_questions
from curation.paths import enumerate_paths
from curation.recipe import path_rules
from curation.seeds import seed_entities
from hopsight.chains.framed import Framed
from hopsight.chains.walker import Walker
from hopsight.config import RoundConfig
from hopsight.store import ImageStore
from hopsight.types import LinkPath, Page
from hopsight.wiki.snapshot import Snapshot

CONFIG = RoundConfig()
SHARE = {2: 16, 3: 8}
"""Paths taken of each anchor, by hops: the rest would say the same of the same anchors."""


def anchors(snapshot: Snapshot) -> Sequence[Page]:
    """Every page that may carry a question's picture."""
    bounds = CONFIG.seed_entities
    return seed_entities(
        snapshot,
        count=len(snapshot.ids()),
        weights=bounds.per_domain,
        min_in_degree=bounds.min_in_degree,
        max_in_degree=bounds.max_in_degree,
        min_picture_px=bounds.min_picture_px,
        seed=CONFIG.seed,
    ).kept


def through_the_gates(
    walker: Walker, snapshot: Snapshot, images: ImageStore, paths: Sequence[LinkPath]
) -> Framed:
    """Canonical text, fuzzing with uniqueness and necessity, grounding."""
    canonical = canonical_questions(walker, paths, round=CONFIG.round)
    fuzzed = fuzzed_questions(walker, canonical, seed=CONFIG.seed)
    return grounded_questions(snapshot, fuzzed, images)


def main() -> None:
    """Run the benchmark. Both sides are stages of the project: walking, and the gates."""
    with tempfile.TemporaryDirectory() as name:
        images = ImageStore(Path(name))
        snapshot = Snapshot(mini_tables(images))
        seeds = anchors(snapshot)
        began, began_wall = process_time(), perf_counter()
        walker = Walker(snapshot, path_rules(CONFIG))
        all_of_two = sum(1 for _ in enumerate_paths(walker, seeds, (2,)))
        walked, walked_wall = process_time() - began, perf_counter() - began_wall
        chosen = [
            path
            for page in seeds
            for hops, share in SHARE.items()
            for path in islice(enumerate_paths(walker, [page], (hops,)), share)
        ]
        began, began_wall = process_time(), perf_counter()
        framed = through_the_gates(walker, snapshot, images, chosen)
        gated, gated_wall = process_time() - began, perf_counter() - began_wall
    passed = {
        (*(node.page_id for node in chain.nodes), chain.attribute): chain for chain in framed.chains
    }
    with_questions = {chain.nodes[0].page_id for chain in framed.chains}
    finish(
        f"Paths from {len(seeds):,} pictured anchors",
        ("stage", "entered", "kept", "CPU-s", "wall s"),
        [
            ("every path of two hops", "", f"{all_of_two:,}", walked, walked_wall),
            ("static gates", f"{len(chosen):,}", f"{len(passed):,}", gated, gated_wall),
            ("anchors with a question", f"{len(seeds):,}", f"{len(with_questions):,}", "", ""),
        ],
        [
            figure("paths_with_answers_through_all_gates", len(passed), ">=", 2000),
            figure("anchors_with_a_question", len(with_questions), ">=", 200),
            figure("paths_of_two_hops", all_of_two),
            figure("enumeration_cpu_s", walked),
            figure("gates_cpu_ms_per_path", 1000 * gated / len(chosen)),
        ],
    )


if __name__ == "__main__":
    main()
