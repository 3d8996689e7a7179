"""Reading a question: its statements in the order in which they can be followed.

Nothing here knows how questions are written in this project. A text is cut at the ends of its
sentences and, where it has too few, at its clauses; the way starts at the words that point to
the picture, and the sentence that asks comes last.
"""

import re
from dataclasses import dataclass, replace

from hopsight.reference.agents.describing import Described, set_apart
from hopsight.reference.agents.kinds import NOUN, kinds_named
from hopsight.reference.agents.lexicon import concepts, content_words
from hopsight.reference.agents.looks import Look
from hopsight.reference.agents.measures import Measure, read_measures
from hopsight.reference.agents.nested import Segment, read_nested

SENTENCE_END = re.compile(r"(?<=[.?!;:])\s+(?=[A-Z\"“(])|;\s+|:\s+")
CLAUSE_END = re.compile(
    r",\s+(?:and\s+)?(?:then\s+)?|\s+(?=(?:whose|which|who|where)\b)|"
    rf"\s+(?=that\b(?!\s+(?:[a-z-]+\s+)??{NOUN}\b))"
)
PICTURE = re.compile(r"\b(image|picture|photo|photograph|shown|depicted|pictured|illustration)\b")
INTRODUCED = re.compile(r"\b(?:an?|another|some) (?:certain )?([a-z-]+(?: [a-z-]+)?)")
DESCRIBES = re.compile(r"\b(?:whose|that|which|who|and|with|measuring)\b")
POINTS_BACK = re.compile(rf"\b(?:that|this|its|their)\s+(?:[a-z-]+\s+)??{NOUN}\b")
LOOSE = re.compile(
    r"\b(?:(?:to|something to) do with|(?:linked|connected|related|tied|associated|bound up) "
    r"(?:with|to|in some way)|(?:some|a) (?:link|connection|tie|relation) (?:with|to))\b"
)
"""Words that say that two things are related and not how."""
BARE = re.compile(rf"(?:the|this|that)\s+(?:[a-z-]+\s+)??{NOUN}", re.IGNORECASE)
ASKING = re.compile(
    r"\b(what|which|who|whom|whose|when|where|how|name|give|state|tell|say)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Statement:
    """One clause: the ideas in it, its other words, and the quantities that it bounds.

    `relation` leaves out the ideas of the parts that bound a quantity: they describe what is
    looked for and do not say how to get there. `sought` are the kinds of what an indefinite
    article introduces: what is looked for. `look` is what is told of its looks, and `loose` says
    that anything may be what relates the two.
    """

    text: str
    concepts: frozenset[str]
    relation: frozenset[str]
    sought: frozenset[str]
    words: frozenset[str]
    measures: tuple[Measure, ...]
    look: Look
    loose: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """Statements from the picture outward, and what is asked in the end."""

    statements: tuple[Statement, ...]
    ask: Statement


def read_question(text: str) -> Reading:
    """Cut a question into statements and the asking clause."""
    described = set_apart(text)
    told = described.text
    pieces = [piece.strip() for piece in SENTENCE_END.split(told) if piece and piece.strip()]
    if len(pieces) < 3:
        nested = _read_nested(described)
        if nested is not None:
            return nested
        pieces = _joined([part for piece in pieces for part in _clauses(piece, len(pieces))])
    pieces = [piece for piece in pieces if piece] or [told]
    asking = _asking_piece(pieces)
    rest = pieces[:asking] + pieces[asking + 1 :]
    if _starts_at_the_end(rest):
        rest.reverse()
    statements = tuple(_statement(piece, described) for piece in rest)
    return Reading(statements, _asked(pieces[asking], described))


def _clauses(piece: str, pieces: int) -> list[str]:
    """A sentence cut at its clauses; one of several that introduces a single thing stays whole."""
    introduced = INTRODUCED.findall(piece.casefold())
    things = [each for each in introduced if kinds_named(each) and "border" not in each]
    if pieces > 1 and len(things) < 2:
        return [piece]
    return [part.strip() for part in CLAUSE_END.split(piece) if part]


def _joined(pieces: list[str]) -> list[str]:
    """A piece that only names a thing is joined to the clause that says which one."""
    joined: list[str] = []
    for piece in pieces:
        if joined and BARE.fullmatch(joined[-1]):
            joined[-1] = f"{joined[-1]} {piece}"
        else:
            joined.append(piece)
    return joined


def _read_nested(described: Described) -> Reading | None:
    """A sentence that ends at the picture; None if it speaks of the picture sooner."""
    text = described.text
    pointing = PICTURE.search(text.casefold())
    if pointing is None or pointing.start() < len(text) / 2:
        return None
    nest = read_nested(text[: pointing.start()])
    if nest is None:
        return None
    statements = tuple(_of_segment(segment, described) for segment in reversed(nest.segments[:-1]))
    return Reading(statements, _asked(nest.ask, described))


def _of_segment(segment: Segment, described: Described) -> Statement:
    whole = f"{segment.thing}{segment.asides}{segment.relation}".strip()
    return Statement(
        text=described.restored(whole),
        concepts=concepts(f"{segment.thing} {segment.asides} {segment.relation}"),
        relation=concepts(f"{segment.thing} {segment.relation}") | kinds_named(segment.thing),
        sought=kinds_named(segment.thing),
        words=content_words(f"{segment.thing} {segment.asides} {segment.relation}"),
        measures=read_measures(f"{segment.asides} {segment.relation}"),
        look=described.look(whole),
        loose=bool(LOOSE.search(segment.relation)),
    )


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


def _asked(text: str, described: Described) -> Statement:
    """The asking words; what they seek is any thing they name but do not point back to."""
    return replace(_statement(text, described), sought=kinds_named(POINTS_BACK.sub(" ", text)))


def _statement(told: str, described: Described) -> Statement:
    text = described.plain(told)
    measures = read_measures(text)
    apart = text
    for measure in reversed(measures):
        opened = [m.start() for m in DESCRIBES.finditer(text, 0, measure.start)]
        begin = opened[-1] if opened else measure.start
        apart = f"{apart[:begin]} {apart[measure.end :]}"
    sought = kinds_named(" ".join(INTRODUCED.findall(text.casefold())))
    return Statement(
        text=described.restored(told),
        concepts=concepts(text),
        relation=concepts(apart),
        sought=sought,
        words=content_words(text),
        measures=measures,
        look=described.look(told),
        loose=bool(LOOSE.search(text)),
    )
