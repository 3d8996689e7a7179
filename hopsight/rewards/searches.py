"""The searches of a trajectory: what was asked, by words or by picture, and what came back."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from hopsight.errors import Outcome
from hopsight.harness.render import parse_handle
from hopsight.types import BankImage, Observation, ToolCall, Turn

_ASKED_IN = ("query", "queries", "q", "text_query")
_PICTURE_IN = ("image", "image_url")


@dataclass(frozen=True, slots=True)
class Search:
    """One search. `words` is None for a search by picture, `picture` for one by words.

    `picture_from` is the search (its place in order) that brought the picture, None for a task
    picture. `brought` holds the hashes of the pictures that came back.
    """

    tool: str
    words: str | None
    picture: str | None
    picture_from: int | None
    outcome: Outcome
    found: str
    brought: frozenset[str]


def searches(turns: Sequence[Turn], bank: Sequence[BankImage]) -> list[Search]:
    """The calls of `turns` that search, in order.

    A call searches if it holds a query in words, or hands a picture to a tool that searches by
    picture; tools that only change a picture, or read a page, do not.
    """
    by_handle = {image.handle: image for image in bank}
    found: list[Search] = []
    search_of_call: dict[str, int] = {}
    for call, seen in _calls(turns):
        arguments = _arguments(call)
        words = _words(arguments)
        handle = None if words is not None else _handle(call.name, arguments)
        if words is None and handle is None:
            continue
        image = None if handle is None else by_handle.get(handle)
        found.append(
            Search(
                call.name,
                words,
                None if handle is None else (image.image.sha256 if image else f"unknown:{handle}"),
                _brought_by(image, by_handle, search_of_call),
                seen.outcome,
                seen.text,
                frozenset(by_handle[n].image.sha256 for n in seen.images if n in by_handle),
            )
        )
        search_of_call[call.call_id] = len(found) - 1
    return found


def _calls(turns: Sequence[Turn]) -> Iterator[tuple[ToolCall, Observation]]:
    for turn in turns:
        yield from zip(turn.calls, turn.observations, strict=False)


def _arguments(call: ToolCall) -> dict[str, Any]:
    try:
        arguments = json.loads(call.arguments)
    except (ValueError, RecursionError):
        return {}
    return arguments if isinstance(arguments, dict) else {}


def _words(arguments: dict[str, Any]) -> str | None:
    given = next((arguments[name] for name in _ASKED_IN if name in arguments), None)
    if isinstance(given, list):
        given = " ".join(part for part in given if isinstance(part, str))
    return given if isinstance(given, str) and given.strip() else None


def _handle(tool: str, arguments: dict[str, Any]) -> int | None:
    if "search" not in tool:
        return None
    given = next((arguments[name] for name in _PICTURE_IN if name in arguments), None)
    return parse_handle(given) if isinstance(given, str) else None


def _brought_by(
    image: BankImage | None, by_handle: dict[int, BankImage], search_of_call: dict[str, int]
) -> int | None:
    """The search that brought a picture, or the one that it was cut or turned from."""
    seen: set[int] = set()
    while image is not None and image.handle not in seen:
        if image.call_id in search_of_call:
            return search_of_call[image.call_id]
        seen.add(image.handle)
        image = None if image.parent is None else by_handle.get(image.parent)
    return None
