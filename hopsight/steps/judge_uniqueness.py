"""Judge uniqueness: does another candidate fit a description as well?

Candidates are read one by one: a reader of a list mixes up its lines, or stops half-way.
"""

from typing import Final, Literal

from pydantic import Field

from hopsight.steps.describe_entity import fact_line
from hopsight.steps.step import Step
from hopsight.steps.text import block, line
from hopsight.types import Constraint, Fact, Part
from hopsight.unique import INFOBOX, holds

MAX_FACTS_SHOWN: Final = 12


class Candidate(Part):
    """An entity that may fit: its title, the kind of its infobox where known, its facts."""

    title: str
    kind: str | None = None
    facts: tuple[Fact, ...] = ()


class Described(Part):
    """A description and a candidate. `constraints` say the same to the rules, where known."""

    description: str
    candidate: Candidate
    constraints: tuple[Constraint, ...] = ()


class Fitting(Part):
    """Whether the candidate fits, by what is known of it."""

    reason: str = Field(max_length=2000)
    verdict: Literal["fits", "differs", "unknown"]

    @property
    def may_fit(self) -> bool:
        """Whether nothing rules it out: what is unknown counts as fitting."""
        return self.verdict != "differs"


def _fill(item: Described) -> dict[str, str]:
    return {"description": block(item.description), "known": _known(item)}


def _known(item: Described) -> str:
    """Title and kind, then what the facts say of the things that the description speaks of.

    Where they are silent on one of those, other facts follow, which may tell it in other words.
    """
    candidate = item.candidate
    told = [fact_line(fact) for fact in candidate.facts if fact.attribute in _attributes(item)]
    known = {fact.attribute for fact in candidate.facts} | {INFOBOX}
    if not told or _attributes(item) - known:
        told += [other for fact in candidate.facts if (other := fact_line(fact)) not in told]
    kind = f" ({line(candidate.kind, 60)})" if candidate.kind else ""
    shown = "; ".join(line(each, 120) for each in told[:MAX_FACTS_SHOWN])
    return f"{line(candidate.title, 120)}{kind}: {shown or 'nothing'}"


def _attributes(item: Described) -> set[str]:
    """What the description speaks of."""
    return {each.attribute for each in item.constraints}


def check(item: Described, found: Fitting) -> str | None:
    """What differs has to be known."""
    candidate = item.candidate
    if found.verdict == "differs" and candidate.kind is None and not candidate.facts:
        return f"nothing is known of {candidate.title}, so nothing differs"
    return None


def reference(item: Described) -> Fitting:
    """It differs where a constraint is known to be false, and fits where all are true."""
    truths = [_holds(item.candidate, constraint) for constraint in item.constraints]
    if False in truths:
        attribute = item.constraints[truths.index(False)].attribute
        return Fitting(reason=f"another {attribute.replace('_', ' ')}", verdict="differs")
    if None in truths:
        return Fitting(reason="not all is known", verdict="unknown")
    return Fitting(reason=f"{len(truths)} constraints held", verdict="fits")


def _holds(candidate: Candidate, constraint: Constraint) -> bool | None:
    """Whether a constraint is true of a candidate; None where that is not known."""
    if constraint.attribute == INFOBOX:
        return None if candidate.kind is None else candidate.kind == constraint.value
    known = [
        fact
        for fact in candidate.facts
        if fact.attribute == constraint.attribute and _is_comparable(fact, constraint)
    ]
    return any(holds(constraint, fact) for fact in known) if known else None


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
