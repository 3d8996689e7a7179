"""One article: infobox, lead, sections, notes, navigation box and categories."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hopsight.wiki.mini.render.choice import pick
from hopsight.wiki.mini.render.hubs import HUBS
from hopsight.wiki.mini.render.links import Linker, short
from hopsight.wiki.mini.render.names import display
from hopsight.wiki.mini.render.patterns import COUNTERPARTS, INVERSE, LEADS, PATTERNS, SECTIONS
from hopsight.wiki.mini.render.schema import Cell
from hopsight.wiki.mini.render.tables import Row, Tables
from hopsight.wiki.mini.render.tense import is_past
from hopsight.wiki.mini.render.writer import Sentence, Writer

MAX_INVERSE = 24
"""Most pages that a page tells of by one relation read backwards."""
NAVIGATION = ("countries", "rivers", "mountains", "waters")
"""Kinds whose articles end with a navigation box."""
CAPTION = "A drawing for this article"
_SIGHTS = frozenset({"buildings.city", "buildings.country", "organisms.native_to"})
_ALWAYS_TOGETHER = frozenset({"latitude+longitude"})

Relations = Mapping[str, Mapping[str, tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class Article:
    """A rendered article: wikitext, and the sentences that it is made of."""

    title: str
    text: str
    sentences: tuple[Sentence, ...]


def relations_of(tables: Tables) -> Relations:
    """For each title: relation (`rivers.mouth`) to the titles that stand in it, sorted."""
    rows = tables.by_title
    found: dict[str, dict[str, list[str]]] = {}
    for row in tables.rows:
        for column, values in row.cells.items():
            key = f"{row.kind.name}.{column}"
            if key not in INVERSE:
                continue
            for value in values:
                if value in rows and value != row.title and not _told(rows, row, key, value):
                    found.setdefault(value, {}).setdefault(key, []).append(row.title)
    return {
        title: {key: _limited(title, key, names) for key, names in by_key.items()}
        for title, by_key in found.items()
    }


def _told(rows: Mapping[str, Row], row: Row, key: str, value: str) -> bool:
    """Whether the target's own row or a closer relation states it already, or it is past."""
    if key == "rivers.mouth" and value in row.cells.get("tributary_of", ()):
        return True
    if is_past(row) and key in _SIGHTS:
        return True
    own = rows[value].cells
    return any(row.title in own.get(column, ()) for column in COUNTERPARTS.get(key, ()))


def _limited(title: str, key: str, names: list[str]) -> tuple[str, ...]:
    by_hash = sorted(names, key=lambda name: (pick(2**32, title, key, name), name))
    return tuple(sorted(by_hash[:MAX_INVERSE]))


def render_article(
    row: Row,
    relations: Mapping[str, tuple[str, ...]],
    linker: Linker,
    seen: dict[str, str],
    pictures: tuple[str, ...],
) -> Article:
    """Write one row's article. `relations` are those read backwards, `pictures` file names."""
    writer = Writer(row, linker, seen)
    lead = None if row.title in HUBS else writer.lead(LEADS[row.kind.name])
    stated = {fact.attribute for fact in lead.states} if lead else set()
    sections = list(_sections(writer, stated, relations))
    opening = lead.text if lead else HUBS[row.title].text
    blocks = [infobox(row, linker, pictures[:1]), opening]
    for at, (heading, sentences) in enumerate(sections):
        thumbs = "".join(f"[[File:{name}|thumb|{CAPTION}]]\n" for name in pictures[at + 1 : at + 2])
        blocks.append(f"== {heading} ==\n{thumbs}{' '.join(line.text for line in sentences)}")
    blocks.append("== References ==\n{{Reflist}}")
    if row.kind.name in NAVIGATION:
        blocks.append("{{" + navigation_name(row) + "}}")
    blocks.append("\n".join(f"[[Category:{name}]]" for name in categories(row, linker)))
    told = (*([lead] if lead else []), *(line for _, lines in sections for line in lines))
    return Article(row.title, "\n\n".join(blocks) + "\n", told)


def _sections(
    writer: Writer, stated: set[str], relations: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[str, list[Sentence]]]:
    plan = {heading: list(items) for heading, items in SECTIONS[writer.row.kind.name]}
    placed = {item[1:] for items in plan.values() for item in items if item.startswith("<")}
    for key in sorted(set(relations) - placed):
        plan.setdefault(INVERSE[key][0], []).append(f"<{key}")
    for heading, items in plan.items():
        sentences = [line for item in items for line in _item(writer, item, stated, relations)]
        if sentences:
            yield heading, sentences


def _item(
    writer: Writer, item: str, stated: set[str], relations: Mapping[str, tuple[str, ...]]
) -> Iterator[Sentence]:
    if item.startswith("<"):
        subjects = relations.get(item[1:], ())
        if subjects:
            yield from writer.inverse(item[1:], INVERSE[item[1:]][1], subjects)
        return
    patterns = PATTERNS[writer.row.kind.name]
    names = [name for name in item.split("+") if name in writer.row.cells]
    owed = [name for name in names if name not in stated]
    if not owed:
        return
    whole = len(owed) > 1 and owed == item.split("+")
    if whole and (item in _ALWAYS_TOGETHER or pick(5, writer.row.title, item, "together")):
        yield from writer.attribute(item, patterns[item])
        return
    for name in owed:
        yield from writer.attribute(name, patterns[name])


def infobox(row: Row, linker: Linker, pictures: tuple[str, ...]) -> str:
    """The infobox template: parameters are column names, each value has its note."""
    note = f"<ref>{row.source}</ref>"
    lines = [f"{{{{Infobox {row.kind.infobox}", f"| name = {display(row.title)}"]
    lines += [f"| image = {name}" for name in pictures]
    for column, values in row.cells.items():
        if row.kind.columns[column] is Cell.PAGE:
            text = ", ".join(_box_link(row, linker, column, value) for value in values)
        else:
            text = ", ".join(values)
        lines.append(f"| {column} = {text}{note}")
    return "\n".join([*lines, "}}"])


def _box_link(row: Row, linker: Linker, column: str, value: str) -> str:
    target = linker.resolve(value)
    if target is None or target == row.title:
        return short(column, value)
    base = display(target) if target == value else value
    return f"[[{target}]]" if base == target else f"[[{target}|{base}]]"


def navigation_name(row: Row) -> str:
    """The template that closes an article: `Navigation rivers`."""
    return f"Navigation {row.kind.name}"


def categories(row: Row, linker: Linker) -> tuple[str, ...]:
    """Category names: the kind, and the kind by country where one is given."""
    plural = CATEGORY_NAMES[row.kind.name]
    places = row.cells.get("country", row.cells.get("countries", ()))[:3]
    known = [linker.pages[place].full for place in places if place in linker.pages]
    return (plural, *(f"{plural} of {name}" for name in known))


CATEGORY_NAMES = {
    "continents": "Continents",
    "countries": "Countries",
    "cities": "Cities",
    "rivers": "Rivers",
    "mountains": "Mountains",
    "ranges": "Mountain ranges",
    "waters": "Bodies of water",
    "buildings": "Buildings and structures",
    "persons": "People",
    "artworks": "Works of art",
    "books": "Books",
    "music": "Compositions",
    "inventions": "Inventions",
    "organisms": "Species",
}
