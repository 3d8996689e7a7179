"""Sentence patterns: a small notation and how one is filled.

    {s}        the subject, e.g. "the Danube"       {n}   its noun, e.g. "the river"
    {v}        the value of its own attribute       {attr}  the value of a named attribute
    {a:attr}   that value after "a" or "an"         {was}  "is" for a living person, else "was"
    {in:attr}  that value after "in", "at" (a building) or "on" (a river); {in:s} likewise
    [one|many] by the number of values of the first attribute that the pattern names;
    [attr?one|many] by the number of values of that attribute
    <one|many> by the number of the subject ("the Alps" are many)

The first letter of the filled sentence is raised, a closing stop is never doubled.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from hopsight.wiki.mini.render.english import plain, upper_first, with_a

_SLOT = re.compile(r"\{(a:|in:)?([^{}]+)\}")
_BY_COUNT = re.compile(r"(?<!\[)\[(?:(\w+)\?)?([^\[\]|]*)\|([^\[\]|]*)\](?!\])")
_BY_SUBJECT = re.compile(r"<([^<>|]*)\|([^<>|]*)>")
_OWN = frozenset({"s", "n", "was", "B"})


@dataclass(frozen=True, slots=True)
class Lines:
    """Patterns of one attribute (or several): for most pages, held out, for parts of a list."""

    tuned: tuple[str, ...]
    held: tuple[str, ...]
    parts: tuple[str, ...] = ()
    parts_held: tuple[str, ...] = ()


def lines(
    *tuned: str,
    held: tuple[str, ...],
    parts: tuple[str, ...] = (),
    parts_held: tuple[str, ...] = (),
) -> Lines:
    """Patterns of one attribute; `parts` are used where a long list needs several sentences."""
    return Lines(tuned, held, parts, parts_held)


@dataclass(frozen=True, slots=True)
class Value:
    """A value ready for a sentence: wikitext, how many it lists, the word for being there."""

    text: str
    count: int
    place: str = "in"


def slots_of(pattern: str) -> tuple[str, ...]:
    """Names of the attributes that a pattern states, in order, each once."""
    names = [name for _, name in _SLOT.findall(pattern) if name not in _OWN]
    return tuple(dict.fromkeys(names))


def fill(pattern: str, own: Mapping[str, str], plural: bool, values: Mapping[str, Value]) -> str:
    """The sentence as wikitext. `own` gives s, n, was and (in a lead) B."""
    first = next(iter(slots_of(pattern)), "")

    def by_count(match: re.Match[str]) -> str:
        value = values[match[1] or first]
        return match[2] if value.count == 1 else match[3]

    def slot(match: re.Match[str]) -> str:
        text = own[match[2]] if match[2] in _OWN else values[match[2]].text
        if match[1] == "in:":
            place = own["place"] if match[2] in _OWN else values[match[2]].place
            return f"{place} {text}"
        return with_a(text) if match[1] else text

    text = _BY_SUBJECT.sub(lambda match: match[2] if plural else match[1], pattern)
    text = _SLOT.sub(slot, _BY_COUNT.sub(by_count, text))
    if plain(text).endswith(".."):
        text = text[:-1]
    return upper_first(text)
