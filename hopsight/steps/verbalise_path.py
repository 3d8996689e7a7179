"""Verbalise a path: one question that says what the reference wording says, in better English."""

import re
from collections.abc import Sequence
from typing import Annotated, Final

from pydantic import Field, StringConstraints

from hopsight.reference.generator import verbalise
from hopsight.steps.statements import Statement, missing, statements_of
from hopsight.steps.step import Step
from hopsight.steps.text import block, leaked, listed
from hopsight.types import EvidenceChain, Part

MAX_QUESTION: Final = 2_000
_SHORTEST: Final = 0.5
_LONGEST: Final = 2
"""How many times as long as its reference wording a question is at least, and at most."""

_SHOWN_IN: Final = re.compile(
    r"\b(?:image|picture|pictured|photo|photograph|shown|depicted|map|label|sign|plaque|flag)s?\b",
    re.IGNORECASE,
)


class PathWording(Part):
    """What a question has to say.

    `anchor` is the referring expression for what the picture shows, `statements` one a hop in
    reference wording, `reference` the whole question in it.
    """

    anchor: str
    statements: tuple[Statement, ...] = Field(min_length=1, max_length=12)
    avoid: tuple[str, ...]
    reference: str = Field(max_length=MAX_QUESTION)


class WrittenQuestion(Part):
    """One question text."""

    question: Annotated[str, StringConstraints(strip_whitespace=True)] = Field(
        min_length=1, max_length=2 * MAX_QUESTION
    )


def wording_of(chain: EvidenceChain, anchor: str, avoid: tuple[str, ...]) -> PathWording:
    """The input for a grounded chain; `avoid` holds all names of its nodes and of the answer."""
    statements, _ = statements_of(chain, anchor)
    wording = verbalise.question(chain, anchor)
    return PathWording(anchor=anchor, statements=statements, avoid=avoid, reference=wording)


def _fill(item: PathWording) -> dict[str, str]:
    values = (value for each in item.statements for value in each.values)
    return {
        "draft": block(item.reference),
        "avoid": listed(item.avoid),
        "keep": listed(dict.fromkeys([item.anchor, *values])),
    }


def check(item: PathWording, written: WrittenQuestion) -> str | None:
    """A question of fitting length that names nothing, keeps every value and the picture."""
    text = written.question
    names = leaked(text, item.avoid)
    lost = [value for each in item.statements for value in missing(each, text)]
    shortest, longest = (round(times * len(item.reference)) for times in (_SHORTEST, _LONGEST))
    problems = {
        f"it gives away {_quoted(names)}": bool(names),
        f"it no longer says {_quoted(lost)}": bool(lost),
        f"it does not point at the picture: write {item.anchor!r}": (
            _SHOWN_IN.search(item.anchor) is not None and _SHOWN_IN.search(text) is None
        ),
        "it is not one paragraph that ends with a question mark": (
            not text.endswith("?") or "\n" in text
        ),
        f"it has {len(text)} characters, {shortest} to {longest} are allowed": (
            not shortest <= len(text) <= longest
        ),
    }
    return "; ".join(problem for problem, found in problems.items() if found) or None


def _quoted(words: Sequence[str]) -> str:
    return ", ".join(map(repr, dict.fromkeys(words)))


def reference(item: PathWording) -> WrittenQuestion:
    """The reference wording as it is."""
    return WrittenQuestion(question=item.reference)


VERBALISE_PATH: Final = Step(
    name="verbalise_path",
    role="generator",
    input=PathWording,
    output=WrittenQuestion,
    fill=_fill,
    check=check,
    reference=reference,
)
