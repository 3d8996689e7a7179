"""What is forbidden is forbidden in every tool, is told to the model, and is seen in the record."""

import asyncio
import json
from typing import Any

import pytest

from hopsight.errors import Outcome
from hopsight.harness import ImageBank, Limits, run_episode
from hopsight.harness.backends import SERVED, PageText
from hopsight.harness.execute import Executed, execute
from hopsight.harness.guard import LeakGuard
from hopsight.harness.setting import Setting
from hopsight.harness.toolset import Toolset
from hopsight.harness.workbench import Workbench
from hopsight.net import BlockedAddress
from hopsight.search import ImageHit, PageHit
from hopsight.types import ImageRef, StopReason
from tests.hopsight.harness import world as w

DATA = "https://huggingface.co/datasets/someone/benchmark/raw/main/test.jsonl"
QUESTION = "Into which sea does the river flow that is bridged in the town of the picture?"
GUARD = LeakGuard(QUESTION, ("Grey Sea",))


class Web:
    """Finds a benchmark's labels beside an ordinary page, and a page that holds the question."""

    offers = frozenset(SERVED)

    def __init__(self, shown: ImageRef) -> None:
        self.shown = shown

    async def web_search(self, query: str, k: int) -> list[PageHit]:
        return [PageHit(DATA, "labels", "Grey Sea", 2.0), PageHit("https://a.org", "a", "b", 1.0)]

    scholar_search = web_search

    async def image_search(self, query: str, k: int) -> list[ImageHit]:
        return [ImageHit(self.shown, "labels", DATA, 1.0, "name")]

    async def visual_search(self, image: bytes, k: int) -> list[ImageHit]:
        return await self.image_search("", k)

    async def visit(self, url: str) -> PageText | None:
        if "redirects" in url:
            raise BlockedAddress("the page leads to a blocked host", "use another", "host:hf.co")
        if "leaks" in url:
            return PageText(url, "dump", f"id 7. {QUESTION} Answer: grey sea.", (self.shown,))
        return PageText(url, "Alda", "Alda is bridged in Bergen and flows into the Grey Sea.")

    async def fetch_image(self, url: str) -> ImageRef | None:
        return self.shown


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> w.World:
    return w.make_world(tmp_path_factory.mktemp("world"))


def setting(world: w.World) -> Setting:
    names = ("web_search", "scholar_search", "image_search", "visual_search", "visit")
    return Setting(Workbench(Web(world.shown[0])), world.images, Limits(), Toolset(names))


def run(
    world: w.World, name: str, given: dict[str, str], guard: LeakGuard | None = None
) -> Executed:
    bank = ImageBank(world.shown, world.images, 9, 10**9)
    call = w.call(name, json.dumps(given))
    return asyncio.run(execute(call, setting(world), bank, 10, guard))


def text(done: Executed) -> str:
    return "".join(piece for piece in done.result.pieces if isinstance(piece, str))


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("visit", {"url": DATA}),
        ("visit", {"url": "HTTPS://HuggingFace.co:443/datasets/x"}),
        ("visit", {"url": "https://web.archive.org/web/2025/https://huggingface.co/datasets/x"}),
        ("web_search", {"query": "site:huggingface.co labels"}),
        ("scholar_search", {"query": "huggingface.co/datasets/x"}),
        ("image_search", {"query": "https://huggingface.co/x.png"}),
    ],
)
def test_an_argument_that_names_a_blocked_source_is_refused_in_every_tool(
    world: w.World, name: str, given: dict[str, str]
) -> None:
    done = run(world, name, given)
    assert (done.result.outcome, done.blocked) == (Outcome.BLOCKED, "host:huggingface.co")


@pytest.mark.parametrize("name", ["web_search", "scholar_search"])
def test_a_hit_from_a_blocked_source_is_left_out_and_counted(world: w.World, name: str) -> None:
    done = run(world, name, {"query": "grey sea"})
    assert "Grey Sea" not in text(done)
    assert "huggingface" not in text(done)
    assert "[1 left out: blocked source]" in text(done)
    assert done.result.outcome is Outcome.OK


@pytest.mark.parametrize(
    ("name", "given"), [("image_search", {"query": "x"}), ("visual_search", {"image": "0"})]
)
def test_pictures_from_a_blocked_source_alone_are_no_match(
    world: w.World, name: str, given: dict[str, str]
) -> None:
    done = run(world, name, given)
    assert done.result.outcome is Outcome.EMPTY
    assert all(isinstance(piece, str) for piece in done.result.pieces)


def test_a_redirect_to_a_blocked_source_is_blocked_too(world: w.World) -> None:
    done = run(world, "visit", {"url": "https://a.org/redirects"})
    assert (done.result.outcome, done.blocked) == (Outcome.BLOCKED, "host:hf.co")


def test_a_page_that_holds_question_and_answer_is_not_shown_nor_its_pictures(
    world: w.World,
) -> None:
    done = run(world, "visit", {"url": "https://a.org/leaks"}, GUARD)
    assert (done.result.outcome, done.blocked) == (Outcome.BLOCKED, "holds_question_and_answer")
    assert "grey sea" not in text(done).lower()
    assert all(isinstance(piece, str) for piece in done.result.pieces)


def test_a_page_that_answers_the_question_without_holding_it_is_shown(world: w.World) -> None:
    done = run(world, "visit", {"url": "https://a.org/alda"}, GUARD)
    assert (done.result.outcome, done.blocked) == (Outcome.OK, None)
    assert "Grey Sea" in text(done)


def test_an_episode_that_went_for_the_labels_is_flagged_and_three_such_calls_are_fatal(
    world: w.World,
) -> None:
    go = w.turn(w.call("visit", json.dumps({"url": DATA})))
    leak = w.turn(w.call("visit", '{"url": "https://a.org/leaks"}'))

    def play(*turns: Any) -> Any:
        policy = w.Scripted([*turns, w.answer("Grey Sea")])
        return asyncio.run(
            run_episode(world.task(QUESTION), policy, setting(world), 1, "q", 0, guard=GUARD)
        )

    flagged = play(go, leak)
    assert flagged.blocked == ("holds_question_and_answer", "host:huggingface.co")
    assert flagged.stop_reason is StopReason.ANSWERED
    assert play(go, go, go).stop_reason is StopReason.FATAL
    assert play().blocked == ()
