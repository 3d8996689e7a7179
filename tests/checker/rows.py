"""What the two kinds of exported rows have in common, and the form of an opening message."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.checker.image_files import image_problem, shorter_side

PLACEHOLDER = "<image>"
SMALLEST = 512
"""Pixels along the shorter side of a question's picture."""
_OPENING = re.compile(r"((?:<image:\d+><image> ?)+)\n(.+)", re.DOTALL)


@dataclass(slots=True)
class Row:
    """One exported question, as a solver and a trainer get it, and what is wrong with it.

    `way` is filled in once it is solved: the articles, the relations and the asked attribute.
    """

    place: str
    id: str
    text: str
    answer: str
    constraints: str
    picture: str
    problems: list[str] = field(default_factory=list)
    way: object = None


def opened(message: str, problems: list[str]) -> tuple[str, int]:
    """The question's text and the number of its pictures, from the first message."""
    found = _OPENING.fullmatch(message)
    if found is None:
        problems.append("opening: the first message is not pictures by handle, then the question")
        return message, 0
    handles = re.findall(r"\d+", found.group(1))
    if handles != [str(number) for number in range(len(handles))]:
        problems.append(f"opening: handles are not numbered from 0: {handles}")
    return found.group(2), len(handles)


def check_pictures(said: int, pictures: Sequence[bytes], problems: list[str]) -> str:
    """Placeholders against pictures, each of which must open; the hash of the first one."""
    if said != len(pictures):
        problems.append(f"pictures: {said} placeholders for {len(pictures)} pictures")
    for number, data in enumerate(pictures):
        problem = image_problem(data)
        if problem is not None:
            problems.append(f"pictures: number {number} is {problem}")
        elif number == 0 and (side := shorter_side(data)) is not None and side < SMALLEST:
            problems.append(f"pictures: the question's is {side} pixels along its shorter side")
    return hashlib.sha256(pictures[0]).hexdigest() if pictures else ""
