"""One search, then an answer from the tables of the first pages that it lists."""

from dataclasses import dataclass
from typing import Final

from hopsight.errors import Outcome
from hopsight.harness.policy import AssistantTurn, EpisodeView
from hopsight.reference.agents.hits import links
from hopsight.reference.agents.judgement import answer_row
from hopsight.reference.agents.page import read_page
from hopsight.reference.agents.question import read_question
from hopsight.reference.shortcuts.speaking import Search, answering, calling, searching

PAGES: Final = 2
"""Pages that are read: the second only where the first has no row that says what is asked."""


@dataclass(frozen=True, slots=True)
class OneSearch:
    """A policy that searches once and follows no link.

    It searches for the question's words (`web_search`) or for its picture (`visual_search`).
    """

    name: str
    search: Search

    def begin(self, seed: int) -> "OneSearchSession":
        """A fresh episode; nothing is left to chance."""
        return OneSearchSession(self.search)


@dataclass(frozen=True, slots=True)
class OneSearchSession:
    """One episode. What it does next follows from the turns that it is shown."""

    search: Search

    async def act(self, view: EpisodeView) -> AssistantTurn:
        """The search, a page, or the answer."""
        if not view.turns:
            return searching(self.search, view.task)
        found = links(view.turns[0].observations)[:PAGES]
        read = sum(len(turn.calls) for turn in view.turns) - 1
        answer = _answer(view, found[read - 1][1]) if 0 < read <= len(found) else None
        if answer is not None or not 0 <= read < len(found):
            return answering(answer)
        return calling(read + 1, "visit", url=found[read][1])


def _answer(view: EpisodeView, url: str) -> str | None:
    """What the page that was read last, the one at `url`, says to the asking words."""
    seen = view.turns[-1].observations[-1:]
    if not seen or seen[0].outcome is not Outcome.OK:
        return None
    page = read_page(url, seen[0].text)
    row = answer_row(page, read_question(view.task.text).ask)
    return None if row is None else row.value


def one_text_search() -> OneSearch:
    """Searches once for the words of the question."""
    return OneSearch("reference-one-text-search", "web_search")


def one_image_search() -> OneSearch:
    """Searches once for the picture of the question."""
    return OneSearch("reference-one-image-search", "visual_search")
