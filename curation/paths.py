"""Link paths: walks from a pictured seed over hops that facts and sentences bear out."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from hopsight.chains.answers import Answer, AnswerFinder
from hopsight.chains.clues import ClueFinder, Options, Rules
from hopsight.chains.hops import HopTable
from hopsight.leak import leaks
from hopsight.reference.generator import BOOK, Phrasebook
from hopsight.stage import Staged
from hopsight.types import Domain, Hop, LinkPath, Page, Rejection, content_hash
from hopsight.unique import FactIndex, World

STAGE = "link_paths"
ARROW = " → "
"""Between the titles of a walk, where it is told."""

TURNS_PER_SEED = 2
"""Rounds over the seeds, as a multiple of those that would do if no walk failed."""

MULTI_VALUED_WEIGHT = 2
"""A relation in which several entities stand is drawn twice as often: the solver must verify."""


@dataclass(frozen=True, slots=True)
class PathRules:
    """How walks are drawn. `hops` gives each length its weight; `paths` is the number wanted.

    `hop_necessity` off is for ablations alone.
    """

    hops: Mapping[int, float]
    paths: int
    retries: int = 10
    max_hub_in_degree: int = 10_000
    answer_max_tokens: int = 6
    clue_rules: Rules = field(default_factory=Rules)
    hop_necessity: bool = True


class Walker:
    """Everything that walking a world needs, computed once and shared by all walks."""

    def __init__(self, world: World, rules: PathRules, book: Phrasebook = BOOK) -> None:
        self.world = world
        self.index = FactIndex(world)
        self.table = HopTable(world, self.index, book, max_in_degree=rules.max_hub_in_degree)
        self.clues = ClueFinder(self.index, book, rules.clue_rules)
        self._hop_necessity = rules.hop_necessity
        self._drawn: dict[tuple[int, int], bool] = {}
        self.answers = AnswerFinder(world, self.index, book, max_tokens=rules.answer_max_tokens)

    def steps(self, path: tuple[int, ...], last: bool) -> tuple[list[Hop], Counter[str]]:
        """Hops that may continue a path, and how many were refused for which reason."""
        exits = self.table.exits(path[-1])
        refused = Counter(reason for _, reason in exits.refused)
        usable = []
        for hop in exits.hops:
            reason = self._refusal(path, hop, last)
            if reason is None:
                usable.append(hop)
            else:
                refused[reason] += 1
        return usable, refused

    def endings(self, hops: Sequence[Hop]) -> tuple[list[Answer], Counter[str]]:
        """Answers that a path may ask for, and how many were refused for which reason."""
        path = (hops[0].source, *(hop.target for hop in hops))
        refused: Counter[str] = Counter()
        usable = []
        before = self._reached_blind(hops[:-1], self.index.kinds[hops[0].source] or "")
        for answer in self.answers.answers(path[-1]):
            reason = self.answers.refusal(path, answer)
            reason = reason or self._solved_blind(before, hops[-1], answer)
            if reason is None:
                usable.append(answer)
            else:
                refused[reason] += 1
        return usable, refused

    def _reached_blind(self, hops: Sequence[Hop], kind: str) -> frozenset[int]:
        """Where the vaguest clues of these hops lead from everything of the anchor's kind."""
        if not self._hop_necessity:
            return frozenset()
        clues = [self.clues.vaguest(self._options(hop).clues) for hop in hops]
        return self.index.follow(self.index.of_kind(kind), clues)

    def _solved_blind(self, before: frozenset[int], hop: Hop, answer: Answer) -> str | None:
        """Why the path cannot ask this: the asked attribute is needed in a clue, or everything
        of the anchor's kind leads to one answer even by the vaguest clues.

        `before` is what `_reached_blind` gives for the hops before the last one, `hop`.
        """
        last = [
            clue
            for clue in self._options(hop).clues
            if all(each.attribute != answer.attribute for each in clue.constraints)
        ]
        if not last:
            return "no_usable_descriptor"
        if not self._hop_necessity:
            return None
        reached = self.index.follow(before, [self.clues.vaguest(last)])
        few = len(self.index.answers(reached, answer.attribute)) < 2
        return "hop_not_needed" if few else None

    def _options(self, hop: Hop) -> Options:
        return self.clues.options(hop.source, hop.target, hop.relation, hop.inverse)

    def path(self, hops: Sequence[Hop], attribute: str, seed: int) -> LinkPath:
        """The record of a finished walk."""
        entities = (hops[0].source, *(hop.target for hop in hops))
        domain = self.world.page(entities[0]).domain
        if domain is None:
            raise ValueError(f"page {entities[0]} has no domain and cannot be a seed")
        return LinkPath(
            entities=entities,
            titles=tuple(self.world.page(page_id).title for page_id in entities),
            hops=tuple(hops),
            attribute=attribute,
            domain=Domain(domain),
            seed=seed,
        )

    def _is_drawn(self, anchor: int, page_id: int) -> bool:
        """Whether the anchor's picture shows a name of the page in writing."""
        key = (anchor, page_id)
        if key not in self._drawn:
            picture = self.world.image(anchor)
            text = "" if picture is None else " ".join(picture.text)
            self._drawn[key] = bool(leaks(text, self.world.names(page_id)))
        return self._drawn[key]

    def _refusal(self, path: tuple[int, ...], hop: Hop, last: bool) -> str | None:
        if hop.target in path:
            return "revisit"
        if last and self.world.linked(path[0], hop.target):
            return "shortcut_link"
        if self._is_drawn(path[0], hop.target):
            return "named_in_picture"
        return self._options(hop).reason


def sample_paths(
    walker: Walker, seeds: Sequence[Page], rules: PathRules, *, seed: int
) -> Staged[LinkPath]:
    """Walk from every seed in turn until `rules.paths` paths are found or the seeds are spent.

    Seeds take turns, so that a small number of paths still has many anchors. A path is tried at
    most `rules.retries` times; each failed walk is a rejection, and so is a seed that gave no
    path or had no turn. What a seed gives depends on the seed number and its title alone.
    """
    order = sorted(seeds, key=lambda page: content_hash(["turn", seed, page.title]))
    found: dict[int, dict[object, LinkPath]] = {page.page_id: {} for page in order}
    rejected: list[Rejection] = []
    turns = -(-rules.paths // max(1, len(order)))
    kept = 0
    walked: set[int] = set()
    for turn, page in ((turn, page) for turn in range(TURNS_PER_SEED * turns) for page in order):
        if kept == rules.paths:
            break
        walked.add(page.page_id)
        paths = found[page.page_id]
        before = len(paths)
        rejected += _add_path(walker, page, rules, paths, f"{seed}|{page.title}|{turn}", seed)
        kept += len(paths) - before
    for page in order:
        if not found[page.page_id]:
            reason = "seed_dropped" if page.page_id in walked else "not_walked"
            rejected.append(_reject(page.id, reason, page.title))
    all_paths = tuple(path for page in order for path in found[page.page_id].values())
    return Staged(len(all_paths) + len(rejected), all_paths, tuple(rejected))


def _add_path(
    walker: Walker,
    page: Page,
    rules: PathRules,
    paths: dict[object, LinkPath],
    key: str,
    seed: int,
) -> list[Rejection]:
    """Add one new path from a seed to `paths`, and tell the walks that failed on the way."""
    rejected = []
    for attempt in range(rules.retries):
        path, reason, detail = _walk(walker, page, rules, f"{key}|{attempt}", seed)
        # The same question asked of the same entities by another relation is no new path.
        if path is not None and (path.entities, path.attribute) not in paths:
            paths[path.entities, path.attribute] = path
            break
        walk_id = f"walk_{content_hash(f'{key}|{attempt}')[:16]}"
        rejected.append(_reject(walk_id, reason, detail))
    return rejected


def _walk(
    walker: Walker, page: Page, rules: PathRules, key: str, seed: int
) -> tuple[LinkPath | None, str, str]:
    """One walk: the path, or the reason and the entities reached."""
    rng = Random(f"walk|{key}")
    lengths = sorted(rules.hops)
    wanted = rng.choices(lengths, [rules.hops[length] for length in lengths])[0]
    path: tuple[int, ...] = (page.page_id,)
    hops: list[Hop] = []
    for step in range(wanted):
        usable, refused = walker.steps(path, last=step == wanted - 1)
        if not usable:
            return None, _main_reason(refused), _told(walker, path)
        hops.append(_draw(walker, usable, rng))
        path = (*path, hops[-1].target)
    endings, refused = walker.endings(hops)
    if not endings:
        return None, _main_reason(refused) if refused else "no_answer", _told(walker, path)
    answer = rng.choice(endings)
    return walker.path(hops, answer.attribute, seed), "duplicate_path", _told(walker, path)


def _draw(walker: Walker, usable: list[Hop], rng: Random) -> Hop:
    """A relation first, then one of its targets: many neighbours do not outweigh one river."""
    relations = sorted({(hop.relation, hop.inverse) for hop in usable})
    source = usable[0].source
    weights = [
        MULTI_VALUED_WEIGHT if len(walker.index.related(source, *relation)) > 1 else 1
        for relation in relations
    ]
    chosen = rng.choices(relations, weights)[0]
    return rng.choice([hop for hop in usable if (hop.relation, hop.inverse) == chosen])


def enumerate_paths(
    walker: Walker, seeds: Sequence[Page], lengths: Sequence[int], *, seed: int = 0
) -> Iterator[LinkPath]:
    """Every path of the given lengths from the seeds, with every attribute it may ask for.

    Of several relations over the same entities only the first is taken, so (entities, attribute)
    never comes twice. Lazy: the number grows fast with the length.
    """
    for length in lengths:
        for page in sorted(seeds, key=lambda page: page.page_id):
            yield from _extend(walker, (page.page_id,), [], length, seed)


def _extend(
    walker: Walker, path: tuple[int, ...], hops: list[Hop], length: int, seed: int
) -> Iterator[LinkPath]:
    if len(hops) == length:
        endings, _ = walker.endings(hops)
        yield from (walker.path(hops, answer.attribute, seed) for answer in endings)
        return
    usable, _ = walker.steps(path, last=len(hops) == length - 1)
    taken: set[int] = set()
    for hop in usable:
        if hop.target not in taken:
            taken.add(hop.target)
            yield from _extend(walker, (*path, hop.target), [*hops, hop], length, seed)


def _main_reason(refused: Counter[str]) -> str:
    """The commonest reason, ties by name; a page without links is a dead end."""
    if not refused:
        return "dead_end"
    return min(refused, key=lambda reason: (-refused[reason], reason))


def _told(walker: Walker, path: tuple[int, ...]) -> str:
    return ARROW.join(walker.world.page(page_id).title for page_id in path)


def _reject(record_id: str, reason: str, detail: str) -> Rejection:
    return Rejection(record_id=record_id, stage=STAGE, reason=reason, detail=detail)
