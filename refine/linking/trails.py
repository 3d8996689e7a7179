"""Trails: from the picture's page over hops with evidence to a page that has the answer."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hopsight.chains import Answer, AnswerFinder, HopTable
from hopsight.leak import fold
from hopsight.types import Evidence, Hop
from refine.linking.telling import Telling

Stop = tuple[int, ...]
"""The pages that an entity may be."""

At = tuple[tuple[int, int], ...]
"""(stop, page) pairs along a way."""

Cost = tuple[int, int, int, int]
Rank = tuple[Cost, int]

_PASSED_OVER = 2
"""What a name that is passed over costs where a hop is not told, which costs 1: the reasoning is
then a list of names rather than an account of facts."""


@dataclass(frozen=True, slots=True)
class Trail:
    """Pages, the hops between them and the answer on the last page."""

    at: At
    hops: tuple[Hop, ...]
    answer: Answer

    @property
    def pages(self) -> tuple[int, ...]:
        """The pages from the picture's to the answer's."""
        return tuple(page for _, page in self.at)


@dataclass(frozen=True, slots=True)
class Unlinked:
    """Why there is no trail: a short constant, and the case in words."""

    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class Way:
    """The beginning of a trail, and what the reasoning leaves out of it.

    `untold` counts the facts that it does not state, `reworded` those whose own sentence it does
    not hold; `sentences` are those of the facts.
    """

    at: At
    hops: tuple[Hop, ...] = ()
    untold: int = 0
    reworded: int = 0
    sentences: frozenset[Evidence] = frozenset()

    @property
    def page(self) -> int:
        """Where it has come to."""
        return self.at[-1][1]

    def cost(self, stops: int) -> Cost:
        """What makes one way better than another: least is best.

        A sentence that is quoted is there for a fact: the way that uses most of them is best, and
        of those the shortest.
        """
        passed_over = stops - len(self.at) if self.untold else 0
        untold = self.untold + _PASSED_OVER * passed_over
        return untold, self.reworded, -len(self.sentences), len(self.hops)

    def told(self, at: At, hops: tuple[Hop, ...], costs: tuple[int, int], said: Evidence) -> "Way":
        """The way after one more fact."""
        untold, reworded = self.untold + costs[0], self.reworded + costs[1]
        return Way(at, hops, untold, reworded, self.sentences | {said})


class TrailFinder:
    """Finds the trail through entities that a reasoning names."""

    def __init__(self, table: HopTable, answers: AnswerFinder) -> None:
        self._table = table
        self._answers = answers

    def trails(
        self, stops: Sequence[Stop], forms: Sequence[str], telling: Telling, *, asides: bool
    ) -> list[Trail]:
        """The best trails from the first stop; none where facts bear none out.

        Every stop is on the way, in order, and the last has the answer, one of `forms`. With
        `asides` stops may be left out or taken in another order: that trail is best of which the
        reasoning tells most, and of equals that whose pages it names most often. More than one is
        given only where nothing tells them apart but their pages.
        """
        found: list[tuple[Rank, Trail]] = []
        for way in self.ways(stops, telling, asides=asides):
            if way.at[-1][0] == len(stops) - 1 or asides:
                found += self._ended(way, forms, telling, len(stops))
        least = min((rank for rank, _ in found), default=None)
        best = {trail.at: trail for rank, trail in found if rank == least}
        return [best[at] for at in sorted(best)]

    def ways(self, stops: Sequence[Stop], telling: Telling, *, asides: bool) -> list[Way]:
        """The best ways of every length to every page that can be reached from the first stop."""
        reached = [Way(((0, page),)) for page in stops[0]]
        found = list(reached)
        for length in range(1, len(stops)):
            targets = range(1, len(stops)) if asides else (length,)
            reached = [
                best
                for stop in targets
                for page in stops[stop]
                for best in self._best_to(stop, page, reached, telling, len(stops))
            ]
            found += reached
        return found

    def has_answer(self, page: int, forms: Sequence[str]) -> bool:
        """Whether a single fact of a page, with its sentence, is one of these forms."""
        return bool(self._fitting(page, forms))

    def leading(self, pages: Iterable[int], forms: Sequence[str]) -> frozenset[int]:
        """Those of the pages from which hops between them lead to one that has the answer."""
        among = frozenset(pages)
        found = {page for page in among if self.has_answer(page, forms)}
        ahead = {page: {hop.target for hop in self._table.exits(page).hops} for page in among}
        while more := {page for page in among - found if not found.isdisjoint(ahead[page])}:
            found |= more
        return frozenset(found)

    def refusal(self, sources: Stop, targets: Stop) -> str:
        """Why no hop leads from any of the sources to a target."""
        told = {
            reason
            for source in sources
            for target, reason in self._table.exits(source).refused
            if target in targets
        }
        return ", ".join(sorted(told)) or "no_link"

    def _best_to(
        self, stop: int, page: int, ways: Sequence[Way], telling: Telling, stops: int
    ) -> list[Way]:
        """The best ways to a page: one, or two of equal cost, which are enough to know of."""
        longer = []
        for way in ways:
            hop = self._hop(way, page, telling)
            if hop is not None and all(stop != at and page != been for at, been in way.at):
                at = (*way.at, (stop, page))
                longer.append(way.told(at, (*way.hops, hop), telling.hop(hop), hop.evidence))
        ranked = sorted(
            ((_rank(way, telling, stops), way.at, way) for way in longer), key=lambda each: each[:2]
        )
        return [way for rank, _, way in ranked[:2] if rank == ranked[0][0]]

    def _hop(self, way: Way, target: int, telling: Telling) -> Hop | None:
        """Of the hops to a page the one that the reasoning tells best."""
        hops = [hop for hop in self._table.exits(way.page).hops if hop.target == target]
        return min(hops, key=lambda hop: telling.rank(hop, way.sentences), default=None)

    def _ended(
        self, way: Way, forms: Sequence[str], telling: Telling, stops: int
    ) -> list[tuple[Rank, Trail]]:
        answers = self._fitting(way.page, forms)
        if not answers:
            return []
        best = min(answers, key=lambda each: telling.answer(way.page, each))
        costs = telling.answer(way.page, best)
        ended = way.told(way.at, way.hops, costs, best.evidence)
        return [(_rank(ended, telling, stops), Trail(way.at, way.hops, best))]

    def _fitting(self, page: int, forms: Sequence[str]) -> list[Answer]:
        wanted = frozenset(map(fold, forms))
        return [
            each
            for each in self._answers.answers(page)
            if not wanted.isdisjoint(fold(form) for form in (each.value, *each.aliases))
        ]


def _rank(way: Way, telling: Telling, stops: int) -> Rank:
    """The cost of a way, then how often the reasoning names its pages: more is better."""
    return way.cost(stops), -sum(telling.mentions(page) for _, page in way.at)
