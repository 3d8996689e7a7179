"""The read side of a wiki snapshot: its tables in memory, with an index for every question."""

from collections import defaultdict
from collections.abc import Iterable
from typing import TypeVar

from hopsight.errors import SourceError
from hopsight.types import Fact, Link, Page, PageImage
from hopsight.wiki.build import build_snapshot
from hopsight.wiki.tables import (
    SnapshotTables,
    TableReader,
    image_order,
    link_order,
    read_tables,
)

__all__ = ["Snapshot", "SnapshotTables", "build_snapshot"]

K = TypeVar("K")
V = TypeVar("V")


class Snapshot:
    """A world of pages. Every look-up is a dictionary access; sequences come in a fixed order."""

    def __init__(self, tables: SnapshotTables) -> None:
        self.tables = tables
        self._pages = {page.page_id: page for page in tables.pages}
        self._ids = tuple(sorted(self._pages))
        self._titles = {page.title: page.page_id for page in tables.pages}
        self._urls = {page.url: page.page_id for page in tables.pages}
        self._aliases = _grouped((alias.page_id, alias.name) for alias in tables.aliases)
        self._by_alias = _unambiguous((alias.name, alias.page_id) for alias in tables.aliases)
        facts = sorted(tables.facts, key=lambda fact: (fact.page_id, fact.attribute, fact.value))
        self._facts = _grouped((fact.page_id, fact) for fact in facts)
        self._by_value = _grouped(
            ((fact.attribute, fact.value_page), fact)
            for fact in facts
            if fact.value_page is not None
        )
        links = sorted(tables.links, key=link_order)
        self._links = _grouped((link.source, link) for link in links)
        self._targets = {
            source: frozenset(link.target for link in links)
            for source, links in self._links.items()
        }
        self._images = _grouped(
            (image.page_id, image) for image in sorted(tables.images, key=image_order)
        )

    @classmethod
    def load(cls, store: TableReader) -> "Snapshot":
        """The snapshot that a store holds. The store raises StoreError if a table is missing."""
        return cls(read_tables(store))

    def ids(self) -> tuple[int, ...]:
        """Ids of all pages, lists and disambiguation pages included, in ascending order."""
        return self._ids

    def page(self, page_id: int) -> Page:
        """The page. Raises SourceError for an id that the snapshot does not have."""
        page = self._pages.get(page_id)
        if page is None:
            raise SourceError(
                f"the snapshot has no page {page_id}",
                "build what refers to it again from this snapshot",
            )
        return page

    def by_title(self, title: str) -> int | None:
        """The page of that title, redirect or unambiguous other name; None if there is none."""
        name = " ".join(title.replace("_", " ").split())
        for form in (name, name[:1].upper() + name[1:]):
            found = self._titles.get(form, self._by_alias.get(form))
            if found is not None:
                return found
        return None

    def by_url(self, url: str) -> int | None:
        """The page at that address, without its fragment; None if there is none."""
        return self._urls.get(url.partition("#")[0])

    def facts(self, page_id: int) -> tuple[Fact, ...]:
        """Facts of a page, by attribute and value."""
        return self._facts.get(page_id, ())

    def facts_with_value(self, attribute: str, page_id: int) -> tuple[Fact, ...]:
        """Facts of any page whose `attribute` is this page: the inverse of a relation."""
        return self._by_value.get((attribute, page_id), ())

    def links(self, page_id: int) -> tuple[Link, ...]:
        """Prose links of a page in the order of its text."""
        return self._links.get(page_id, ())

    def linked(self, source: int, target: int) -> bool:
        """Whether `source` links to `target` in prose."""
        return target in self._targets.get(source, ())

    def names(self, page_id: int) -> tuple[str, ...]:
        """All names: the title, the title without its parenthesis, then aliases by name."""
        title = self.page(page_id).title
        bare = title[: title.rindex(" (")] if title.endswith(")") and " (" in title else title
        return tuple(dict.fromkeys((title, bare, *self._aliases.get(page_id, ()))))

    def image(self, page_id: int) -> PageImage | None:
        """The picture that the page leads with, or None."""
        return next(iter(self.images(page_id)), None)

    def images(self, page_id: int) -> tuple[PageImage, ...]:
        """All pictures of a page in a fixed order, the one it leads with first."""
        return self._images.get(page_id, ())


def _grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, tuple[V, ...]]:
    groups: dict[K, list[V]] = defaultdict(list)
    for key, value in pairs:
        groups[key].append(value)
    return {key: tuple(values) for key, values in groups.items()}


def _unambiguous(pairs: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Names that belong to exactly one page."""
    return {name: ids[0] for name, ids in _grouped(pairs).items() if len(set(ids)) == 1}
