"""`hopsight review` in a real browser, over a round that the command has made.

The tests of this file share one round and one journal, and go from top to bottom.
"""

import json
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from curation.review import Decisions, standing
from hopsight.types import EvidenceChain, Question, ReviewDecision
from hopsight.workspace import Workspace
from pipelines.settings import PROJECT
from tests.services.newcomer import RUN_S, START_S, Site, free_port

ROUND = "0001"
PATHS = 15
SHOTS = "HOPSIGHT_SCREENSHOTS"
"""A folder for the screenshot, such as docs/images; else it goes to the test's own."""

HOSTILE = "<img src=x onerror=\"document.title='taken'\"><b>What?</b>"


class Review:
    """The review page of a site, as a person starts it."""

    def __init__(self, site: Site) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.log = site.root / f"review-{self.port}.log"
        self.process = site.start("review", "--port", str(self.port), log=self.log)
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                httpx.get(f"{self.address}/api/queue", timeout=5).raise_for_status()
            except httpx.HTTPError:
                time.sleep(0.3)
            else:
                return
        self.stop()
        pytest.fail(f"the review page did not come up:\n{self.log.read_text()}")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(30)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    made = Site(tmp_path_factory.mktemp("review")).prepare(PATHS)
    shutil.copy(PROJECT / "dagster.yaml", made.home)
    log = made.root / "run.log"
    assert made.start("run", "--workers", "1", log=log).wait(RUN_S) == 0, log.read_text()
    return made


@pytest.fixture(scope="module")
def review(site: Site) -> Iterator[Review]:
    started = Review(site)
    yield started
    started.stop()


@pytest.fixture
def page(chromium: Any, review: Review) -> Iterator[Any]:
    """The open page, which must have asked nobody but the server by the end of the test."""
    opened = chromium.new_page(viewport={"width": 1440, "height": 900})
    opened.set_default_timeout(20_000)
    asked: set[str] = set()
    errors: list[str] = []
    opened.on("request", lambda request: asked.add(request.url))
    opened.on("pageerror", lambda error: errors.append(str(error)))
    visit(opened, review.address)
    yield opened
    opened.close()
    assert [url for url in asked if not url.startswith(review.address)] == []
    assert errors == []


def visit(page: Any, address: str) -> None:
    page.goto(address)
    page.locator("#main[aria-busy=false]").wait_for()
    page.locator("#text").get_by_text("?").wait_for()


def current(page: Any) -> str:
    """The id of the question that is shown."""
    return str(page.evaluate("location.hash")).removeprefix("#")


def press(page: Any, key: str) -> None:
    """Press a key that leads to another question, and wait until that is there."""
    before = current(page)
    page.keyboard.press(key)
    page.wait_for_function("id => location.hash !== '#' + id", arg=before)
    page.locator("#main[aria-busy=false]").wait_for()


def decided(site: Site) -> dict[str, ReviewDecision]:
    return standing(Decisions(site.data, ROUND).load())


def named(site: Site, question_id: str) -> str:
    """A name that the question must not tell."""
    store = Workspace(site.data).store
    questions = {each.id: each for each in store.read("curated_questions", ROUND, Question)}
    chains = {each.id: each for each in store.read("refined_chains", ROUND, EvidenceChain)}
    return chains[questions[question_id].chain_id].nodes[-1].title


def test_a_question_is_shown_with_picture_chain_and_evidence(page: Any) -> None:
    picture = page.get_by_role("img", name="The question's picture").first
    assert picture.evaluate("image => image.complete && image.naturalWidth") > 100
    assert page.locator(".chain li").count() >= 3
    assert page.locator("blockquote mark").count() >= 2
    assert page.locator("blockquote.wrong").count() == 0
    assert page.get_by_text("revision ").count() >= 2
    assert page.locator("#answer strong").count() == 0
    page.keyboard.press("Space")
    answer = page.locator("#answer strong").inner_text()
    assert answer in page.locator(".chain .last mark").inner_text()


def test_three_questions_are_decided_by_keyboard_alone(
    page: Any, site: Site, tmp_path: Path
) -> None:
    page.get_by_label("Reviewer").fill("Ada")
    page.get_by_label("Reviewer").blur()
    first = current(page)
    press(page, "a")
    second, text = current(page), page.locator("#text").inner_text()
    page.keyboard.press("e")
    page.locator("#wording").fill(f"Look at the picture. {text}")
    press(page, "Control+Enter")
    third = current(page)
    page.keyboard.press("r")
    page.keyboard.press("3")
    press(page, "Enter")
    found = decided(site)
    assert {key: each.decision for key, each in found.items()} == {
        first: "accept",
        second: "edit",
        third: "reject",
    }
    assert found[second].text == f"Look at the picture. {text}"
    assert found[third].reason == "picture_mismatch"
    assert {each.reviewer for each in found.values()} == {"Ada"}
    assert "3 of " in page.locator("#counts").inner_text()
    page.keyboard.press("Space")
    folder = Path(os.environ.get(SHOTS) or tmp_path)
    page.screenshot(path=folder / "review.png")
    assert (folder / "review.png").stat().st_size > 20_000


def test_undo_takes_back_the_last_decision_alone(page: Any, site: Site) -> None:
    before, undone = decided(site), current(page)
    press(page, "a")
    assert decided(site)[undone].decision == "accept"
    press(page, "u")
    assert current(page) == undone
    assert decided(site) == before
    assert page.locator("#state").inner_text() == "undecided"


def test_an_edit_that_gives_a_name_away_is_refused_on_the_page(page: Any, site: Site) -> None:
    question, before = current(page), decided(site)
    name, text = named(site, question), page.locator("#text").inner_text()
    page.keyboard.press("e")
    page.locator("#wording").fill(f"{text[:-1]} near {name}?")
    page.keyboard.press("Control+Enter")
    fault = page.locator("#edit-fault")
    fault.get_by_text("name leak").wait_for()
    assert name in fault.inner_text()
    assert current(page) == question
    page.locator("#wording").fill(" ")
    page.keyboard.press("Control+Enter")
    fault.get_by_text("empty text").wait_for()
    page.keyboard.press("Escape")
    assert decided(site) == before


def test_decisions_outlast_a_reload_and_the_server(
    page: Any, site: Site, review: Review, chromium: Any
) -> None:
    told = page.locator("#counts").inner_text()
    visit(page, review.address)
    assert page.locator("#counts").inner_text() == told
    again = Review(site)
    try:
        other = chromium.new_page()
        visit(other, again.address)
        assert other.locator("#counts").inner_text() == told
        other.close()
    finally:
        again.stop()


def test_the_picture_is_looked_at_closely(page: Any) -> None:
    page.keyboard.press("z")
    scale = page.locator("#scale")
    scale.get_by_text("%").wait_for()
    fitted = int(scale.inner_text().split()[0])
    page.mouse.move(700, 400)
    page.mouse.wheel(0, -600)
    page.wait_for_function(
        "was => parseInt(document.getElementById('scale').textContent) > was * 2", arg=fitted
    )
    page.keyboard.press("0")
    assert int(scale.inner_text().split()[0]) == fitted
    page.keyboard.press("Escape")
    assert not page.locator("#viewer").is_visible()
    page.keyboard.press("?")
    assert page.get_by_text("show or hide the answer").is_visible()


def test_whatever_a_page_says_is_text(page: Any, review: Review) -> None:
    def hostile(route: Any) -> None:
        told = json.loads(route.fetch().text())
        told.update(text=HOSTILE, answer=HOSTILE, operator=HOSTILE, aliases=[HOSTILE])
        for step in told["steps"]:
            step.update(title=HOSTILE, url="javascript:document.title='taken'")
        route.fulfill(json=told)

    page.route("**/api/questions/*", hostile)
    page.keyboard.press("ArrowRight")
    page.locator("#text").get_by_text("<b>What?</b>").wait_for()
    if page.locator("#answer strong").count() == 0:
        page.keyboard.press("Space")
    assert page.locator("img[src=x]").count() == 0
    assert page.locator("a[href^=javascript]").count() == 0
    assert page.title() == f"Review of round {ROUND}"


@pytest.mark.parametrize("width", [360, 800, 1200, 2200])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_every_width(chromium: Any, review: Review, width: int, scheme: str) -> None:
    opened = chromium.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    visit(opened, review.address)
    assert opened.evaluate("document.scrollingElement.scrollWidth") <= width
    for name in ("Accept", "Edit", "Reject"):
        box = opened.get_by_role("button", name=name).bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= 800
    opened.close()
