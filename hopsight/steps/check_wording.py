"""Check a wording: does a question say what it has to say, and nothing else?"""

import re
from typing import Annotated, Final, Literal

from pydantic import Field

from hopsight.leak import fold
from hopsight.steps.statements import Statement, missing, texts
from hopsight.steps.step import Step
from hopsight.steps.text import block, numbered, numbers, wrong_count
from hopsight.types import Part

_NAME: Final = re.compile(r"(?<=[a-z,;] )[A-Z][\w'’-]+")


class Wording(Part):
    """A question text, and what it has to say; the asked attribute may be a statement, too."""

    text: str
    statements: tuple[Statement, ...] = Field(min_length=1, max_length=16)


class StatementFinding(Part):
    """What the text does with statement `number` (from 1)."""

    number: int
    finding: Literal["stated", "not_stated", "contradicted"]


class WordingFindings(Part):
    """A finding for each statement, and what the text claims beside them."""

    findings: tuple[StatementFinding, ...] = Field(max_length=16)
    more: tuple[Annotated[str, Field(min_length=1, max_length=300)], ...] = Field(max_length=16)

    @property
    def is_faithful(self) -> bool:
        """Whether everything is stated and nothing else is claimed."""
        return not self.more and all(each.finding == "stated" for each in self.findings)


def _fill(item: Wording) -> dict[str, str]:
    return {"text": block(item.text), "statements": numbered(texts(item.statements))}


def check(item: Wording, found: WordingFindings) -> str | None:
    """One finding for each statement."""
    wrong = wrong_count((each.number for each in found.findings), len(item.statements))
    return f"findings: {wrong}" if wrong else None


def reference(item: Wording) -> WordingFindings:
    """By the values alone: all there is stated, another number in its place is contradicted.

    A number or a name that no statement holds is a further claim. Relations are not read.
    """
    said = " ".join(texts(item.statements))
    further = [f"{n:g}" for n in numbers(item.text) if n not in set(numbers(said))]
    known = set(
        fold(" ".join([said, *(v for each in item.statements for v in each.values)])).split()
    )
    further += [name for name in _NAME.findall(item.text) if not set(fold(name).split()) <= known]
    findings = [
        StatementFinding(number=number, finding=_finding(statement, item.text, further))
        for number, statement in enumerate(item.statements, start=1)
    ]
    more = tuple(dict.fromkeys(word[:300] for word in further))[:16]
    return WordingFindings(findings=tuple(findings), more=more)


def _finding(
    statement: Statement, text: str, further: list[str]
) -> Literal["stated", "not_stated", "contradicted"]:
    lost = missing(statement, text)
    if not lost:
        return "stated"
    replaced = any(numbers(value) for value in lost) and any(numbers(word) for word in further)
    return "contradicted" if replaced else "not_stated"


CHECK_WORDING: Final = Step(
    name="check_wording",
    role="verifier",
    input=Wording,
    output=WordingFindings,
    fill=_fill,
    check=check,
    reference=reference,
)
