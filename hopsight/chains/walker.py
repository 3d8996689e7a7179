"""Walking a world: where a path may go on, where it may end, and why not."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from hopsight.chains.answers import Answer, AnswerFinder
from hopsight.chains.clues import ClueFinder, Options, Rules
from hopsight.chains.hops import HopTable
from hopsight.leak import leaks
from hopsight.reference.generator import BOOK, Phrasebook
from hopsight.types import Domain, Hop, LinkPath
from hopsight.unique import FactIndex, World

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

    def draw(self, usable: Sequence[Hop], rng: Random) -> Hop:
        """A relation first, then one of its targets: many neighbours do not outweigh one river."""
        relations = sorted({(hop.relation, hop.inverse) for hop in usable})
        source = usable[0].source
        weights = [
            MULTI_VALUED_WEIGHT if len(self.index.related(source, *relation)) > 1 else 1
            for relation in relations
        ]
        chosen = rng.choices(relations, weights)[0]
        return rng.choice([hop for hop in usable if (hop.relation, hop.inverse) == chosen])

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
