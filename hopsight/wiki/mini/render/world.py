"""The whole world: every page, and the record of what its sentences state."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from hopsight.errors import SourceError
from hopsight.wiki.mini.draw import Picture
from hopsight.wiki.mini.render.article import CAPTION, Article, relations_of, render_article
from hopsight.wiki.mini.render.english import plain
from hopsight.wiki.mini.render.files import file_pages
from hopsight.wiki.mini.render.hubs import HUBS
from hopsight.wiki.mini.render.links import Linker
from hopsight.wiki.mini.render.lists import list_pages, navigation_pages
from hopsight.wiki.mini.render.names import Name, name_of
from hopsight.wiki.mini.render.namesakes import (
    disambiguation_pages,
    links_may_use,
    redirect_pages,
)
from hopsight.wiki.mini.render.page import MAIN, Page
from hopsight.wiki.mini.render.tables import Tables

__all__ = ["CAPTION", "World", "render_world", "truth_lines"]


@dataclass(frozen=True, slots=True)
class World:
    """Rendered articles (those with facts), and every page of the export."""

    articles: tuple[Article, ...]
    pages: tuple[Page, ...]


def render_world(tables: Tables, pictures: Sequence[Picture]) -> World:
    """Render all pages; `SourceError` where two pages would share a title."""
    linker = Linker(_names(tables), links_may_use(tables), _places(tables))
    relations = relations_of(tables)
    files = _files_by_title(tables, pictures)
    seen: dict[str, str] = {}
    articles = tuple(
        render_article(row, relations.get(row.title, {}), linker, seen, files.get(row.title, ()))
        for row in tables.rows
    )
    known = {article.title for article in articles}
    pages = [Page(article.title, MAIN, article.text) for article in articles]
    pages += [
        Page(title, MAIN, f"{hub.text}\n\n[[Category:{hub.category}]]\n")
        for title, hub in HUBS.items()
        if title not in known
    ]
    pages += list_pages(tables)
    pages += redirect_pages(tables, [page.title for page in pages])
    pages += disambiguation_pages(tables, [page.title for page in pages])
    pages += [*navigation_pages(tables), *file_pages(pictures)]
    _check_titles(pages)
    return World(articles, tuple(sorted(pages, key=lambda page: page.title)))


def _places(tables: Tables) -> dict[str, str]:
    words = {"buildings": "at", "rivers": "on", "mountains": "on", "waters": "on"}
    return {row.title: words[row.kind.name] for row in tables.rows if row.kind.name in words}


def _names(tables: Tables) -> dict[str, Name]:
    names = {title: Name("", title) for title in HUBS}
    return names | {row.title: name_of(row) for row in tables.rows}


def _files_by_title(tables: Tables, pictures: Sequence[Picture]) -> Mapping[str, tuple[str, ...]]:
    rows = tables.by_title
    files: dict[str, tuple[str, ...]] = {}
    for picture in sorted(pictures, key=lambda picture: picture.file):
        if picture.title not in rows:
            cause = f"picture {picture.file} is for {picture.title!r}, which has no row"
            raise SourceError(cause, "draw pictures for titles of the fact tables only")
        files[picture.title] = (*files.get(picture.title, ()), picture.file)
    return files


def _check_titles(pages: Sequence[Page]) -> None:
    seen: set[str] = set()
    for page in pages:
        if page.title in seen:
            raise SourceError(
                f"two pages are called {page.title!r}", "rename a row or drop an alias"
            )
        seen.add(page.title)


def truth_lines(world: World) -> Iterator[str]:
    """One JSON line a stated fact, in the order of the pages.

    `title` has `value` as `attribute`; `page` is where `sentence` stands (another page where
    the relation is read backwards), `shown` the form that the sentence gives to the value, or,
    where `inverse` is true, to the title.
    """
    for article in world.articles:
        for sentence in article.sentences:
            for fact in sentence.states:
                record = {
                    "title": fact.subject,
                    "attribute": fact.attribute,
                    "value": fact.value,
                    "value_title": fact.value_title,
                    "sentence": plain(sentence.text),
                    "pattern_id": sentence.pattern_id,
                    "held_out": sentence.held_out,
                    "page": article.title,
                    "inverse": fact.subject != article.title,
                    "shown": fact.shown,
                }
                yield json.dumps(record, ensure_ascii=False) + "\n"
