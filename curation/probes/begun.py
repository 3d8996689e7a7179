"""A model's policy in a probe of one search: the search is made, and the rest is reading."""

from dataclasses import dataclass, replace

from hopsight.harness.policy import AssistantTurn, EpisodeView, Policy, PolicySession
from hopsight.reference.shortcuts import Search, searching


@dataclass(frozen=True, slots=True)
class BegunWith:
    """A policy whose first turn is one given search; after it, that tool is gone."""

    policy: Policy
    search: Search

    @property
    def name(self) -> str:
        """The name of the policy that goes on."""
        return self.policy.name

    def begin(self, seed: int) -> "BegunSession":
        """A fresh episode."""
        return BegunSession(self.policy.begin(seed), self.search)


@dataclass(frozen=True, slots=True)
class BegunSession:
    """One episode."""

    session: PolicySession
    search: Search

    async def act(self, view: EpisodeView) -> AssistantTurn:
        """The search, then the policy's turns; a call of the search in them is left out."""
        if not view.turns:
            return searching(self.search, view.task)
        tools = tuple(spec for spec in view.tools if spec.name != self.search)
        turn = await self.session.act(replace(view, tools=tools))
        return replace(turn, calls=tuple(c for c in turn.calls if c.name != self.search))
