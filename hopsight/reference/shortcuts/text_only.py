"""The strong search agent with the picture withheld: it starts where a search of the words ends.

It reasons as that agent does, from page to page. Where the agent would look at the picture, it is
given what a search for the whole question lists, one hit after the other.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from hopsight.errors import Outcome
from hopsight.harness.policy import AssistantTurn, EpisodeView
from hopsight.harness.render import extract_answer
from hopsight.reference.agents.habits import STRONG
from hopsight.reference.agents.hits import links
from hopsight.reference.agents.walker import SearchSession
from hopsight.reference.shortcuts.speaking import answering, searching
from hopsight.types import ImageRef, Observation, Task, ToolCall

STARTS: Final = 3
"""Hits that the way may begin at."""

_SEES: Final = frozenset({"visual_search", "rotate", "flip", "zoom_in"})
_UNSEEN: Final = ImageRef(
    sha256="0" * 64,
    mime="image/png",
    width=1,
    height=1,
    source_url="",
    license="",
    author="",
)
"""Stands where the agent expects a picture; nothing is ever read from it."""

Turns = Generator[AssistantTurn, tuple[Observation, ...], str | None]


@dataclass(frozen=True, slots=True)
class TextOnly:
    """A policy that is given no picture and takes the words alone."""

    name: str = "reference-text-only"

    def begin(self, seed: int) -> "TextOnlySession":
        """A fresh episode; equal seeds act equally."""
        return TextOnlySession(seed)


@dataclass(slots=True)
class TextOnlySession:
    """One episode."""

    seed: int
    view: EpisodeView | None = None
    turns: Turns | None = None

    async def act(self, view: EpisodeView) -> AssistantTurn:
        """The next turn, from what the last one showed."""
        self.view = view
        try:
            if self.turns is None:
                self.turns = self._plan(view.task)
                return next(self.turns)
            if view.warning is not None:
                return answering(None)
            return self.turns.send(view.turns[-1].observations)
        except StopIteration as ended:
            return answering(ended.value)

    def _plan(self, task: Task) -> Turns:
        found = yield searching("web_search", task)
        for place, (_, url) in enumerate(links(found)[:STARTS]):
            answer = yield from self._walk(task, url, Random(f"{self.seed}|{place}"))
            if answer is not None:
                return answer
        return None

    def _walk(self, task: Task, start: str, chance: Random) -> Turns:
        """The agent's way from one page; its answer, None where the way ends."""
        session = SearchSession(STRONG, chance, pixels=self._pixels)
        steps = session.plan(Task(text=task.text, images=(_UNSEEN,)))
        turn = next(steps)
        while turn.calls:
            shown = [_imagined(call, start) for call in turn.calls]
            real = tuple(call for call, seen in zip(turn.calls, shown, strict=True) if seen is None)
            done: Sequence[Observation] = ()
            if real:
                done = yield replace(turn, calls=real)
            left = iter(done)
            turn = steps.send(tuple(next(left) if seen is None else seen for seen in shown))
        return extract_answer(turn.text)

    def _pixels(self, handle: int) -> bytes:
        """What the agent has found on its way is shown to it."""
        assert self.view is not None  # the way begins with a view
        return self.view.pixels(handle)


def _imagined(call: ToolCall, start: str) -> Observation | None:
    """What stands in for a look at the picture; None for a call that is no look."""
    if call.name not in _SEES:
        return None
    text = f"1. this\n   {start}\n" if call.name == "visual_search" else ""
    outcome = Outcome.OK if text else Outcome.EMPTY
    return Observation(call_id=call.call_id, text=text, images=(), outcome=outcome)
