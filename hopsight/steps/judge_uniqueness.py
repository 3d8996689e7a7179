"""Judge uniqueness: which of several candidates fit a description."""

from typing import Final

from pydantic import Field

from hopsight.steps.describe_entity import fact_line
from hopsight.steps.step import Step
from hopsight.steps.text import block, line, numbered, wrong_numbers
from hopsight.types import Constraint, Fact, Part
from hopsight.unique import INFOBOX, holds

MAX_CANDIDATES: Final = 40
MAX_FACTS_SHOWN: Final = 20


class Candidate(Part):
    """An entity that may fit: its title, the kind of its infobox where known, its facts."""

    title: str
    kind: str | None = None
    facts: tuple[Fact, ...] = ()


class Described(Part):
    """A description and the candidates. `constraints` say the same to the rules, where known."""

    description: str
    candidates: tuple[Candidate, ...] = Field(min_length=1, max_length=MAX_CANDIDATES)
    constraints: tuple[Constraint, ...] = ()


class Fitting(Part):
    """The numbers (from 1) of all candidates that fit or may fit."""

    reason: str = Field(max_length=2000)
    fits: tuple[int, ...] = Field(max_length=MAX_CANDIDATES)


def _fill(item: Described) -> dict[str, str]:
    return {
        "description": block(item.description),
        "candidates": numbered(map(_told, item.candidates), limit=2_000),
    }


def _told(candidate: Candidate) -> str:
    facts = [line(fact_line(fact), 120) for fact in candidate.facts[:MAX_FACTS_SHOWN]]
    kind = f" ({line(candidate.kind, 60)})" if candidate.kind else ""
    return f"{line(candidate.title, 120)}{kind}: {'; '.join(facts) or 'nothing known'}"


def check(item: Described, found: Fitting) -> str | None:
    """Candidates that exist, none twice."""
    wrong = wrong_numbers(found.fits, len(item.candidates))
    return f"fits: {wrong}" if wrong else None


def reference(item: Described) -> Fitting:
    """Candidates of which no constraint is known to be false: what is unknown counts as fitting."""
    fits = [
        number
        for number, candidate in enumerate(item.candidates, start=1)
        if all(_may_hold(candidate, constraint) for constraint in item.constraints)
    ]
    return Fitting(reason=f"{len(item.constraints)} constraints held", fits=tuple(fits))


def _may_hold(candidate: Candidate, constraint: Constraint) -> bool:
    if constraint.attribute == INFOBOX:
        return candidate.kind is None or candidate.kind == constraint.value
    known = [
        fact
        for fact in candidate.facts
        if fact.attribute == constraint.attribute and _is_comparable(fact, constraint)
    ]
    return not known or any(holds(constraint, fact) for fact in known)


def _is_comparable(fact: Fact, constraint: Constraint) -> bool:
    """A range says nothing about a value without a number in its unit."""
    return constraint.op == "is" or (fact.number is not None and fact.unit == constraint.unit)


JUDGE_UNIQUENESS: Final = Step(
    name="judge_uniqueness",
    role="verifier",
    input=Described,
    output=Fitting,
    fill=_fill,
    check=check,
    reference=reference,
)
