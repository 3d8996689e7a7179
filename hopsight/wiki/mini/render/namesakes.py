"""Redirects from other names, and disambiguation pages where one name fits several pages."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from hopsight.errors import SourceError
from hopsight.wiki.mini.render.english import with_a
from hopsight.wiki.mini.render.names import display
from hopsight.wiki.mini.render.page import MAIN, Page
from hopsight.wiki.mini.render.tables import Row, Tables
from hopsight.wiki.mini.render.writer import noun_of

AMBIGUOUS_WORDS: Final = (
    "Amazon", "Aral", "Beethoven", "Caspian", "Colorado", "Columbia", "Congo", "Córdoba", "Darwin",
    "Don", "Florence", "Geneva", "Georgia", "Granada", "Guinea", "Humboldt", "Ireland", "Kabul",
    "Korea", "London", "Luxembourg", "Magellan", "Mexico", "Mississippi", "Moscow", "Mozambique",
    "Niger", "Orange", "Panama", "Paris", "Saint Helena", "Saint Lawrence", "San José", "San Juan",
    "Santiago", "Sierra Nevada", "Singapore", "Sudan", "Sydney", "Tasman", "Titicaca", "Titan",
    "Tripoli", "Valencia", "Venice", "Venus", "Victoria", "Vienna", "Volta", "Zambezi",
)  # fmt: skip
"""Names that may fit several pages. A page is made only where at least two of them exist."""

DOUBLE_REDIRECTS = 8
"""How many redirects lead to another redirect, as happens in a living wiki."""


def direct_redirects(tables: Tables) -> dict[str, str]:
    """Alias to title, for aliases that fit one page only."""
    owners: dict[str, list[str]] = {}
    for row in tables.rows:
        for alias in row.aliases:
            owners.setdefault(alias, []).append(row.title)
    return {alias: titles[0] for alias, titles in sorted(owners.items()) if len(titles) == 1}


def redirect_pages(tables: Tables, taken: Iterable[str]) -> list[Page]:
    """One page an alias; some lead through another alias, one leads to a section."""
    known = set(taken)
    direct = direct_redirects(tables)
    clash = sorted(known & set(direct))
    if clash:
        cause = f"alias {clash[0]!r} of {direct[clash[0]]!r} is the title of another page"
        raise SourceError(cause, "drop the alias from its table")
    double = _double(tables, direct)
    pages = [_redirect(alias, double.get(alias, title)) for alias, title in direct.items()]
    return [*pages, *_section_redirect(tables, known | set(direct))]


def _double(tables: Tables, direct: Mapping[str, str]) -> dict[str, str]:
    """Second aliases that lead to the first one; links in articles never use them."""
    found: dict[str, str] = {}
    for row in tables.rows:
        own = [alias for alias in row.aliases if alias in direct]
        if len(own) >= 2 and len(found) < DOUBLE_REDIRECTS:
            found[own[-1]] = own[0]
    return found


def links_may_use(tables: Tables) -> dict[str, tuple[str, ...]]:
    """Title to the aliases that lead to it directly."""
    direct = direct_redirects(tables)
    double = _double(tables, direct)
    usable: dict[str, tuple[str, ...]] = {}
    for alias, title in direct.items():
        if alias not in double:
            usable[title] = (*usable.get(title, ()), alias)
    return usable


def _section_redirect(tables: Tables, taken: set[str]) -> list[Page]:
    for row in tables.rows:
        title = f"Course of the {row.title}"
        fits = row.kind.name == "rivers" and {"source_country", "countries", "mouth"} <= set(
            row.cells
        )
        if fits and title not in taken:
            return [_redirect(title, f"{row.title}#Course")]
    return []


def _redirect(alias: str, target: str) -> Page:
    return Page(alias, MAIN, f"#REDIRECT [[{target}]]\n", redirect=target.partition("#")[0])


def disambiguation_pages(tables: Tables, taken: Iterable[str]) -> list[Page]:
    """Pages for names that two or more articles share: in full, as an alias, or as a word."""
    meant: dict[str, set[str]] = {}
    for row in tables.rows:
        meant.setdefault(display(row.title), set()).add(row.title)
        for alias in row.aliases:
            meant.setdefault(alias, set()).add(row.title)
    for word in AMBIGUOUS_WORDS:
        pattern = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
        fits = {row.title for row in tables.rows if pattern.search(display(row.title))}
        meant.setdefault(word, set()).update(fits)
    known = set(taken)
    rows = tables.by_title
    return [
        _disambiguation(_free(name, known), name, [rows[title] for title in sorted(titles)])
        for name, titles in sorted(meant.items())
        if len(titles) >= 2
    ]


def _free(name: str, taken: set[str]) -> str:
    return f"{name} (disambiguation)" if name in taken else name


def _disambiguation(title: str, name: str, rows: list[Row]) -> Page:
    bullets = "\n".join(f"* [[{row.title}]], {with_a(noun_of(row))}" for row in rows)
    return Page(title, MAIN, f"'''{name}''' may refer to:\n\n{bullets}\n\n{{{{disambiguation}}}}\n")
