"""Links to other pages, with the anchors that running English wants."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from hopsight.wiki.mini.render import determiners, names
from hopsight.wiki.mini.render.choice import pick
from hopsight.wiki.mini.render.names import Name

_COUNTRY_COLUMNS = frozenset({"country", "countries", "borders", "native_to", "source_country"})
_RIVER_COLUMNS = frozenset({"river", "tributary_of"})
_SHORT_COLUMNS = frozenset({"characters", "notable_works", "subject"})
_WATER_COLUMNS = frozenset({"water", "mouth", "outflow"})
_REDIRECT_ONE_IN = 12


@dataclass(frozen=True, slots=True)
class Linker:
    """Knows every page's name, and the redirects that a link may go through."""

    pages: Mapping[str, Name]
    redirects: Mapping[str, tuple[str, ...]]
    places: Mapping[str, str] = field(default_factory=dict)

    def place(self, value: str) -> str:
        """The word before a place: things happen `in` a city, `at` a building, `on` a river."""
        return self.places.get(value, "in")

    def resolve(self, value: str) -> str | None:
        """The title that a value names: exactly, or but for the case of its first letter."""
        if value in self.pages:
            return value
        raised = value[:1].upper() + value[1:]
        return raised if raised in self.pages and value[:1].islower() else None

    def value(self, page: str, column: str, value: str) -> str:
        """A value in a sentence on `page`: a link where its page exists, else plain text."""
        target = self.resolve(value)
        if target is None or target == page:
            return plain_name(column, value)
        if target != value:
            return f"[[{value}]]"
        return self.link(page, target, column)

    def link(self, page: str, target: str, salt: str) -> str:
        """A link whose anchor is the target's name, sometimes piped, sometimes by a redirect."""
        name = self.pages[target]
        through = self._through(page, target, salt)
        if name.article and pick(2, page, target, salt, "article") == 0:
            anchor = f"{name.article}{name.base}"
            return f"[[{through}|{anchor}]]"
        bare = through == name.base or (through == target and _first_letter_only(target, name.base))
        inner = f"[[{name.base}]]" if bare else f"[[{through}|{name.base}]]"
        return name.article + (f"''{inner}''" if name.italic else inner)

    def _through(self, page: str, target: str, salt: str) -> str:
        aliases = self.redirects.get(target, ())
        if aliases and pick(_REDIRECT_ONE_IN, page, target, salt, "redirect") == 0:
            return aliases[pick(len(aliases), page, target, salt, "alias")]
        return target


def _first_letter_only(title: str, base: str) -> bool:
    return title[1:] == base[1:] and title[:1].lower() == base[:1].lower()


def short(column: str, value: str) -> str:
    """A figure or work without a page, by name alone: `Hamlet (character)` to `Hamlet`."""
    return names.display(value) if column in _SHORT_COLUMNS else value


def plain_name(column: str, value: str) -> str:
    """A value without a page, with `the` where its column and shape want it."""
    value = short(column, value)
    if value.startswith(("the ", "The ")):
        return value
    if column == "currency":
        return f"the {value}"
    if column in _COUNTRY_COLUMNS and determiners.country_wants_the(value):
        return f"the {value}"
    if column in _RIVER_COLUMNS or (column == "range" and not value.startswith("Mount ")):
        return f"the {value}"
    if column in _WATER_COLUMNS and determiners.water_wants_the(value):
        return f"the {value}"
    if column == "mouth" and re.fullmatch(r"\w+", value):
        return f"the {value}"
    return value
