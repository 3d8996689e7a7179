"""Whether a reviewer's wording can stand in for that of a question: the gates of any wording."""

import re
import unicodedata
from collections.abc import Callable
from typing import Final

from curation.wording.gates import to_check
from hopsight.chains import changed, text_fault
from hopsight.chains.faults import inflected_leaks
from hopsight.chains.shown import picture_shown
from hopsight.steps import CHECK_WORDING
from hopsight.steps.check_wording import Wording, WordingFindings
from hopsight.types import MAX_REVIEW_TEXT, EvidenceChain, Question
from hopsight.unique import World
from refine.operator import anchor_words

Recheck = Callable[[Question, EvidenceChain, str], tuple[str | None, str]]
"""Gives the reason why a text cannot be the question's, or None, and the case in words."""

_DENIALS: Final = re.compile(
    r"\b(?:not|cannot|no|never|without|except|neither|nor)\b|n['’]t\b", re.IGNORECASE
)


def rechecker(world: World) -> Recheck:
    """The static gates on the text, and what rules can tell of its statements.

    Reasons: `empty_text`, `text_too_long`, `unseen_characters`, `same_text`, `no_question`, those
    of `text_fault`, names and the answer in an inflected form, and, by what rules read in a text,
    `clue_lost` and `claims_more`: it says less than the question's own text, or more; `turned`:
    it denies more, or less.
    """

    def recheck(question: Question, chain: EvidenceChain, text: str) -> tuple[str | None, str]:
        reason, detail = _shape_fault(question, text)
        if reason is None:
            reason, detail = _inflected(world, question, chain, text)
        if reason is None:
            picture = picture_shown(world, chain.nodes[0].page_id, question.images)
            reason, detail = text_fault(world, changed(question, text=text), chain, picture)
        if reason is None:
            reason, detail = _restated(world, question, chain, text)
        if reason is None:
            reason, detail = _turned(question.text, text)
        return reason, detail

    return recheck


def _shape_fault(question: Question, text: str) -> tuple[str | None, str]:
    unseen = sorted({char for char in text if unicodedata.category(char)[0] == "C"})
    faults = (
        ("empty_text", "nothing is asked", not text.strip()),
        ("text_too_long", f"over {MAX_REVIEW_TEXT} characters", len(text) > MAX_REVIEW_TEXT),
        ("unseen_characters", ", ".join(f"U+{ord(char):04X}" for char in unseen), bool(unseen)),
        ("same_text", "nothing was changed", text.split() == question.text.split()),
        ("no_question", "it does not end with a question mark", _asks(question.text, text)),
    )
    return next(((reason, told) for reason, told, found in faults if found), (None, ""))


def _asks(before: str, after: str) -> bool:
    """Whether the question mark is lost; some imported questions never had one."""
    marks = ("?", "？", "؟")
    return before.rstrip().endswith(marks) and not after.rstrip().endswith(marks)


def _inflected(
    world: World, question: Question, chain: EvidenceChain, text: str
) -> tuple[str | None, str]:
    """What the new text gives away and the old one did not, inflected forms counted."""
    answers = (chain.answer, *chain.answer_aliases)
    before = dict(inflected_leaks(world, chain, question.text, answers))
    for reason, leaks in inflected_leaks(world, chain, text, answers):
        found = _new(leaks, before[reason])
        if found:
            return reason, "; ".join(found[:3])
    return None, ""


def _restated(
    world: World, question: Question, chain: EvidenceChain, text: str
) -> tuple[str | None, str]:
    """What the question's text says and `text` does not, or the other way round, by rule."""
    anchor = anchor_words(world, chain, question.images)
    if anchor is None or any(node.clue is None for node in chain.nodes[1:]):
        return None, ""  # rules have not worded it, and cannot tell
    before, after = (
        to_check(changed(question, text=each), chain, anchor) for each in (question.text, text)
    )
    was, now = CHECK_WORDING.reference(before), CHECK_WORDING.reference(after)
    lost = _new(_not_stated(after, now), _not_stated(before, was))
    if lost:
        return "clue_lost", "; ".join(lost[:3])
    more = _new(list(now.more), list(was.more))
    return ("claims_more", "; ".join(more[:3])) if more else (None, "")


def _turned(before: str, after: str) -> tuple[str | None, str]:
    """Whether words that deny came or went: every value may still stand there, and mean less."""
    was, now = (len(_DENIALS.findall(text)) for text in (before, after))
    return (
        (None, "") if was == now else ("turned", f"{now} words that deny, where there were {was}")
    )


def _not_stated(item: Wording, found: WordingFindings) -> list[str]:
    unstated = (each.number for each in found.findings if each.finding != "stated")
    return [item.statements[number - 1].text for number in unstated]


def _new(found: list[str], before: list[str]) -> list[str]:
    """What is found in the new text and was not in the old one, which has passed its gates."""
    return [each for each in found if each not in before]
