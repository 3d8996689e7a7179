"""What there is and what is left out, with its count: titles of an export, rows of a selection."""

import heapq
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from hopsight.types import Alias, Fact, Link, Rejection
from hopsight.wiki.dump import read_dump
from hopsight.wiki.images import file_key
from hopsight.wiki.tables import link_order
from hopsight.wiki.titles import ARTICLE, FILE, Resolved, TitleIndex

STAGE: Final = "wiki_snapshot"
"""The stage that rejections of a snapshot name."""

_SHOWN: Final = 5
"""Titles that a counted rejection names."""


@dataclass(slots=True)
class Inventory:
    """What the first pass learns beside the titles.

    `file_pages` holds the wikitext of the pages of files at hand, by `file_key`.
    """

    entered: int = 0
    file_pages: dict[str, str] = field(default_factory=dict)
    rejected: list[Rejection] = field(default_factory=list)


@dataclass(slots=True)
class Tally:
    """A count that remembers the first few names in the order of names, and no more."""

    total: int = 0
    _first: list[str] = field(default_factory=list)

    def add(self, name: str) -> None:
        """Count one."""
        self.total += 1
        if len(self._first) <= _SHOWN or name < self._first[-1]:
            self._first = heapq.nsmallest(_SHOWN + 1, (*self._first, name))

    def told(self, noun: str) -> str:
        """`3 pages: A, B, C`, cut after a few."""
        more = ", …" if self.total > _SHOWN else ""
        return f"{self.total} {noun}: {', '.join(self._first[:_SHOWN])}{more}"


def take_inventory(
    dump: Path | Sequence[Path], titles: TitleIndex, *, files: Collection[str]
) -> Inventory:
    """Enter every article and redirect into `titles`; count the pages of other namespaces.

    The pages of the given `files` (by `file_key`) are kept for their licences instead.
    """
    found = Inventory()
    elsewhere: dict[int, Tally] = defaultdict(Tally)
    page_ids: set[int] = set()
    for page in read_dump(dump):
        found.entered += 1
        key = file_key(titles.namespaces.title(page.title).name) if page.namespace == FILE else ""
        if key in files:
            found.file_pages[key] = page.text
        elif page.namespace != ARTICLE:
            elsewhere[page.namespace].add(page.title)
        elif page.page_id in page_ids or not titles.add(page):
            found.rejected.append(page_rejection(page.page_id, "duplicate_page", page.title))
        page_ids.add(page.page_id)
    for namespace, names in sorted(elsewhere.items()):
        found.rejected.append(
            Rejection(
                record_id=f"wiki:namespace:{namespace}",
                stage=STAGE,
                reason="page_of_other_namespace",
                detail=names.told("pages"),
            )
        )
    return found


def page_rejection(page_id: int, reason: str, detail: str) -> Rejection:
    """Why something of one page was left out."""
    return Rejection(record_id=f"wiki:{page_id}", stage=STAGE, reason=reason, detail=detail)


def counted(noun: str, names: Iterable[str]) -> str:
    """`3 links: A (2), B`: the most frequent first, cut after a few."""
    counts = Counter(names)
    order = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    shown = [name if count == 1 else f"{name} ({count})" for name, count in order[:_SHOWN]]
    more = ", …" if len(order) > _SHOWN else ""
    return f"{counts.total()} {noun}: {', '.join(shown)}{more}"


Tallies = dict[tuple[str, str], Tally]
"""What was left out, by noun ("links") and reason."""


def tallied(out: Tallies) -> list[Rejection]:
    """One rejection a noun and reason."""
    return [
        Rejection(record_id=f"wiki:{noun}", stage=STAGE, reason=reason, detail=tally.told(noun))
        for (noun, reason), tally in sorted(out.items(), key=lambda item: item[0])
    ]


def links_within(links: Iterable[Link], given: Set[int], out: Tallies) -> tuple[Link, ...]:
    """The links whose target was given, in the order of the text; the others are counted."""
    kept: list[Link] = []
    for link in links:
        if link.target in given:
            kept.append(link)
        else:
            out["links", "link_to_page_left_out"].add(link.anchor)
    return tuple(sorted(kept, key=link_order))


def facts_within(facts: Iterable[Fact], given: Set[int], out: Tallies) -> tuple[Fact, ...]:
    """The facts in order; one whose value is a page that was not given keeps its words alone."""
    kept: list[Fact] = []
    for fact in facts:
        if fact.value_page is None or fact.value_page in given:
            kept.append(fact)
        else:
            out["values", "value_page_left_out"].add(fact.value)
            kept.append(fact.model_copy(update={"value_page": None}))
    return tuple(sorted(kept, key=lambda fact: (fact.page_id, fact.attribute, fact.value)))


def aliases_within(
    names: Iterable[Alias],
    redirects: Iterable[tuple[str, Resolved]],
    given: Set[int],
    out: Tallies,
) -> tuple[Alias, ...]:
    """Bold names and redirects; a redirect to a section is no name of its page."""
    aliases = {(alias.page_id, alias.name): alias for alias in names}
    for title, resolved in redirects:
        page_id = resolved.page_id
        if page_id is None:
            out["redirects", resolved.reason.replace("link_", "redirect_")].add(title)
        elif page_id not in given:
            out["redirects", "redirect_to_page_left_out"].add(title)
        elif resolved.to_section:
            out["redirects", "redirect_to_section"].add(title)
        else:
            aliases[page_id, title] = Alias(page_id=page_id, name=title)
    return tuple(alias for _, alias in sorted(aliases.items()))
