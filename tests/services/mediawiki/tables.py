"""The tables of a snapshot as comparable rows: ids of pages and revisions become titles."""

from collections.abc import Iterable
from typing import Any

from hopsight.types import PageImage
from hopsight.wiki.images import file_key
from hopsight.wiki.tables import SnapshotTables

Rows = list[tuple[Any, ...]]


def by_title(tables: SnapshotTables) -> dict[str, Rows]:
    """Rows by table, sorted; what only tells pages and revisions apart is left out."""
    titles = {page.page_id: page.title for page in tables.pages}
    return {
        "pages": _sorted(
            (
                page.title,
                page.text,
                page.lead,
                page.domain,
                page.infobox,
                page.is_list,
                page.is_disambiguation,
                page.in_degree,
            )
            for page in tables.pages
        ),
        "links": _sorted(
            (
                titles[link.source],
                titles[link.target],
                link.anchor,
                link.section,
                link.sentence,
                link.start,
                link.end,
            )
            for link in tables.links
        ),
        "aliases": _sorted((titles[alias.page_id], alias.name) for alias in tables.aliases),
        "facts": _sorted(_plain(fact.model_dump(mode="json"), titles) for fact in tables.facts),
        "images": _sorted(_image(image, titles) for image in tables.images),
    }


def _image(row: PageImage, titles: dict[int, str]) -> tuple[Any, ...]:
    # The sidecar's words on what a drawing shows are no part of a wiki.
    image = row.image
    return (
        titles[row.page_id],
        file_key(row.file),
        image.sha256,
        image.mime,
        image.width,
        image.height,
        image.license,
        image.author,
    )


def _plain(value: Any, titles: dict[int, str]) -> tuple[Any, ...]:
    """A record's fields in the order of their names, without revisions, pages by title."""
    found: list[Any] = []
    for name, each in sorted(value.items()):
        if name == "revision":
            continue
        if name in ("page_id", "value_page", "page"):
            found.append((name, titles.get(each, each)))
        elif isinstance(each, dict):
            found.append((name, _plain(each, titles)))
        else:
            found.append((name, each))
    return tuple(found)


def _sorted(rows: Iterable[tuple[Any, ...]]) -> Rows:
    return sorted(rows, key=repr)
