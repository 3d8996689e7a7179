"""A row of somebody's data set, in whatever shape, as the gates see it."""

from dataclasses import dataclass
from typing import Literal

from refine.imported.references import Reference

Shape = Literal["sft", "rl", "question"]
"""Conversations with answers; a prompt with a reward; a bare question with its answer."""


@dataclass(frozen=True, slots=True)
class Said:
    """One message: its role as the row has it, its text, and how many pictures it marks."""

    role: str
    text: str
    marks: int


@dataclass(frozen=True, slots=True)
class Item:
    """One row. `question` has no picture marks; `answers` may be none where a row tells none.

    `messages` are a conversation's or a prompt's; a bare question is one message of its user.
    `tools` is the cell as it stands, None where there is none.
    """

    row: int
    shape: Shape
    question: str
    answers: tuple[str, ...]
    messages: tuple[Said, ...]
    pictures: tuple[Reference, ...]
    system: str
    tools: object


@dataclass(frozen=True, slots=True)
class Finding:
    """What a gate has against a row, numbered from 1: a short constant, and the case in words."""

    row: int
    gate: str
    reason: str
    detail: str
