"""Lists, outlines, timelines and navigation boxes: pages that name many others."""

from collections.abc import Callable, Iterable, Iterator

from hopsight.wiki.mini.render.article import NAVIGATION, navigation_name
from hopsight.wiki.mini.render.english import year
from hopsight.wiki.mini.render.hubs import CONTINENTS
from hopsight.wiki.mini.render.names import display
from hopsight.wiki.mini.render.page import MAIN, TEMPLATE, Page
from hopsight.wiki.mini.render.tables import Row, Tables

MIN_LISTED = 5
"""A list with fewer entries is not made."""

_BY_CONTINENT = {
    "countries": "countries",
    "rivers": "rivers",
    "mountains": "mountains",
    "cities": "cities",
}
_BY_KIND = {
    "countries": "List of countries",
    "waters": "List of bodies of water",
    "rivers": "List of rivers",
    "mountains": "List of mountains",
    "ranges": "List of mountain ranges",
    "artworks": "List of works of art",
    "books": "List of literary works",
    "music": "List of musical works",
    "inventions": "List of inventions",
    "buildings": "List of buildings",
}
_BY_WORD = {
    ("waters", "kind", "sea"): "List of seas",
    ("waters", "kind", "lake"): "List of lakes",
    ("buildings", "kind", "bridge"): "List of bridges",
    ("buildings", "kind", "cathedral"): "List of cathedrals",
    ("persons", "occupation", "painter"): "List of painters",
    ("persons", "occupation", "composer"): "List of composers",
    ("persons", "occupation", "physicist"): "List of physicists",
    ("organisms", "class", "bird"): "List of birds",
    ("organisms", "class", "mammal"): "List of mammals",
}
_TIMELINES = {
    "inventions": ("Timeline of inventions", "year"),
    "books": ("Timeline of literature", "year"),
    "music": ("Timeline of music", "year"),
    "artworks": ("Timeline of art", "year"),
    "mountains": ("Timeline of first ascents", "first_ascent"),
}
_OUTLINES = {
    "Outline of geography": ("ranges", "waters"),
    "Outline of the arts": ("artworks", "books", "music"),
    "Index of species": ("organisms",),
}


def list_pages(tables: Tables) -> list[Page]:
    """Every list, outline, index and timeline that has enough entries."""
    made = [
        *_continent_lists(tables),
        *_kind_lists(tables),
        *_timelines(tables),
        *_outlines(tables),
    ]
    return [page for page in made if page.text.count("\n* ") >= MIN_LISTED]


def navigation_pages(tables: Tables) -> list[Page]:
    """The templates that articles of some kinds end with: links that are not prose."""
    pages = []
    for kind in NAVIGATION:
        rows = [row for row in tables.rows if row.kind.name == kind]
        if rows:
            links = " · ".join(f"[[{row.title}]]" for row in rows)
            name = navigation_name(rows[0])
            title = f"| name = {name}\n| title = [[{_BY_KIND[kind]}]]"
            text = f"{{{{Navbox\n{title}\n| list1 = {links}\n}}}}\n"
            pages.append(Page(f"Template:{name}", TEMPLATE, text))
    return pages


def _continents_of(row: Row, rows: dict[str, Row]) -> frozenset[str]:
    own = row.cells.get("continent")
    if own:
        return frozenset(own)
    places = row.cells.get("countries", row.cells.get("country", ()))
    found = [rows[place].cells.get("continent", ()) for place in places if place in rows]
    # A row in several continents, or in a country of several, is listed in none: never a guess.
    names = {name for group in found for name in group}
    return frozenset(names) if len(names) == 1 else frozenset()


def _continent_lists(tables: Tables) -> Iterator[Page]:
    rows = tables.by_title
    for kind, word in _BY_CONTINENT.items():
        for continent in CONTINENTS:
            found = [
                row
                for row in tables.rows
                if row.kind.name == kind and continent in _continents_of(row, rows)
            ]
            intro = f"This is a list of {word} of [[{continent}]] that have an article here."
            yield _page(f"List of {word} of {continent}", intro, found, word.capitalize())


def _kind_lists(tables: Tables) -> Iterator[Page]:
    for kind, title in _BY_KIND.items():
        found = [row for row in tables.rows if row.kind.name == kind]
        yield _page(title, f"{_intro(title)} with an article.", found, "Lists")
    for (kind, column, word), title in _BY_WORD.items():
        found = [
            row
            for row in tables.rows
            if row.kind.name == kind and word in row.cells.get(column, ())
        ]
        yield _page(title, f"{_intro(title)} with an article.", found, "Lists")


def _timelines(tables: Tables) -> Iterator[Page]:
    for kind, (title, column) in _TIMELINES.items():
        found = [row for row in tables.rows if row.kind.name == kind and column in row.cells]
        found.sort(key=lambda row: (int(float(row.cells[column][0])), row.title))

        def dated(row: Row, column: str = column) -> str:
            return f"{year(row.cells[column][0])}: "

        yield _page(title, f"{_intro(title)}, in order of year.", found, "Timelines", dated)


def _outlines(tables: Tables) -> Iterator[Page]:
    for title, kinds in _OUTLINES.items():
        found = [row for row in tables.rows if row.kind.name in kinds]
        yield _page(title, f"{_intro(title)} through articles.", found, "Outlines")


def _intro(title: str) -> str:
    return f"This is {'an' if title[0] in 'OI' else 'a'} {title[:1].lower()}{title[1:]}"


def _page(
    title: str,
    intro: str,
    rows: Iterable[Row],
    category: str,
    prefix: Callable[[Row], str] = lambda row: "",
) -> Page:
    bullets = "\n".join(f"* {prefix(row)}{_bullet(row)}" for row in rows)
    return Page(title, MAIN, f"{intro}\n\n{bullets}\n\n[[Category:{category}]]\n")


def _bullet(row: Row) -> str:
    name = display(row.title)
    return f"[[{row.title}]]" if name == row.title else f"[[{row.title}|{name}]]"
