"""The tables of a wiki snapshot and their names in a store."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol, TypeVar

from hopsight.types import Alias, Fact, Link, Page, PageImage, Record, Rejection

R = TypeVar("R", bound=Record)

ROUND: Final = "all"
"""Snapshot tables belong to every round."""

TABLES: Final = ("pages", "links", "aliases", "facts", "page_images", "rejections_wiki_snapshot")


class TableReader(Protocol):
    """What a store must do to give the tables back."""

    def read(self, name: str, round: str, record_type: type[R]) -> Sequence[R]:
        """All records of a data set."""


class TableWriter(Protocol):
    """What a store must do to take the tables."""

    def write(self, name: str, round: str, records: Iterable[R], *, record_type: type[R]) -> object:
        """Replace a data set."""


@dataclass(frozen=True, slots=True)
class SnapshotTables:
    """Everything read from one source, each table sorted. Every page left out is in `rejected`.

    Of `images` a page has up to MAX_PICTURES, the one it leads with first. `entered` counts the
    pages of the source. `in_degree_counts` says what `Page.in_degree`
    counts: "prose" is the number of other articles that link to the page in prose, "pagelinks"
    takes the links that templates make with them.
    """

    pages: tuple[Page, ...]
    links: tuple[Link, ...]
    aliases: tuple[Alias, ...]
    facts: tuple[Fact, ...]
    images: tuple[PageImage, ...]
    rejected: tuple[Rejection, ...]
    entered: int
    in_degree_counts: str = "prose"

    def with_rejected(self, rows: Iterable[Rejection]) -> "SnapshotTables":
        """These tables with what was left out before the pages were read."""
        return replace(self, rejected=rejection_order((*self.rejected, *rows)))

    def reasons(self) -> dict[str, int]:
        """Rejection rows counted by reason, most frequent first, ties by name."""
        counts = Counter(rejection.reason for rejection in self.rejected)
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def rejection_order(rows: Iterable[Rejection]) -> tuple[Rejection, ...]:
    """Rejections by reason, record and detail."""
    return tuple(sorted(rows, key=lambda row: (row.reason, row.record_id, row.detail)))


def link_order(link: Link) -> tuple[int, int, int, int]:
    """Sort key: links by page and in the order in which they stand there."""
    return link.source, link.start, link.sentence.find(link.anchor), link.target


def image_order(image: PageImage) -> tuple[int, int]:
    """Sort key: pictures by page and in the order in which it shows them."""
    return image.page_id, image.place


def write_tables(tables: SnapshotTables, store: TableWriter) -> None:
    """Write every table as a data set of its own."""
    store.write("pages", ROUND, tables.pages, record_type=Page)
    store.write("links", ROUND, tables.links, record_type=Link)
    store.write("aliases", ROUND, tables.aliases, record_type=Alias)
    store.write("facts", ROUND, tables.facts, record_type=Fact)
    store.write("page_images", ROUND, tables.images, record_type=PageImage)
    store.write("rejections_wiki_snapshot", ROUND, tables.rejected, record_type=Rejection)


def read_tables(store: TableReader) -> SnapshotTables:
    """The tables of a stored snapshot. The store raises StoreError if one is missing."""
    pages = tuple(store.read("pages", ROUND, Page))
    return SnapshotTables(
        pages=tuple(sorted(pages, key=lambda page: page.page_id)),
        links=tuple(store.read("links", ROUND, Link)),
        aliases=tuple(store.read("aliases", ROUND, Alias)),
        facts=tuple(store.read("facts", ROUND, Fact)),
        images=tuple(sorted(store.read("page_images", ROUND, PageImage), key=image_order)),
        rejected=tuple(store.read("rejections_wiki_snapshot", ROUND, Rejection)),
        entered=len(pages),
    )
