"""Answering without tools, from a declared closed-book memory.

The memory stands in for what a model knows without looking: the pages that most others link to,
with their pictures. The direct probe asks this agent; what it can answer needs no tools.
"""

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass

from hopsight.errors import Outcome
from hopsight.harness.policy import AssistantTurn, EpisodeView
from hopsight.reference.agents.habits import STRONG
from hopsight.reference.agents.walker import SearchSession
from hopsight.types import Observation, Task, ToolCall


@dataclass(frozen=True, slots=True)
class Memory:
    """What is known by heart: pages by URL (as a visit shows them), pictures by their hash."""

    pages: Mapping[str, str]
    pictures: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class DirectAnswerer:
    """A policy that answers in its first turn and calls no tool."""

    memory: Memory
    name: str = "reference-direct"

    def begin(self, seed: int) -> "DirectSession":
        """A fresh episode; the answer does not depend on the seed's value alone."""
        return DirectSession(self.memory, seed)


@dataclass(frozen=True, slots=True)
class DirectSession:
    """Runs the search agent's reasoning against the memory, then speaks once."""

    memory: Memory
    seed: int

    async def act(self, view: EpisodeView) -> AssistantTurn:
        """One turn: the answer, or that it is not known."""
        return think(view.task, self.memory, self.seed)


def think(task: Task, memory: Memory, seed: int) -> AssistantTurn:
    """Walk through remembered pages exactly as the strong agent walks through read ones."""
    session = SearchSession(STRONG, random.Random(seed))
    steps = session.plan(task)
    turn = next(steps)
    while turn.calls:
        turn = steps.send(tuple(_recall(call, task, memory) for call in turn.calls))
    return turn


def _recall(call: ToolCall, task: Task, memory: Memory) -> Observation:
    """What memory answers in a tool's place."""
    text = ""
    if call.name == "visual_search":
        known = [
            memory.pictures[image.sha256]
            for image in task.images[:1]
            if image.sha256 in memory.pictures
        ]
        text = "".join(f"1. this\n   {url}\n" for url in known)
    elif call.name == "visit":
        text = memory.pages.get(json.loads(call.arguments)["url"], "")
    outcome = Outcome.OK if text else Outcome.EMPTY
    return Observation(call_id=call.call_id, text=text, images=(), outcome=outcome)
