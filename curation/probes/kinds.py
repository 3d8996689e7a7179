"""The probes that have tools: what each is shown, what it may call, and how long it may try.

All play in the same harness as the rollouts; only the task, the tools and the limits differ.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from curation.probes.blank import blank
from hopsight.harness.bank import Pictures
from hopsight.harness.limits import Limits
from hopsight.reference.shortcuts import Search
from hopsight.reference.shortcuts.one_search import PAGES
from hopsight.types import Task

TRIES: Final = 40
"""Tool calls of a probe that may go where it wants. A way that takes more is no shortcut."""


@dataclass(frozen=True, slots=True)
class Probe:
    """A shortcut that is tried.

    `task` is what the policy is shown of a question's task. `search` is the one search that the
    probe begins with, after which it may only read pages; None where it may call what it wants.
    """

    name: str
    task: Callable[[Task, Pictures], Task]
    search: Search | None = None

    def tools(self, offered: tuple[str, ...]) -> tuple[str, ...]:
        """Of the tools that a rollout is offered, those of the probe."""
        return offered if self.search is None else (self.search, "visit")

    def limits(self, rollout: Limits) -> Limits:
        """The limits of a rollout, narrowed to those of the probe."""
        calls = TRIES if self.search is None else 1 + PAGES
        narrowed: dict[str, object] = {
            "max_calls": min(calls, rollout.max_calls),
            "max_turns": min(calls + 1, rollout.max_turns),
        }
        if self.search is not None:
            narrowed |= {"warn_calls": 1, "warn_turns": 1}
        return rollout.model_copy(update=narrowed)


def _as_it_is(task: Task, pictures: Pictures) -> Task:
    return task


def _without_picture(task: Task, pictures: Pictures) -> Task:
    return Task(text=task.text, images=())


def _with_blank_picture(task: Task, pictures: Pictures) -> Task:
    return Task(text=task.text, images=tuple(blank(image, pictures) for image in task.images))


TEXT_SEARCH: Final = Probe("text_search", _as_it_is, "web_search")
IMAGE_SEARCH: Final = Probe("image_search", _as_it_is, "visual_search")
TEXT_ONLY: Final = Probe("text_only", _without_picture)
BLANK_PICTURE: Final = Probe("blank_picture", _with_blank_picture)

PROBES: Final[Mapping[str, Probe]] = MappingProxyType(
    {probe.name: probe for probe in (TEXT_SEARCH, IMAGE_SEARCH, TEXT_ONLY, BLANK_PICTURE)}
)
"""By name, cheapest first."""
