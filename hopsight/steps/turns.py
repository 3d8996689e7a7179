"""The turns of a trajectory in short, for whoever judges how it came about."""

from collections.abc import Sequence
from typing import Final

from hopsight.errors import Outcome
from hopsight.steps.text import line
from hopsight.types import Observation, ToolCall, Turn

MAX_TURNS: Final = 1_000
_WHOLE: Final = 40
"""Turns up to which each is shown at full length; of more, each is shown shorter."""

_THOUGHT: Final = 240
_ARGUMENTS: Final = 160
_FOUND: Final = 300


def told_turns(turns: Sequence[Turn]) -> str:
    """Each turn under its number, from 1: its text, its calls, the beginning of what came back."""
    scale = min(1.0, _WHOLE / max(1, len(turns)))
    told = (_told(number, turn, scale) for number, turn in enumerate(turns, start=1))
    return "\n".join(told) or "none"


def _told(number: int, turn: Turn, scale: float) -> str:
    head = f"Turn {number}: {line(turn.text, round(_THOUGHT * scale)) or '(no text)'}"
    return "\n".join([head, *(_told_call(call, seen, scale) for call, seen in calls_of(turn))])


def _told_call(call: ToolCall, seen: Observation | None, scale: float) -> str:
    asked = f"  call {line(call.name, 60)} {line(call.arguments, round(_ARGUMENTS * scale))}"
    if seen is None:
        return f"{asked}\n  nothing came back"
    repeat = ", repeats an earlier call" if seen.repeat else ""
    pictures = f", {len(seen.images)} pictures" if seen.images else ""
    found = line(seen.text, round(_FOUND * scale))
    return f"{asked}\n  came back ({seen.outcome}{repeat}{pictures}): {found}"


def calls_of(turn: Turn) -> list[tuple[ToolCall, Observation | None]]:
    """The calls of a turn, each with its observation where there is one."""
    seen = {observation.call_id: observation for observation in turn.observations}
    return [(call, seen.get(call.call_id)) for call in turn.calls]


def observed(turns: Sequence[Turn]) -> str:
    """All that tools found, one after another."""
    return "\n".join(
        seen.text for turn in turns for seen in turn.observations if seen.outcome is Outcome.OK
    )
