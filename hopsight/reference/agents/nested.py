"""Reading one long sentence that runs from the answer to the picture, phrase within phrase.

"Name the capital of the country, a large one, that borders the country in the picture": each noun
phrase for a thing starts a segment, what stands in asides describes that thing, and the words
before the next noun phrase say how the two are related.
"""

import re
from dataclasses import dataclass

from hopsight.reference.agents.kinds import NOUN, kinds_named
from hopsight.reference.agents.lexicon import COMMON, concepts, content_words
from hopsight.reference.agents.measures import read_measures

THING = re.compile(
    r"\b(?:an?|the|some|another|one|any)\s+(?:of the\s+)?"
    r"(?:(?!(?:of|in|on|at|by|to|with|is|was|the|an?|class|order|family|genus)\b)[a-z-]+\s+)"
    rf"{{0,2}}?{NOUN}\b(?!['’]|\s+(?:code|domain|name|border)\b)"
)
ASIDE = re.compile(
    r",|[()—]|\b(?:(?:on|in|at|by|of|from|to|into|through|for|with|after|under) )?"
    r"(?:whose|which|who|whom|where|that)\b"
)
HIDDEN = "\0"


@dataclass(frozen=True, slots=True)
class Segment:
    """A thing that the sentence speaks of: its noun phrase, asides, and the way to the next."""

    thing: str
    asides: str
    relation: str


@dataclass(frozen=True, slots=True)
class Nest:
    """The asking words, and the segments from the answer's thing inward to the picture's."""

    ask: str
    segments: tuple[Segment, ...]


def read_nested(text: str) -> Nest | None:
    """The phrases of a sentence, outermost first; None if it speaks of no two things."""
    things = list(THING.finditer(text))
    if things and not _says_something(text[: things[0].start()]):
        # "Name the river on which …": what is asked for is itself the first thing.
        things = things[1:]
    if not things:
        return None
    things = [
        thing
        for thing, following in zip(things, [*things[1:], None], strict=True)
        if following is None or not _same(text, thing, following)
    ]
    ends = [*(thing.start() for thing in things[1:]), len(text)]
    outer = [text[: things[0].start()]]
    told: list[tuple[str, str]] = []
    for thing, end in zip(things, ends, strict=True):
        tail, asides, relation = _parts(text[thing.end() : end])
        outer[-1] = f"{outer[-1]} {tail}"
        told.append((thing.group(), asides))
        outer.append(relation)
    ask, *relations = outer
    segments = tuple(
        Segment(thing, asides, relation)
        for (thing, asides), relation in zip(told, relations, strict=True)
    )
    return Nest(ask, segments)


def _same(text: str, thing: re.Match[str], following: re.Match[str]) -> bool:
    """Whether two noun phrases speak of one thing: "the soil of the land", "the wild animal, a"."""
    one, other = kinds_named(thing.group()), kinds_named(following.group())
    head = thing.group().split()[-1]
    said = concepts(f"{head} {text[thing.end() : following.start()]}")
    return bool(one & other) and not said - COMMON - one


def _says_something(text: str) -> bool:
    return bool(content_words(text))


def _parts(text: str) -> tuple[str, str, str]:
    """What follows a noun phrase: the rest of the outer phrase, asides, the way to the next."""
    masked = text
    for measure in read_measures(text):
        width = measure.end - measure.start
        masked = masked[: measure.start] + HIDDEN * width + masked[measure.end :]
    cuts = [match.start() for match in ASIDE.finditer(masked)]
    if not cuts:
        return "", "", text
    return text[: cuts[0]], text[cuts[0] : cuts[-1]], text[cuts[-1] :]
