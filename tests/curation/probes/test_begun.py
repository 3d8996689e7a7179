"""A probe of one search by a model: the search is made for it, and it makes no other."""

import asyncio
import json

from curation.probes.begun import BegunWith
from hopsight.errors import Outcome
from hopsight.harness.policy import AssistantTurn, EpisodeView, Remaining
from hopsight.harness.toolset import Toolset
from hopsight.types import Observation, Task, ToolCall, Turn

TASK = Task(text="Which river is that?", images=())
SPECS = Toolset(("web_search", "visit")).specs


class Searcher:
    """Wants to search again and to read."""

    name = "searcher"

    def __init__(self):
        self.told = []

    def begin(self, seed):
        return self

    async def act(self, view):
        self.told.append([spec.name for spec in view.tools])
        calls = [
            ToolCall(call_id=name, name=name, arguments="{}") for name in ("web_search", "visit")
        ]
        return AssistantTurn(text="again", calls=tuple(calls))


def view(*turns):
    return EpisodeView(TASK, turns, SPECS, Remaining(3, 3), None, lambda handle: b"")


def test_the_search_comes_first_and_is_gone_then():
    policy = Searcher()
    begun = BegunWith(policy, "web_search")
    assert begun.name == "searcher"
    session = begun.begin(7)
    (call,) = asyncio.run(session.act(view())).calls
    assert call.name == "web_search"
    assert json.loads(call.arguments) == {"query": TASK.text}
    seen = Observation(call_id=call.call_id, text="1. A", images=(), outcome=Outcome.OK)
    turn = asyncio.run(session.act(view(Turn(text="", calls=(call,), observations=(seen,)))))
    assert policy.told == [["visit"]]
    assert [each.name for each in turn.calls] == ["visit"]
    assert turn.text == "again"


def test_without_a_picture_there_is_nothing_to_search_for():
    turn = asyncio.run(BegunWith(Searcher(), "visual_search").begin(7).act(view()))
    assert turn.calls == ()
