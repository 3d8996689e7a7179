"""Verify a hop: does a sentence of a page support a relation between two entities?"""

import re
from collections.abc import Iterator
from typing import Final, Literal

from pydantic import Field

from hopsight.steps.step import Step
from hopsight.steps.text import block, holds, line, names_one
from hopsight.types import Part
from hopsight.unique import LINKED
from hopsight.wiki.cues import WEAK, contrary, cues, is_unspoken, root

_SUBJECT: Final = re.compile(
    r"(?:It|He|She|They|Its|His|Her|Their|The [a-z]+|This [a-z]+)\b"
    r"|[^.]{0,40}\b(?:it|he|she|they)\b"
)
_WORD: Final = re.compile(r"[^\W\d_]+")


class HopClaim(Part):
    """A relation and the sentence that should support it.

    `statement` says it in plain words, with the titles of both. `holder` is the entity whose page
    the sentence stands on. `attribute` is the infobox attribute of the relation, which the rules
    go by.
    """

    source: str
    source_names: tuple[str, ...] = ()
    statement: str
    attribute: str
    target: str
    target_names: tuple[str, ...] = ()
    holder: Literal["source", "target"] = "source"
    sentence: str


class HopFinding(Part):
    """What the sentence alone says about the relation."""

    reason: str = Field(max_length=2000)
    verdict: Literal["supported", "not_supported", "unclear"]


def _fill(claim: HopClaim) -> dict[str, str]:
    return {
        "page": line(claim.source if claim.holder == "source" else claim.target),
        "sentence": block(claim.sentence, 4_000),
        "statement": line(claim.statement),
        "names": line("; ".join(_meanings(claim)) or "none"),
    }


def _meanings(claim: HopClaim) -> Iterator[str]:
    """Of each entity that the sentence calls by another name than its title, that name."""
    ends = ((claim.source, claim.source_names), (claim.target, claim.target_names))
    for title, names in ends:
        called = (name for name in names if name != title and holds(claim.sentence, name))
        if not holds(claim.sentence, title) and (name := next(called, None)) is not None:
            yield f"{name} is {title}"


def check(claim: HopClaim, found: HopFinding) -> str | None:
    """ "Supported" needs a sentence that names the entity whose page it is not on."""
    own, other = _names(claim)
    if found.verdict == "supported" and not names_one(claim.sentence, other, own):
        return f"the sentence does not name {other[0]!r}, so it cannot support the relation"
    return None


def reference(claim: HopClaim) -> HopFinding:
    """By names and cue words: the other entity, the page's own (or what stands for it), a cue."""
    own, other = _names(claim)
    if not names_one(claim.sentence, other, own):
        return HopFinding(reason=f"{other[0]} is not named", verdict="not_supported")
    if not (names_one(claim.sentence, own, other) or _SUBJECT.match(claim.sentence)):
        return HopFinding(reason=f"not about {own[0]}", verdict="unclear")
    if claim.attribute == LINKED:
        return HopFinding(reason="names both, and no more is claimed", verdict="supported")
    words, own_cues = _words(claim.sentence), cues(claim.attribute)
    if words & (own_cues - WEAK or own_cues):
        return HopFinding(reason="names both and the relation", verdict="supported")
    if words & contrary(claim.attribute):
        return HopFinding(reason="speaks of another relation", verdict="not_supported")
    if all(map(is_unspoken, claim.attribute.split("_"))) or _is_hinted(claim, other):
        return HopFinding(reason="names both as the relation is often put", verdict="supported")
    return HopFinding(reason=f"no word speaks of {claim.attribute}", verdict="unclear")


def _is_hinted(claim: HopClaim, other: tuple[str, ...]) -> bool:
    """Whether a cue like "in" or "by", which stands everywhere, stands before the other name."""
    names = "|".join(re.escape(name) for name in other if name)
    before = re.findall(rf"([^\W\d_]+) (?:the |an? )?(?:{names})", claim.sentence)
    return any(root(word.lower()) in cues(claim.attribute) for word in before)


def _words(sentence: str) -> set[str]:
    return {root(word.lower()) for word in _WORD.findall(sentence)}


def _names(claim: HopClaim) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of the entity that the page is about, and of the other one."""
    source = (claim.source, *claim.source_names)
    target = (claim.target, *claim.target_names)
    return (source, target) if claim.holder == "source" else (target, source)


VERIFY_HOP: Final = Step(
    name="verify_hop",
    role="verifier",
    input=HopClaim,
    output=HopFinding,
    fill=_fill,
    check=check,
    reference=reference,
)
