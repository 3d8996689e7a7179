"""Paired questions: one easy question and what each operator in turn makes of it."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from curation.canonical import canonical_questions
from curation.fuzz import fuzzed_questions
from curation.ground import grounded_questions
from curation.looks import Pictures
from curation.paths import enumerate_paths
from curation.recipe import draw_seeds, path_rules
from hopsight.chains import Framed, Pair, framed
from hopsight.chains.walker import Walker
from hopsight.config import RoundConfig
from hopsight.types import LinkPath, Page
from hopsight.wiki.snapshot import Snapshot
from refine.blur import blurred_questions
from refine.expand import expanded_questions
from refine.visualize import visualized_questions

STEPS = ("base", "expand", "blur", "visualize")
TRIES = 16
"""Draws of an expansion for one easy question."""

BATCH = 400
Row = Mapping[str, Pair]


@dataclass(frozen=True, slots=True)
class Strengths:
    """How far the operators go: Expand(hops), Blur(blurred, facts), Visualize(shown, looks)."""

    hops: int = 3
    blurred: int = 2
    facts: int = 2
    shown: int = 1
    looks: int = 2

    def __str__(self) -> str:
        return (
            f"Expand({self.hops}), Blur({self.blurred}, {self.facts}), "
            f"Visualize({self.shown}, 1, {self.looks})"
        )


@dataclass(frozen=True, slots=True)
class Hardened:
    """Paired questions by step, and how many easy ones were tried to get them."""

    steps: Mapping[str, tuple[Pair, ...]]
    tried: int


def hardened(
    config: RoundConfig,
    world: Snapshot,
    pictures: Pictures,
    strengths: Strengths,
    wanted: int,
    most: int,
) -> Hardened:
    """Easy questions that go through all operators, at most one for an anchor and a last entity.

    Paths are tried in an order that the seed draws, until `wanted` are found or `most` are tried:
    chosen by whether the operators apply, never by how a solver does.
    """
    walker = Walker(world, path_rules(config))
    found: dict[tuple[int, int], Row] = {}
    paths = _easy_paths(walker, draw_seeds(world, config).kept, config.seed)[:most]
    tried = 0
    for start in range(0, len(paths), BATCH):
        if len(found) >= wanted:
            break
        batch = paths[start : start + BATCH]
        tried += len(batch)
        for row in _through(walker, pictures, batch, strengths, config.seed):
            ends = row["visualize"][1].nodes
            found.setdefault((ends[0].page_id, ends[-1].page_id), row)
    rows = list(found.values())[:wanted]
    return Hardened({step: tuple(row[step] for row in rows) for step in STEPS}, tried)


def _easy_paths(walker: Walker, seeds: Sequence[Page], seed: int) -> list[LinkPath]:
    """Paths whose answer names a page, so that a question can go on from it, shuffled.

    Of one hop, which the anchor's own page links to, and of two.
    """
    one = (
        walker.path([hop], answer.attribute, seed)
        for page in sorted(seeds, key=lambda page: page.page_id)
        for hop in walker.steps((page.page_id,), last=False)[0]
        for answer in walker.endings([hop])[0]
    )
    two = enumerate_paths(walker, seeds, (2,), seed=seed)
    paths = [path for path in chain(one, two) if _is_named(walker, path)]
    random.Random(f"easy|{seed}").shuffle(paths)
    return paths


def _is_named(walker: Walker, path: LinkPath) -> bool:
    facts = walker.index.facts(path.entities[-1], path.attribute)
    return len(facts) == 1 and facts[0].value_page is not None


def _through(
    walker: Walker,
    pictures: Pictures,
    paths: Sequence[LinkPath],
    strengths: Strengths,
    seed: int,
) -> Iterator[Row]:
    """The paths whose questions go through every operator, with the question at each step."""
    canonical = canonical_questions(walker, paths, round="0001")
    fuzzed = fuzzed_questions(walker, canonical, seed=seed)
    left = grounded_questions(walker.world, fuzzed, pictures)
    for draw in range(TRIES):
        longer = _pictured(
            walker, expanded_questions(walker, left, hops=strengths.hops, seed=seed + draw)
        )
        blurred = blurred_questions(
            walker, longer, nodes=strengths.blurred, facts=strengths.facts, seed=seed
        )
        shown = visualized_questions(
            walker, blurred, nodes=strengths.shown, facts=strengths.looks, seed=seed
        )
        rows = list(_rows(left, longer, blurred, shown))
        yield from rows
        left = _without(left, {row["base"][0].id for row in rows})


def _without(entered: Framed, done: set[str]) -> Framed:
    return _only(entered, lambda pair: pair[0].id not in done)


def _pictured(walker: Walker, entered: Framed) -> Framed:
    """The questions with a picture on the way that something is known of."""
    return _only(
        entered, lambda pair: any(walker.index.looks(node.page_id) for node in pair[1].nodes[1:])
    )


def _only(entered: Framed, wanted: Callable[[Pair], bool]) -> Framed:
    left = [pair for pair in entered.pairs if wanted(pair)]
    return framed(len(left), left)


def _rows(base: Framed, longer: Framed, blurred: Framed, shown: Framed) -> Iterator[Row]:
    """Each question that reached the end, with what it was made from."""
    made_from = [{pair[0].id: pair for pair in each.pairs} for each in (base, longer, blurred)]
    for last in shown.pairs:
        third = made_from[2][last[0].parent_id or ""]
        second = made_from[1][third[0].parent_id or ""]
        first = made_from[0][second[0].parent_id or ""]
        yield dict(zip(STEPS, (first, second, third, last), strict=True))
