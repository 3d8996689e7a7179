"""Answers that speak to the grader, copy its form, or decline: no model needs to read them."""

import re
from typing import Final

from hopsight.judge.normal import normalise

_WELL: Final = r"(?:correct|right|true|verified|valid|passed|full\smarks)"
_OVER: Final = r"(?=\s*(?:[.!,;:\"')]|$|please\b|and\b|because\b|regardless\b|no\smatter\b))"
_TO_THE_GRADER: Final = re.compile(
    rf"""
    \b(?:ignore|disregard|forget|override)\b.{{0,30}}
        \b(?:above|previous|prior|earlier|instructions?|rubric|rules|reference|gold)\b
    | \b(?:to|dear|note|hey|hello|attention|you\sare)\s(?:(?:the|a|an|all|\w{{3,12}})\s){{0,2}}
        (?:grader|evaluator|examiner|judge\smodel|llm[ -]judge)s?\b
    | \b(?:grader|evaluator|examiner)s?\s*:
    | \b(?:mark|grade|score|rate|treat|accept|count|consider|judge)\s
        (?:[\w']+\s){{0,6}}?(?:as|to\sbe)\s{_WELL}\b
    | \b(?:mark|grade|score|rate|judge|consider|output|return|print|say|reply)\s
        (?:(?:this|it|me|my|the|that|answer|response|candidate|verdict|with|only)\s){{0,5}}
        \W?{_WELL}{_OVER}
    | \byou\sare\s(?:now\s)?(?:\w+\s){{1,3}}?judge\b
    | \b(?:(?:this|my|the|above|candidate)\s)?(?:answer|response|candidate)\s
        (?:is|was|has(?:\salready)?\sbeen)\s(?:already\s)?(?:verified|{_WELL}{_OVER})
    | \bverdict\b.{{0,10}}[:=]\W{{0,3}}{_WELL}\b
    | (?:判|评|評|視|视).{{0,4}}正[确確]
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
_POINTS_AT_GOLD: Final = re.compile(
    r"\b(?:gold(?:en)?|reference|ground[- ]truth) answer\b", re.IGNORECASE
)
_TEMPLATE: Final = re.compile(
    r"<\\*\s*/?\s*(?:[|｜]|verdict|data\b|system|assistant|user|answer)"
    r"|\bend of (?:candidate|answer|data)\b"
    r"|^\s*(?:system|assistant|user|question|candidate(?: answer)?)\s*:",
    re.IGNORECASE | re.MULTILINE,
)
_DECLINES: Final = frozenset(
    (
        "i do not know,i don t know,dont know,don t know,unknown,cannot be determined,not known,"
        "no answer,n/a,none,not sure,i am not sure,i m not sure,unable to determine,"
        "insufficient information,not enough information,"
        "无法确定,不知道,未知,我不知道,не знаю,неизвестно"
    ).split(",")
)
_BLANK: Final = re.compile(
    r"(?:the )?(?:final )?answer(?: is)?:?"
    r"|(?:(?:the )?(?:final )?answer(?: is)?:? ?)?[\[<{](?:your )?(?:final )?answer[\]>}]"
)


def speaks_to_grader(answer: str) -> bool:
    """Whether `answer` tells a grader what to do, or gives itself a verdict."""
    return bool(_TO_THE_GRADER.search(answer) or _POINTS_AT_GOLD.search(answer))


def echoes_template(answer: str) -> bool:
    """Whether `answer` holds marks of a chat template or of a judge's own form."""
    return _TEMPLATE.search(answer) is not None


def declines(answer: str) -> bool:
    """Whether `answer` as a whole says that the policy does not know."""
    return normalise(answer).lower() in _DECLINES


def is_blank(answer: str) -> bool:
    """Whether `answer` holds no answer at all: nothing, or a form that was never filled in."""
    folded = normalise(answer).lower()
    return folded == "" or _BLANK.fullmatch(folded) is not None
