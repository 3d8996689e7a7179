"""The first pass over an export: which titles there are, and what is no article."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from hopsight.types import Rejection
from hopsight.wiki.dump import read_dump
from hopsight.wiki.images import Credit, file_credit
from hopsight.wiki.titles import ARTICLE, FILE, TitleIndex

STAGE: Final = "wiki_snapshot"
"""The stage that rejections of a snapshot name."""

_SHOWN: Final = 5
"""Titles that a counted rejection names."""


@dataclass(slots=True)
class Inventory:
    """What the first pass learns beside the titles: pages, file credits, pages left out."""

    entered: int = 0
    credits: dict[str, Credit] = field(default_factory=dict)
    rejected: list[Rejection] = field(default_factory=list)


def take_inventory(dump: Path, titles: TitleIndex, *, with_credits: bool) -> Inventory:
    """Enter every article and redirect into `titles`; count the pages of other namespaces.

    `with_credits` reads the pages of files for licence and author instead of counting them.
    """
    found = Inventory()
    elsewhere: dict[int, list[str]] = defaultdict(list)
    page_ids: set[int] = set()
    for page in read_dump(dump):
        found.entered += 1
        if page.namespace == FILE and with_credits:
            name = titles.namespaces.title(page.title).name
            found.credits[name] = file_credit(page.text, titles.namespaces)
        elif page.namespace != ARTICLE:
            elsewhere[page.namespace].append(page.title)
        elif page.page_id in page_ids or not titles.add(page):
            found.rejected.append(page_rejection(page.page_id, "duplicate_page", page.title))
        page_ids.add(page.page_id)
    for namespace, names in sorted(elsewhere.items()):
        detail = counted("pages", names)
        found.rejected.append(
            Rejection(
                record_id=f"wiki:namespace:{namespace}",
                stage=STAGE,
                reason="page_of_other_namespace",
                detail=detail,
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
