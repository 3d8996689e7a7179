"""A page's name in running text: without parentheses, with `the` where English wants it."""

import re
from dataclasses import dataclass

from hopsight.wiki.mini.render import determiners as the
from hopsight.wiki.mini.render.tables import Row

_PARENTHESES = re.compile(r" \([^()]*\)$")
_CRAFT = re.compile(
    r"ship|spacecraft|airship|locomotive|satellite|probe|rover|aircraft|mission|liner|station"
)
_SHIP = re.compile(r"^(steam|sailing |)ship|liner")
_CAPITAL_OR_DIGIT = re.compile(r"[A-Z0-9]")
_NUMBERED = re.compile(r"\b(No\.|in [A-G]\b)")


@dataclass(frozen=True, slots=True)
class Name:
    """A page's name in a sentence: `article` ("the " or ""), `base`, number, style."""

    article: str
    base: str
    plural: bool = False
    italic: bool = False

    @property
    def full(self) -> str:
        """Article and base, as in the middle of a sentence."""
        return self.article + self.base


def display(title: str) -> str:
    """The title without a closing pair of parentheses."""
    return _PARENTHESES.sub("", title)


def name_of(row: Row, *, full_title: bool = False) -> Name:
    """The name of a row's page; `full_title` keeps the parentheses, to tell namesakes apart."""
    base = row.title if full_title else display(row.title)
    bare = display(row.title)
    kind = row.kind.name
    if kind == "organisms":
        article = "the " if the.species_wants_the(base) else ""
        return Name(article, base if the.keeps_capital(base) else _lowered(base))
    if kind == "inventions":
        return _invention(row, base)
    wanted = not bare.startswith("The ") and _wants_the(kind, row, bare)
    return Name("the " if wanted else "", base, _is_plural(kind, bare), _italic(row, bare))


def _wants_the(kind: str, row: Row, bare: str) -> bool:
    if kind == "rivers":
        return True
    if kind == "ranges":
        return not bare.startswith("Mount ")
    if kind == "countries":
        return the.country_wants_the(bare)
    if kind == "waters":
        lake = "lake" in row.cells.get("kind", ())
        return the.lake_wants_the(bare) if lake else the.water_wants_the(bare)
    if kind == "mountains":
        return the.mountain_wants_the(bare)
    if kind == "buildings":
        return the.building_wants_the(bare)
    return row.kind.italic and the.work_wants_the(bare)


def _is_plural(kind: str, bare: str) -> bool:
    if kind == "ranges":
        return the.range_is_plural(bare)
    if kind == "buildings":
        return the.building_is_plural(bare)
    return kind in ("artworks", "music") and the.work_is_plural(bare)


def _italic(row: Row, bare: str) -> bool:
    """Named works are italic; numbered ones ("Symphony No. 5") and things with `the` are not."""
    if not row.kind.italic or the.work_wants_the(bare):
        return False
    return not (row.kind.name == "music" and _NUMBERED.search(bare))


def _lowered(base: str) -> str:
    return base[:1].lower() + base[1:]


def _invention(row: Row, base: str) -> Name:
    """Craft have proper names; other things are common nouns, unless a word in them is a name."""
    kinds = " ".join(row.cells.get("kind", ()))
    if _CRAFT.search(kinds):
        article = "the " if the.craft_wants_the(base) else ""
        return Name(article, base, italic=not article and bool(_SHIP.search(kinds)))
    people = (*row.cells.get("named_after", ()), *row.cells.get("inventor", ()))
    names = {word for person in people for word in person.split(" ")}
    words = base.split(" ")
    common = not any(_CAPITAL_OR_DIGIT.match(word) for word in words[1:])
    first = words[0].split("-")[0].removesuffix("'s")
    proper = first in names or the.invention_keeps_capital(base)
    article = "the " if the.invention_wants_the(base) else ""
    return Name(article, _lowered(base) if common and not proper else base)
