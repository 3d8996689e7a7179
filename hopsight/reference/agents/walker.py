"""The search agent: look at the picture, then follow statement after statement from page to page.

It sees only what the harness shows it. Weak and strong differ in how much they may read, how
they put a query and how carefully they look; chance breaks ties among links that were found.
"""

import json
import math
import random
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field

from hopsight.errors import Outcome, PictureError
from hopsight.harness.policy import AssistantTurn, EpisodeView
from hopsight.reference.agents.gallery import Gallery
from hopsight.reference.agents.habits import Habits
from hopsight.reference.agents.hits import links, pictures
from hopsight.reference.agents.judgement import Option, answer_row, bond, fit, options
from hopsight.reference.agents.page import PageView, read_page
from hopsight.reference.agents.question import Reading, Statement, read_question
from hopsight.reference.agents.sight import shows_nothing
from hopsight.types import Observation, Task, ToolCall

Steps = Generator[AssistantTurn, tuple[Observation, ...], str | None]
"""A plan: it yields turns, is sent their observations, and returns an answer or None."""


ENOUGH = 0.3
"""The score from which a link may be what a statement speaks of."""
NOT_AGAINST = -0.05
"""The same where a statement does not say how the two are related: nothing speaks against it."""
CLEARLY = 0.5
"""Links with less of the best link's score are read only where nothing better fits."""
UNLIKE = -0.25
"""The likeness from which down a picture shows something else."""
ALIKE = 0.6
"""The likeness from which a picture shows what is told."""
LOOKS = 2.5
"""What it weighs that a picture goes with what is told of it."""


@dataclass(frozen=True, slots=True)
class SearchAgent:
    """A policy by rule."""

    habits: Habits

    @property
    def name(self) -> str:
        """The policy's name in trajectories."""
        return self.habits.name

    def begin(self, seed: int) -> "SearchSession":
        """A fresh episode; equal seeds act equally."""
        return SearchSession(self.habits, random.Random(seed))


@dataclass(slots=True)
class SearchSession:
    """One episode of one agent."""

    habits: Habits
    chance: random.Random
    pages: dict[str, PageView] = field(default_factory=dict)
    visits: int = 0
    calls: int = 0
    gallery: Gallery = field(init=False)
    pixels: Callable[[int], bytes] | None = None
    steps: Generator[AssistantTurn, tuple[Observation, ...], None] | None = None

    def __post_init__(self) -> None:
        self.gallery = Gallery(self.habits.careful, self.habits.acuity)

    async def act(self, view: EpisodeView) -> AssistantTurn:
        """The next turn, from what the last one showed."""
        self.pixels = view.pixels
        if self.steps is None:
            self.steps = self.plan(view.task)
            return next(self.steps)
        if view.warning is not None:
            return _answer("I have to stop here.", None)
        return self.steps.send(view.turns[-1].observations)

    def plan(self, task: Task) -> Generator[AssistantTurn, tuple[Observation, ...], None]:
        """The episode as a plan: yields turns, is sent observations; the last turn answers."""
        reading = read_question(task.text)
        answer: str | None = None
        if task.images:
            start = yield from self._look(reading)
            if start is not None:
                answer = yield from self._follow(start, reading, 0, frozenset({start.url}))
        while True:
            yield _answer("This is as far as the evidence goes.", answer)

    # -- seeing ------------------------------------------------------------------------------

    def _look(
        self, reading: Reading
    ) -> Generator[AssistantTurn, tuple[Observation, ...], PageView | None]:
        """Find the page that the picture belongs to."""
        thought = "First, what does the picture show?"
        start = yield from self._recognise((TASK,), thought)
        if start is not None or not self.habits.persistent:
            return start
        if not self._is_empty_picture():
            thought = "No page shows it like this. It may be turned, mirrored or part of something."
            made = yield self._calls(thought, VIEWS)
            handles = tuple(f"<image:{number}>" for seen in made for number in seen.images)
            start = yield from self._recognise(handles, "Does any of these lead to a page?")
            if start is not None:
                return start
        query = " ".join(sorted(reading.ask.words))
        hits = yield self._call("web_search", "The picture is unknown; I try words.", query=query)
        for title, url in links(hits)[:1]:
            return (yield from self._visit(url, f"{title} may be a way in."))
        return None

    def _is_empty_picture(self) -> bool:
        """Whether the task's picture has one colour throughout: to turn it would show no more."""
        if self.pixels is None:
            return False
        try:
            return shows_nothing(self.pixels(0))
        except PictureError:
            return False

    def _recognise(
        self, handles: tuple[str, ...], thought: str
    ) -> Generator[AssistantTurn, tuple[Observation, ...], PageView | None]:
        """The first page that shows one of these pictures."""
        if not handles:
            return None
        seen = yield self._calls(thought, [("visual_search", {"image": name}) for name in handles])
        for title, url in links(seen):
            page = yield from self._visit(url, f"The picture seems to belong to {title}.")
            if page is not None:
                return page
        return None

    # -- hopping -----------------------------------------------------------------------------

    def _follow(self, page: PageView, reading: Reading, place: int, trail: frozenset[str]) -> Steps:
        """From `page`, follow the statements from `place` on; None if the way ends."""
        if place == len(reading.statements):
            return self._read_answer(page, reading.ask)
        statement = reading.statements[place]
        found = [option for option in options(page, statement) if option.url not in trail]
        least = NOT_AGAINST if statement.loose else ENOUGH
        promising = [option for option in found if option.score >= least]
        near = _near_the_best(promising) if self.habits.persistent else promising
        checked = yield from self._check(near, statement, page.url)
        if len(near) < len(promising) and not _any_borne_out(checked, statement):
            rest = [option for option in promising if option not in near]
            checked += yield from self._check(rest, statement, page.url)
            checked.sort(key=lambda pair: -pair[0])
        if self.habits.persistent and statement.relation and not _any_fits(checked):
            hits = yield from self._search(page, statement)
            checked += yield from self._check(hits, statement, page.url, linking=True)
            checked.sort(key=lambda pair: -pair[0])
        if not checked:
            return (yield from self._follow(page, reading, place + 1, trail))
        for score, target in checked[: 1 + self.habits.retreats]:
            if score < 0 and self.habits.retreats:
                break
            onward = trail | {target.url}
            answer = yield from self._follow(target, reading, place + 1, onward)
            if answer is not None:
                return answer
        return None

    def _check(
        self, promising: list[Option], statement: Statement, here: str, linking: bool = False
    ) -> Generator[AssistantTurn, tuple[Observation, ...], list[tuple[float, PageView]]]:
        """Visit the likeliest options; those that fit the statement best come first.

        If `linking`, a page that has no link to `here` is left out.
        """
        checked: list[tuple[float, PageView]] = []
        likely = self._shuffled(promising)
        if statement.look:
            likely = yield from self._glance(likely, statement)
        for option in likely[: self.habits.verify]:
            thought = f"“{statement.text}” This could be {option.title}."
            page = yield from self._visit(option.url, thought)
            if page is not None and (not linking or _links_to(page, here)):
                said = max(option.score, bond(page, here, statement))
                looks = LOOKS * self._resembles(page.url, statement)
                checked.append((said + 2 * fit(page, statement) + looks, page))
        return sorted(checked, key=lambda pair: -pair[0])

    def _glance(
        self, likely: list[Option], statement: Statement
    ) -> Generator[AssistantTurn, tuple[Observation, ...], list[Option]]:
        """Look at pictures of the likeliest options; those that look as told come first."""
        judged: list[tuple[float, Option]] = []
        for option in likely[: self.habits.glances]:
            if not self.gallery.knows(option.url):
                thought = f"“{statement.text}” How does {option.title} look?"
                hits = yield self._call("image_search", thought, query=option.title[:200])
                own = [handle for handle, url in pictures(hits) if url == option.url]
                self.gallery.add(option.url, own)
            judged.append((self._resembles(option.url, statement), option))
        best = max((seen for seen, _ in judged), default=0.0)
        least = best / 2 if best >= ALIKE else UNLIKE
        alike = [pair for pair in judged if pair[0] > least]
        return [option for _, option in sorted(alike, key=lambda pair: -pair[0])]

    def _resembles(self, url: str, statement: Statement) -> float:
        """How a page's picture goes with what a statement tells of it; 0 where nothing is known."""
        if not statement.look or self.pixels is None:
            return 0.0
        return self.gallery.likeness(url, statement.look, self.pixels) or 0.0

    def _shuffled(self, promising: list[Option]) -> list[Option]:
        """Best first, near ties by chance (Gumbel noise on the scores)."""
        noisy = [(option.score + self._noise(), option) for option in promising]
        return [option for _, option in sorted(noisy, key=lambda pair: -pair[0])]

    def _noise(self) -> float:
        return -self.habits.heat * math.log(-math.log(max(1e-12, self.chance.random())))

    def _search(
        self, page: PageView, statement: Statement
    ) -> Generator[AssistantTurn, tuple[Observation, ...], list[Option]]:
        """Pages that a text search finds for this page's title and the statement's words."""
        query = f"{page.title} {' '.join(sorted(statement.words))}"
        hits = yield self._call(
            "web_search", f"{page.title} does not say; I search.", query=query[:200]
        )
        return [Option(url, title, 0.0) for title, url in links(hits) if url != page.url]

    def _visit(
        self, url: str, thought: str
    ) -> Generator[AssistantTurn, tuple[Observation, ...], PageView | None]:
        """Read a page once; None if it cannot be had or the agent has read enough."""
        if url in self.pages:
            return self.pages[url]
        if self.visits >= self.habits.visits:
            return None
        self.visits += 1
        shown = yield self._call("visit", thought, url=url)
        if not shown or shown[0].outcome is not Outcome.OK:
            return None
        self.pages[url] = read_page(url, shown[0].text)
        self.gallery.add(url, shown[0].images)
        return self.pages[url]

    # -- speaking ----------------------------------------------------------------------------

    def _read_answer(self, page: PageView, ask: Statement) -> str | None:
        row = answer_row(page, ask)
        return None if row is None else row.value

    def _call(self, name: str, thought: str, **arguments: object) -> AssistantTurn:
        return self._calls(thought, [(name, arguments)])

    def _calls(
        self, thought: str, wanted: Sequence[tuple[str, Mapping[str, object]]]
    ) -> AssistantTurn:
        """A turn with these calls, side by side."""
        calls = tuple(
            ToolCall(
                call_id=f"call_{number}",
                name=name,
                arguments=json.dumps(dict(arguments), sort_keys=True),
            )
            for number, (name, arguments) in enumerate(wanted, start=self.calls + 1)
        )
        self.calls += len(calls)
        return AssistantTurn(text=thought, calls=calls)


TASK = "<image:0>"
VIEWS: tuple[tuple[str, Mapping[str, object]], ...] = (
    ("rotate", {"image": TASK, "degrees": 90}),
    ("rotate", {"image": TASK, "degrees": 270}),
    ("rotate", {"image": TASK, "degrees": 180}),
    ("flip", {"image": TASK, "direction": "horizontal"}),
    ("zoom_in", {"image": TASK, "x0": 0.1, "y0": 0.1, "x1": 0.9, "y1": 0.9}),
    ("zoom_in", {"image": TASK, "x0": 0.25, "y0": 0.25, "x1": 0.75, "y1": 0.75}),
)
"""Other ways to look at the task's picture: turned, mirrored, without its margin."""


def _any_fits(checked: list[tuple[float, PageView]]) -> bool:
    return any(score > 0 for score, _ in checked)


def _near_the_best(promising: list[Option]) -> list[Option]:
    """The links that go with a statement about as well as the best one, which are read first."""
    best = max((option.score for option in promising), default=0.0)
    return [option for option in promising if option.score >= CLEARLY * best]


def _any_borne_out(checked: list[tuple[float, PageView]], statement: Statement) -> bool:
    return any(fit(page, statement) > 0 for _, page in checked)


def _links_to(page: PageView, url: str) -> bool:
    return any(mention.url == url for mention in page.mentions)


def _answer(thought: str, answer: str | None) -> AssistantTurn:
    said = f"<answer>{answer}</answer>" if answer else "I could not find the answer."
    return AssistantTurn(text=f"{thought} {said}", calls=())
