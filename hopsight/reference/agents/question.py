"""Reading a question: its statements in the order in which they can be followed.

Nothing here knows how questions are written in this project. A text is cut at the ends of its
sentences and, where it has too few, at its clauses; the way starts at the words that point to
the picture, and the sentence that asks comes last.
"""

import re
from dataclasses import dataclass, replace

from hopsight.reference.agents.kinds import NOUN, kinds_named
from hopsight.reference.agents.lexicon import concepts, content_words
from hopsight.reference.agents.measures import Measure, read_measures
from hopsight.reference.agents.nested import read_nested

SENTENCE_END = re.compile(r"(?<=[.?!;:])\s+(?=[A-Z\"“(])|;\s+|:\s+")
CLAUSE_END = re.compile(r",\s+(?:and\s+)?(?:then\s+)?|\s+(?=(?:whose|which|that|who|where)\b)")
PICTURE = re.compile(r"\b(image|picture|photo|photograph|shown|depicted|pictured|illustration)\b")
INTRODUCED = re.compile(r"\b(?:an?|another|some) (?:certain )?([a-z-]+(?: [a-z-]+)?)")
DESCRIBES = re.compile(r"\b(?:whose|that|which|who|and|with|measuring)\b")
POINTS_BACK = re.compile(rf"\b(?:that|this|its|their)\s+(?:[a-z-]+\s+)??{NOUN}\b")
ASKING = re.compile(
    r"\b(what|which|who|whom|whose|when|where|how|name|give|state|tell|say)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Statement:
    """One clause: the ideas in it, its other words, and the quantities that it bounds.

    `relation` leaves out the ideas of the parts that bound a quantity: they describe what is
    looked for and do not say how to get there. `sought` are the kinds of what an indefinite
    article introduces: what is looked for.
    """

    text: str
    concepts: frozenset[str]
    relation: frozenset[str]
    sought: frozenset[str]
    words: frozenset[str]
    measures: tuple[Measure, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """Statements from the picture outward, and what is asked in the end."""

    statements: tuple[Statement, ...]
    ask: Statement


def read_question(text: str) -> Reading:
    """Cut a question into statements and the asking clause."""
    pieces = [piece.strip() for piece in SENTENCE_END.split(text) if piece and piece.strip()]
    if len(pieces) < 3:
        nested = _read_nested(text)
        if nested is not None:
            return nested
        pieces = [part.strip() for piece in pieces for part in CLAUSE_END.split(piece) if part]
    pieces = [piece for piece in pieces if piece] or [text]
    asking = _asking_piece(pieces)
    rest = pieces[:asking] + pieces[asking + 1 :]
    if _starts_at_the_end(rest):
        rest.reverse()
    return Reading(tuple(_statement(piece) for piece in rest), _asked(pieces[asking]))


def _read_nested(text: str) -> Reading | None:
    """A sentence that ends at the picture; None if it speaks of the picture sooner."""
    pointing = PICTURE.search(text.casefold())
    if pointing is None or pointing.start() < len(text) / 2:
        return None
    nest = read_nested(text[: pointing.start()])
    if nest is None:
        return None
    inward = reversed(nest.segments[:-1])
    statements = tuple(
        Statement(
            text=f"{segment.thing}{segment.asides}{segment.relation}".strip(),
            concepts=concepts(f"{segment.thing} {segment.asides} {segment.relation}"),
            relation=concepts(f"{segment.thing} {segment.relation}") | kinds_named(segment.thing),
            sought=kinds_named(segment.thing),
            words=content_words(f"{segment.thing} {segment.asides} {segment.relation}"),
            measures=read_measures(f"{segment.asides} {segment.relation}"),
        )
        for segment in inward
    )
    return Reading(statements, _asked(nest.ask))


def _asking_piece(pieces: list[str]) -> int:
    """The last piece with a question mark, else the last that has an asking word."""
    marked = [n for n, piece in enumerate(pieces) if piece.endswith("?")]
    if marked:
        return marked[-1]
    asking = [n for n, piece in enumerate(pieces) if ASKING.search(piece)]
    return asking[-1] if asking else len(pieces) - 1


def _starts_at_the_end(pieces: list[str]) -> bool:
    """Whether the picture is spoken of in the last half only: the text runs from answer to it."""
    pointing = [n for n, piece in enumerate(pieces) if PICTURE.search(piece.casefold())]
    return bool(pointing) and len(pieces) > 1 and pointing[0] > (len(pieces) - 1) / 2


def _asked(text: str) -> Statement:
    """The asking words; what they seek is any thing they name but do not point back to."""
    return replace(_statement(text), sought=kinds_named(POINTS_BACK.sub(" ", text)))


def _statement(text: str) -> Statement:
    measures = read_measures(text)
    apart = text
    for measure in reversed(measures):
        opened = [m.start() for m in DESCRIBES.finditer(text, 0, measure.start)]
        begin = opened[-1] if opened else measure.start
        apart = f"{apart[:begin]} {apart[measure.end :]}"
    sought = kinds_named(" ".join(INTRODUCED.findall(text.casefold())))
    return Statement(text, concepts(text), concepts(apart), sought, content_words(text), measures)
