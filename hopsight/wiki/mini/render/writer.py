"""Writing one page's sentences: which pattern, which wording, and what each of them states."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from hopsight.errors import SourceError
from hopsight.wiki.mini.render.choice import is_held_out, pick
from hopsight.wiki.mini.render.english import countable, join, plain, shown, upper_first
from hopsight.wiki.mini.render.links import Linker
from hopsight.wiki.mini.render.names import Name, name_of
from hopsight.wiki.mini.render.pattern import Lines, Value, fill, slots_of
from hopsight.wiki.mini.render.schema import Cell
from hopsight.wiki.mini.render.tables import Row
from hopsight.wiki.mini.render.tense import in_past, is_past

MAX_LINKS = 8
"""Most links in one sentence."""
LEAD_VALUES = 3
"""Most values of one attribute in a lead sentence."""
_GOES_ON = re.compile(r"\b(also|as well|other|further|too)\b", re.IGNORECASE)
"""Words of a pattern that only fits after another sentence on the same list."""
LIVING_FROM = 1925
"""A person born earlier is not taken to live, whatever the table lacks."""


@dataclass(frozen=True, slots=True)
class Stated:
    """A fact that a sentence states: `subject` has `value` as `attribute`."""

    subject: str
    attribute: str
    value: str
    value_title: str | None
    shown: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a page, as wikitext, with what it states."""

    text: str
    pattern_id: str
    held_out: bool
    states: tuple[Stated, ...]


@dataclass(slots=True)
class Writer:
    """Writes the sentences of one row's page. `seen` is shared: no sentence stands on two pages."""

    row: Row
    linker: Linker
    seen: dict[str, str]
    held_out: bool = field(init=False)

    def __post_init__(self) -> None:
        self.held_out = is_held_out(self.row.title)

    def lead(self, patterns: Lines) -> Sentence:
        """The first sentence, with the page's name in bold."""
        usable = {
            name: self.value(name, values)
            for name, values in self.row.cells.items()
            if len(values) <= LEAD_VALUES
        }
        chosen = patterns.held if self.held_out else patterns.tuned
        fitting = [line for line in chosen if set(slots_of(line)) <= set(usable)]
        if not fitting:
            cause = f"no lead pattern fits {self.row.title!r} ({self.row.kind.name})"
            raise SourceError(cause, "add a lead pattern that needs fewer attributes")
        most = max(len(slots_of(line)) for line in fitting)
        fitting = [line for line in fitting if len(slots_of(line)) >= min(most, 2)] or fitting
        states = {name: self.states(name, self.row.cells[name]) for name in usable}
        return self._say(f"{self.row.kind.name}.lead", patterns, fitting, usable, states, 0)

    def attribute(self, key: str, patterns: Lines) -> Iterator[Sentence]:
        """The sentences that state one attribute, or several joined with `+`."""
        names = key.split("+")
        full_key = f"{self.row.kind.name}.{key}"
        if len(names) > 1:
            yield self._several(full_key, names, patterns)
            return
        values = self.row.cells[key]
        for at, chunk in enumerate(chunks(values)):
            whole = len(chunk) == len(values)
            lines = self._chosen(patterns, whole, at, full_key)
            given = {"v": self.value(key, chunk)}
            states = {"v": self.states(key, chunk)}
            yield self._say(full_key, patterns, lines, given, states, at)

    def inverse(self, key: str, patterns: Lines, subjects: tuple[str, ...]) -> Iterator[Sentence]:
        """Sentences that tell which other pages name this one as their `key` (`rivers.mouth`)."""
        attribute = key.partition(".")[2]
        for at, chunk in enumerate(chunks(subjects)):
            whole = len(chunk) == len(subjects)
            lines = self._chosen(patterns, whole, at, key)
            links = [self.linker.link(self.row.title, title, key) for title in chunk]
            states = tuple(
                Stated(title, attribute, self.row.title, self.row.title, plain(link))
                for title, link in zip(chunk, links, strict=True)
            )
            given = {"v": Value(join(links), len(chunk))}
            yield self._say(f"inverse.{key}", patterns, lines, given, {"v": states}, at)

    def value(self, name: str, values: tuple[str, ...]) -> Value:
        """The values of one attribute, joined, as wikitext."""
        place = self.linker.place(values[0]) if self._may_link(name) else "in"
        return Value(join([self._one(name, value) for value in values]), len(values), place)

    def states(self, name: str, values: tuple[str, ...]) -> tuple[Stated, ...]:
        """What a sentence states that holds these values."""
        return tuple(
            Stated(
                self.row.title,
                name,
                value,
                self.linker.resolve(value) if self._may_link(name) else None,
                plain(self._one(name, value)),
            )
            for value in values
        )

    def _several(self, key: str, names: list[str], patterns: Lines) -> Sentence:
        given = {name: self.value(name, self.row.cells[name]) for name in names}
        states = {name: self.states(name, self.row.cells[name]) for name in names}
        lines = list(patterns.held if self.held_out else patterns.tuned)
        return self._say(key, patterns, lines, given, states, 0)

    def _chosen(self, patterns: Lines, whole: bool, at: int, key: str) -> list[str]:
        if whole:
            return list(patterns.held if self.held_out else patterns.tuned)
        parts = patterns.parts_held if self.held_out else patterns.parts
        if not parts:
            cause = f"{key} of {self.row.title!r} has more values than one sentence may hold"
            raise SourceError(cause, "add patterns for parts of the list")
        return [line for line in parts if at or not _GOES_ON.search(line)]

    def _may_link(self, name: str) -> bool:
        return self.row.kind.columns[name] in (Cell.PAGE, Cell.TEXT)

    def _one(self, name: str, value: str) -> str:
        cell = self.row.kind.columns[name]
        if self._may_link(name):
            return self.linker.value(self.row.title, name, value)
        return shown(cell, value)

    def _say(
        self,
        key: str,
        patterns: Lines,
        lines: list[str],
        given: Mapping[str, Value],
        states: Mapping[str, tuple[Stated, ...]],
        turn: int,
    ) -> Sentence:
        start = pick(len(lines), self.row.title, key) + turn
        for full_title in (False, True):
            own, plural = self._own(full_title)
            for at in range(len(lines)):
                line = lines[(start + at) % len(lines)]
                text = fill(self._tense(line), own, plural, given)
                if self.seen.setdefault(plain(text), self.row.title) == self.row.title:
                    told = tuple(
                        _as_shown(state, plain(text))
                        for name in slots_of(line)
                        for state in states[name]
                    )
                    return Sentence(text, pattern_id(key, patterns, line), self.held_out, told)
        cause = f"every wording of {key} for {self.row.title!r} stands on another page already"
        raise SourceError(cause, "add a pattern that names the subject")

    def _tense(self, line: str) -> str:
        return in_past(line) if is_past(self.row) else line

    def _own(self, full_title: bool) -> tuple[dict[str, str], bool]:
        name = name_of(self.row, full_title=full_title)
        styled = f"{name.article}''{name.base}''" if name.italic else name.full
        own = {
            "s": styled,
            "B": bold(name),
            "n": f"the {noun_of(self.row)}",
            "place": self.linker.place(self.row.title),
            "was": "is" if _may_live(self.row) else "was",
        }
        return own, name.plural


def _may_live(row: Row) -> bool:
    """A person without a year of death who was born late enough is told of in the present."""
    born = row.cells.get("birth_year")
    return "death_year" not in row.cells and born is not None and int(born[0]) >= LIVING_FROM


def _as_shown(state: Stated, sentence: str) -> Stated:
    """The fact with its value as the sentence shows it: no article, a first word raised."""
    bare = state.shown.removeprefix("the ")
    return replace(state, shown=bare if bare in sentence else upper_first(bare))


def bold(name: Name) -> str:
    """The name as an article's first words show it."""
    quotes = "'" * (5 if name.italic else 3)
    return f"{name.article}{quotes}{name.base}{quotes}"


def noun_of(row: Row) -> str:
    """The plain word for a page: "bridge", "composer", "bird"."""
    refined = row.cells.get(row.kind.noun_column or "", ())
    return countable(refined[0]) if refined else row.kind.noun


def chunks(values: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Values in runs of nearly equal length, none longer than `MAX_LINKS`."""
    count = -(-len(values) // MAX_LINKS)
    size, longer = divmod(len(values), count)
    at = 0
    for index in range(count):
        end = at + size + (index < longer)
        yield values[at:end]
        at = end


def pattern_id(key: str, patterns: Lines, line: str) -> str:
    """A short name of a pattern: `rivers.mouth.2`, `rivers.mouth.held0`."""
    for group, listed in (
        ("", patterns.tuned),
        ("held", patterns.held),
        ("part", patterns.parts),
        ("part-held", patterns.parts_held),
    ):
        if line in listed:
            return f"{key}.{group}{listed.index(line)}"
    raise ValueError(f"{line!r} is no pattern of {key}")
