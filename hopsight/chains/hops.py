"""The hops that can be walked: a prose link and a fact, with a sentence, that explains it."""

from dataclasses import dataclass

from hopsight.reference.generator import Phrasebook
from hopsight.types import Evidence, Fact, Hop, Link, Page
from hopsight.unique import FactIndex, World

SYMMETRIC = frozenset({"borders"})
"""Relations that read the same from both ends: said from the predecessor's fact alone."""


@dataclass(frozen=True, slots=True)
class Exits:
    """The hops that leave a page, and for each linked page without one the reason."""

    hops: tuple[Hop, ...]
    refused: tuple[tuple[int, str], ...]


class HopTable:
    """Hops of a world by source page; computed once for each page.

    Pages with more than `max_in_degree` prose links to them are hubs and never a target; nor is a
    page that others link to which are not in the snapshot: they might fit its clue too.
    """

    def __init__(
        self, world: World, index: FactIndex, book: Phrasebook, *, max_in_degree: int
    ) -> None:
        self._world = world
        self._index = index
        self._book = book
        self._max_in_degree = max_in_degree
        self._exits: dict[int, Exits] = {}

    def exits(self, source: int) -> Exits:
        """Where one can go from `source`, ordered by target, relation and direction."""
        if source not in self._exits:
            self._exits[source] = self._find(source)
        return self._exits[source]

    def _find(self, source: int) -> Exits:
        hops: list[Hop] = []
        refused: list[tuple[int, str]] = []
        for target, link in sorted(_first_links(self._world, source).items()):
            reason = self._unfit(target)
            found = [] if reason else self._relations(source, target, link)
            hops += found
            if not found:
                refused.append((target, reason or "no_evidence"))
        return Exits(tuple(hops), tuple(refused))

    def _unfit(self, target: int) -> str | None:
        page = self._world.page(target)
        if page.in_degree > self._max_in_degree:
            return "hub"
        if page.is_list or page.is_disambiguation:
            return "filtered_page"
        if not page.closed:
            return "not_closed"
        return None if self._book.says_entity(self._index.kinds[target]) else "no_infobox"

    def _relations(self, source: int, target: int, link: Link) -> list[Hop]:
        """Hops by facts of either page that have an evidence sentence and can be said."""
        evidence = _link_evidence(self._world.page(source), link)
        ahead = [fact for fact in self._world.facts(source) if fact.value_page == target]
        back = [fact for fact in self._world.facts(target) if fact.value_page == source]
        hops = [self._hop(source, target, fact, evidence) for fact in ahead]
        hops += [self._hop(source, target, fact, evidence) for fact in back]
        return sorted(
            {(hop.relation, hop.inverse): hop for hop in hops if hop is not None}.values(),
            key=lambda hop: (hop.relation, hop.inverse),
        )

    def _hop(self, source: int, target: int, fact: Fact, link: Evidence) -> Hop | None:
        holder = self._index.kinds[fact.page_id]
        inverse = fact.page_id != source
        if fact.evidence is None or holder is None or (inverse and fact.attribute in SYMMETRIC):
            return None
        if not self._book.says_relation(holder, fact.attribute, inverse):
            return None
        return Hop(
            source=source,
            target=target,
            relation=fact.attribute,
            inverse=inverse,
            evidence=fact.evidence,
            link=link,
        )


def _first_links(world: World, source: int) -> dict[int, Link]:
    """For each page linked from `source`, the first link to it."""
    first: dict[int, Link] = {}
    for link in world.links(source):
        if link.target != source:
            kept = first.setdefault(link.target, link)
            if (link.start, link.end) < (kept.start, kept.end):
                first[link.target] = link
    return first


def _link_evidence(page: Page, link: Link) -> Evidence:
    return Evidence(
        page_id=page.page_id,
        title=page.title,
        revision=page.revision,
        start=link.start,
        end=link.end,
        sentence=link.sentence,
    )
