"""Who fits a clue? Relations and constraints executed over the facts of a world, as sets.

Infoboxes are incomplete, so an entity whose value is unknown counts as fitting. A relation is read
from the facts of both pages: a painting is by a painter if its page says so or his does.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from hopsight.leak import fold
from hopsight.looks import looks_of, may_show
from hopsight.types import Clue, Constraint, Fact, Link, Page, PageImage

INFOBOX = "infobox"
"""Reserved attribute of a constraint: the kind of thing, by the name of its page's infobox."""

PICTURE = "picture"
"""Reserved attribute of a constraint: what the page's picture shows."""

LINKED = "linked"
"""Reserved relation of a clue: a fact of either page that names the other, or a link in prose."""

SAME_WAY: Mapping[str, tuple[str, ...]] = {
    "mouth": ("tributary_of",),
    "tributary_of": ("mouth",),
    "countries": ("source_country",),
}
"""Attributes of the same page that state a relation, too."""

OTHER_WAY: Mapping[str, tuple[str, ...]] = {
    "borders": ("borders",),
    "creator": ("notable_works",),
    "architect": ("notable_works",),
    "author": ("notable_works",),
    "composer": ("notable_works",),
    "inventor": ("notable_works",),
    "described_by": ("notable_works",),
    "notable_works": ("creator", "architect", "author", "composer", "inventor", "described_by"),
    "location": ("houses",),
    "houses": ("location",),
    "range": ("highest_peak",),
    "countries": ("highest_point",),
    "country": ("capital",),
}
"""Attributes of the page at the other end that state a relation, too."""


class World(Protocol):
    """What the curation needs of a snapshot; `hopsight.wiki.snapshot.Snapshot` has it all."""

    def ids(self) -> Sequence[int]:
        """Page ids in ascending order."""

    def page(self, page_id: int) -> Page:
        """A page by id."""

    def facts(self, page_id: int) -> Sequence[Fact]:
        """The facts of a page in a fixed order."""

    def links(self, page_id: int) -> Sequence[Link]:
        """The prose links of a page."""

    def linked(self, source: int, target: int) -> bool:
        """Whether `source` links to `target` in prose."""

    def names(self, page_id: int) -> tuple[str, ...]:
        """Title and aliases."""

    def image(self, page_id: int) -> PageImage | None:
        """The picture that a page leads with."""

    def images(self, page_id: int) -> Sequence[PageImage]:
        """All pictures of a page in a fixed order, the one it leads with first."""


def infobox_kind(page: Page) -> str | None:
    """The infobox's name without its prefix and in lower case: "country", "settlement"."""
    if page.infobox is None:
        return None
    return fold(page.infobox).removeprefix("infobox ") or None


def fitting(world: World, predecessor: int, clue: Clue) -> frozenset[int]:
    """Pages that stand in the clue's relation to `predecessor` and fit its constraints.

    Indexes the whole world on every call; keep a `FactIndex` for more than one.
    """
    return FactIndex(world).fitting(predecessor, clue)


PLACES = frozenset(
    {
        "birth_place",
        "country",
        "death_place",
        "location",
        "native_to",
        "premiere_place",
        "setting",
    }
)
"""Relations to a place that hold for every larger place around it too."""

LIES_IN = ("city", "country", "continent")
"""What says in which larger place a place lies."""


class FactIndex:
    """The facts of a world, arranged for set operations. Immutable; caches what it computes."""

    def __init__(self, world: World) -> None:
        self.ids = frozenset(world.ids())
        self.kinds = {page_id: infobox_kind(world.page(page_id)) for page_id in sorted(self.ids)}
        self._facts: dict[str, dict[int, list[Fact]]] = {}
        self._ahead: dict[str, dict[int, set[int]]] = {}
        self._back: dict[str, dict[int, set[int]]] = {}
        self._around: dict[int, frozenset[int]] = {}
        self._related: dict[tuple[int, str, bool], frozenset[int]] = {}
        self._known: dict[tuple[object, ...], frozenset[int]] = {}
        self._open: dict[tuple[object, ...], frozenset[int]] = {}
        self._valued: dict[tuple[str, str, str | None], frozenset[int]] = {}
        self._values: dict[str, dict[str, frozenset[int]]] = {}
        self._numbers: dict[tuple[str, str | None], tuple[list[float], list[int]]] = {}
        self._world = world
        self._looks: dict[int, tuple[str, ...]] | None = None
        self._linked_from: dict[int, set[int]] | None = None
        for page_id in sorted(self.ids):
            for fact in world.facts(page_id):
                self._add(fact)

    def _add(self, fact: Fact) -> None:
        self._facts.setdefault(fact.attribute, {}).setdefault(fact.page_id, []).append(fact)
        if fact.value_page is not None:
            self._ahead.setdefault(fact.attribute, {}).setdefault(fact.page_id, set()).add(
                fact.value_page
            )
            self._back.setdefault(fact.attribute, {}).setdefault(fact.value_page, set()).add(
                fact.page_id
            )

    def facts(self, page_id: int, attribute: str) -> Sequence[Fact]:
        """The facts of one attribute of a page, in the snapshot's order."""
        return self._facts.get(attribute, {}).get(page_id, [])

    def of_kind(self, kind: str) -> list[int]:
        """Pages with that infobox, in ascending order."""
        return sorted(page_id for page_id in self.ids if self.kinds[page_id] == kind)

    def related(self, predecessor: int, relation: str, inverse: bool) -> frozenset[int]:
        """Every page that stands in the relation, from the facts of both pages."""
        key = (predecessor, relation, inverse)
        if key not in self._related:
            self._related[key] = self._find_related(*key)
        return self._related[key]

    def _find_related(self, predecessor: int, relation: str, inverse: bool) -> frozenset[int]:
        if relation == LINKED:
            return self._find_linked(predecessor)
        with_it, against_it = (self._back, self._ahead) if inverse else (self._ahead, self._back)
        found: set[int] = set()
        for attribute in (relation, *SAME_WAY.get(relation, ())):
            found |= with_it.get(attribute, {}).get(predecessor, set())
        for attribute in OTHER_WAY.get(relation, ()):
            found |= against_it.get(attribute, {}).get(predecessor, set())
        return frozenset(found - {predecessor})

    def _find_linked(self, page_id: int) -> frozenset[int]:
        """Pages that a fact or a link in prose joins with this one, whichever way.

        A page without an infobox counts only where a fact names it: prose links to the words for
        kinds of things ("a poet"), to lists and to pages that tell names apart.
        """
        found = {link.target for link in self._world.links(page_id)}
        found |= self._linking().get(page_id, set())
        found = {each for each in found if self.kinds.get(each) is not None}
        for ends in (*self._ahead.values(), *self._back.values()):
            found |= ends.get(page_id, set())
        return frozenset((found & self.ids) - {page_id})

    def _linking(self) -> Mapping[int, set[int]]:
        """For each page those that link to it in prose."""
        if self._linked_from is None:
            found: dict[int, set[int]] = {}
            for page_id in self.ids:
                for link in self._world.links(page_id):
                    found.setdefault(link.target, set()).add(page_id)
            self._linked_from = found
        return self._linked_from

    def looks(self, page_id: int) -> tuple[str, ...]:
        """What the page's picture shows; none where it has no picture or nothing is told of it."""
        return self._all_looks().get(page_id, ())

    def _all_looks(self) -> Mapping[int, tuple[str, ...]]:
        if self._looks is None:
            pictures = ((each, self._world.image(each)) for each in sorted(self.ids))
            self._looks = {
                page_id: looks_of(picture.visual_facts)
                for page_id, picture in pictures
                if picture is not None and picture.visual_facts
            }
        return self._looks

    def _may_show(self, phrase: str) -> frozenset[int]:
        """Pages whose picture may show what a phrase says, as far as its visual facts tell."""
        pictures = ((page_id, self._world.image(page_id)) for page_id in self._all_looks())
        return frozenset(
            page_id
            for page_id, picture in pictures
            if picture is not None and may_show(picture.visual_facts, phrase)
        )

    def satisfying(self, constraint: Constraint) -> frozenset[int]:
        """Pages of which the constraint is true or unknown."""
        key = _key(constraint)
        if key not in self._open:
            known = self._with_value(constraint)
            self._open[key] = self.known(constraint) | (self.ids - known)
            if constraint.op == "shows":
                self._open[key] |= self._may_show(constraint.value or "")
        return self._open[key]

    def known(self, constraint: Constraint) -> frozenset[int]:
        """Pages of which the constraint is known to be true."""
        key = _key(constraint)
        if key not in self._known:
            self._known[key] = self._true_of(constraint)
        return self._known[key]

    def fitting(self, predecessor: int, clue: Clue) -> frozenset[int]:
        """Pages that stand in the clue's relation and fit (or may fit) every constraint.

        What is said of a place is true of the larger places around it as well: a novel set in
        Paris is set in France. Such pages count where they surely fit.
        """
        found = self.narrow(
            self.related(predecessor, clue.relation, clue.inverse), clue.constraints
        )
        if clue.relation not in PLACES:
            return found
        wider = self._widely_related(predecessor, clue.relation, clue.inverse)
        return found | (wider & self.surely_described(clue.constraints))

    def _widely_related(self, predecessor: int, relation: str, inverse: bool) -> frozenset[int]:
        """Pages that stand in a relation to a place only by way of a smaller place in it."""
        if not inverse:
            named = self._ahead.get(relation, {}).get(predecessor, set())
            return frozenset().union(*map(self.around, named)) - {predecessor}
        back = self._back.get(relation, {})
        within = (place for place in back if predecessor in self.around(place))
        return frozenset().union(*(back[place] for place in within)) - {predecessor}

    def around(self, place: int) -> frozenset[int]:
        """The larger places that a place lies in: of a museum its city, country and continent."""
        if place not in self._around:
            self._around[place] = frozenset()  # a circle in the facts ends here
            direct = {
                larger
                for attribute in LIES_IN
                for larger in self._ahead.get(attribute, {}).get(place, set())
            }
            self._around[place] = frozenset(direct).union(*map(self.around, sorted(direct)))
        return self._around[place]

    def surely_described(self, constraints: Iterable[Constraint]) -> frozenset[int]:
        """Pages that are known to fit a description by itself."""
        found = self.ids
        for constraint in constraints:
            found &= self.known(constraint)
        return found

    def follow(self, start: Iterable[int], clues: Iterable[Clue]) -> frozenset[int]:
        """Where the clues surely lead from any of `start`: what may fit is no way out."""
        reached = frozenset(start)
        for clue in clues:
            fits = self.surely_described(clue.constraints)
            related = (self.related(page, clue.relation, clue.inverse) for page in reached)
            reached = frozenset().union(*related) & fits
        return reached

    def answers(self, pages: Iterable[int], attribute: str) -> frozenset[str]:
        """The different values, folded, of an attribute over pages."""
        return frozenset(
            fold(fact.value) for page_id in pages for fact in self.facts(page_id, attribute)
        )

    def narrow(self, found: frozenset[int], constraints: Iterable[Constraint]) -> frozenset[int]:
        """The pages among `found` that fit, or may fit, every constraint."""
        for constraint in constraints:
            found &= self.satisfying(constraint)
        return found

    def _with_value(self, constraint: Constraint) -> frozenset[int]:
        """Pages that have a value which the constraint can be held against."""
        key = (constraint.attribute, constraint.op, constraint.unit)
        if key not in self._valued:
            self._valued[key] = self._find_with_value(constraint)
        return self._valued[key]

    def _find_with_value(self, constraint: Constraint) -> frozenset[int]:
        if constraint.attribute == INFOBOX:
            return frozenset(page_id for page_id in self.ids if self.kinds[page_id] is not None)
        if constraint.op == "shows":
            return frozenset(self._all_looks())
        if constraint.op == "is":
            return frozenset(self._facts.get(constraint.attribute, {}))
        return frozenset(self._sorted_numbers(constraint)[1])

    def _true_of(self, constraint: Constraint) -> frozenset[int]:
        if constraint.attribute == INFOBOX:
            kinds = self.kinds.items()
            return frozenset(page_id for page_id, kind in kinds if kind == constraint.value)
        if constraint.op == "shows":
            looks = self._all_looks().items()
            return frozenset(page_id for page_id, told in looks if constraint.value in told)
        if constraint.op == "is":
            value = None if constraint.value is None else fold(constraint.value)
            pages = self._by_value(constraint.attribute)
            return frozenset() if value is None else pages.get(value, frozenset())
        numbers, holders = self._sorted_numbers(constraint)
        low, high = constraint.low, constraint.high
        first = 0 if low is None else bisect_left(numbers, low)
        last = len(numbers) if high is None else bisect_right(numbers, high)
        return frozenset(holders[first:last])

    def _by_value(self, attribute: str) -> dict[str, frozenset[int]]:
        """Pages by folded value."""
        if attribute not in self._values:
            found: dict[str, set[int]] = {}
            for page_id, facts in self._facts.get(attribute, {}).items():
                for fact in facts:
                    found.setdefault(fold(fact.value), set()).add(page_id)
            self._values[attribute] = {value: frozenset(ids) for value, ids in found.items()}
        return self._values[attribute]

    def _sorted_numbers(self, constraint: Constraint) -> tuple[list[float], list[int]]:
        """Numbers in the constraint's unit, ascending, and beside each the page that states it."""
        key = (constraint.attribute, constraint.unit)
        if key not in self._numbers:
            stated = sorted(
                (fact.number, page_id)
                for page_id, facts in self._facts.get(constraint.attribute, {}).items()
                for fact in facts
                if fact.number is not None and fact.unit == constraint.unit
            )
            self._numbers[key] = [n for n, _ in stated], [page_id for _, page_id in stated]
        return self._numbers[key]


def holds(constraint: Constraint, fact: Fact) -> bool:
    """Whether a fact of the constraint's attribute makes it true; what a picture shows is none."""
    if constraint.op == "is":
        return constraint.value is not None and fold(fact.value) == fold(constraint.value)
    if constraint.op == "shows" or not _is_comparable(fact, constraint) or fact.number is None:
        return False
    above = constraint.low is None or fact.number >= constraint.low
    return above and (constraint.high is None or fact.number <= constraint.high)


def _is_comparable(fact: Fact, constraint: Constraint) -> bool:
    """A number in another unit says nothing about a range: it counts as unknown."""
    return fact.number is not None and fact.unit == constraint.unit


def _key(constraint: Constraint) -> tuple[object, ...]:
    value = None if constraint.value is None else fold(constraint.value)
    return (
        constraint.attribute,
        constraint.op,
        value,
        constraint.low,
        constraint.high,
        constraint.unit,
    )
