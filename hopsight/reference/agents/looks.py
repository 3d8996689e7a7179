"""Reading what a text says of how something looks: colours, bands, figures and where they stand."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from hopsight.reference.agents.colours import plain_colour
from hopsight.reference.agents.figure_words import (
    AREAS,
    FIGURES,
    NUMBERS,
    PLACES,
    SHAPES,
    TOKEN,
)


@dataclass(frozen=True, slots=True)
class Stripes:
    """Bands in order, by colour word; `run` is "across" or "upright", None where unsaid."""

    colours: tuple[str, ...]
    run: str | None
    count: int | None


@dataclass(frozen=True, slots=True)
class Feature:
    """Something to be seen: a figure (None: only its colours are told), how many, and where."""

    figure: str | None
    colours: tuple[str, ...]
    count: int | None = None
    points: int | None = None
    place: str | None = None


@dataclass(frozen=True, slots=True)
class Look:
    """How something looks, as far as a text says it."""

    stripes: tuple[Stripes, ...] = ()
    features: tuple[Feature, ...] = ()
    shapes: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.stripes or self.features or self.shapes)

    def __add__(self, other: "Look") -> "Look":
        return Look(
            self.stripes + other.stripes,
            self.features + other.features,
            self.shapes + other.shapes,
        )


@dataclass(slots=True)
class _Draft:
    """A figure or bands that are being read, in whatever order their words come."""

    figure: str | None
    colours: list[str]
    count: int | None = None
    points: int | None = None
    place: str | None = None
    run: str | None = None
    open: bool = False


@dataclass(slots=True)
class _Reader:
    """Goes through the tokens of one description."""

    drafts: list[_Draft] = field(default_factory=list)
    shapes: list[str] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)
    since_article: int = 0
    told: bool = True
    count: int | None = None
    points: int | None = None
    run: str | None = None

    def colour(self, word: str) -> None:
        last = self.drafts[-1] if self.drafts else None
        if last is not None and last.open:
            last.colours.append(word)
        else:
            self.waiting.append(word)

    def article(self) -> None:
        self.settle_bands()
        self.since_article = len(self.waiting)
        self.told = False

    def bands(self) -> None:
        self.settle_bands()
        many = self.count is not None and self.count > 1
        self.drafts.append(_Draft("bands", self.waiting, self.count, run=self.run))
        self.drafts[-1].open = len(self.waiting) < (2 if not many else self.count or 2)
        self.start_over()

    def figure(self, name: str) -> None:
        self.settle_bands()
        apart, own = self.waiting[: self.since_article], self.waiting[self.since_article :]
        self.waiting = apart
        self.settle()
        if name == "cross" and self.run == "slanting":
            name = "saltire"
        self.drafts.append(_Draft(name, own, self.count, self.points))
        self.start_over()

    def start_over(self) -> None:
        self.waiting, self.since_article, self.told = [], 0, True
        self.count = self.points = self.run = None

    def direction(self, run: str) -> None:
        last = self.drafts[-1] if self.drafts else None
        if last is not None and last.open and last.run is None:
            last.run = run
        else:
            self.run = run

    def place(self, name: str) -> None:
        last = self.drafts[-1] if self.drafts else None
        if self.waiting:
            self.drafts.append(_Draft(None, self.waiting, place=name))
            self.start_over()
        elif last is not None and not last.open and last.place is None:
            last.place = name

    def number(self, value: int) -> None:
        self.settle_bands()
        self.count = value
        self.since_article = len(self.waiting)

    def settle_bands(self) -> None:
        """An article or a number after the bands' colours starts another thing."""
        if self.drafts and self.drafts[-1].open and self.drafts[-1].colours:
            self.drafts[-1].open = False

    def settle(self) -> None:
        """Colours that no noun followed belong to the last thing, or stand alone."""
        if not self.waiting:
            return
        last = self.drafts[-1] if self.drafts else None
        if last is not None and not last.colours and self.told:
            last.colours += self.waiting
        else:
            self.drafts.append(_Draft(None, self.waiting))
        self.waiting, self.since_article = [], 0

    def look(self) -> Look:
        self.settle()
        stripes = [
            Stripes(tuple(each.colours), each.run, each.count)
            for each in self.drafts
            if each.figure == "bands" and len(each.colours) > 1 and each.run != "slanting"
        ]
        features = [
            feature
            for each in self.drafts
            if each.figure != "bands" or len(each.colours) < 2 or each.run == "slanting"
            for feature in _features(each)
        ]
        return Look(tuple(stripes), tuple(features), tuple(self.shapes))


def read_look(text: str) -> Look:
    """What a description says; empty where it says nothing of colours, bands or figures."""
    reader = _Reader()
    for kind, said in _tokens(text):
        _take(reader, kind, said)
    return reader.look()


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    for match in TOKEN.finditer(text):
        kind = match.lastgroup or ""
        if kind == "points_of":
            kind = "points"
        yield kind, match.group("points_of") or match.group()


def _take(reader: _Reader, kind: str, said: str) -> None:
    if kind == "word":
        reader.colour(plain_colour(said))
    elif kind in ("across", "upright", "slanting"):
        reader.direction(kind)
    elif kind == "shape":
        reader.shapes.append(_name_in(SHAPES, said))
    elif kind == "bands":
        reader.bands()
    elif kind == "figure":
        reader.figure(_name_in(FIGURES, said))
    elif kind == "points":
        reader.points = int(said) if said.isdigit() else NUMBERS.index(said) + 1
    elif kind == "count":
        reader.number(NUMBERS.index(said) + 1)
    elif kind == "place":
        reader.place(_place_of(said))
    elif kind == "article":
        reader.article()
    elif kind == "joint":
        if said not in ("over", "under"):  # "two bands, red over white"
            reader.settle_bands()
        reader.settle()


def _features(draft: _Draft) -> list[Feature]:
    """A draft as a feature, none where it says neither a colour nor a figure to look for."""
    figure = "stripe" if draft.figure == "bands" else draft.figure
    if not draft.colours and figure in AREAS:
        return []
    return [Feature(figure, tuple(draft.colours), draft.count, draft.points, draft.place)]


def _name_in(table: dict[str, str], said: str) -> str:
    return next(name for name, pattern in table.items() if re.fullmatch(pattern, said))


def _place_of(said: str) -> str:
    return next(name for name, pattern in PLACES.items() if re.match(rf"(?:{pattern})\b", said))
