"""One known call of each tool: what works is told so, and what lies is found out."""

import asyncio
from collections.abc import Sequence

import pytest

from hopsight.errors import ProviderError
from hopsight.harness.backends import SERVED
from hopsight.harness.limits import Limits
from hopsight.harness.preflight import NOT_TRIED, Checked, Known, check_tools
from hopsight.harness.setting import Setting
from hopsight.harness.toolset import Toolset
from hopsight.harness.workbench import Workbench
from hopsight.imaging import Interpolation
from hopsight.search import ImageHit, PageHit
from tests.hopsight.harness import world as w

LOCAL = (
    "web_search", "image_search", "visual_search", "visit", "fetch_image", "zoom_in", "rotate",
    "flip", "sharpen", "super_resolution", "perspective_correct",
)  # fmt: skip


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> w.World:
    return w.make_world(tmp_path_factory.mktemp("world"))


def known(world: w.World) -> Known:
    image = world.shown[0]
    return Known("Alda river", image, f"{w.HOST}Alda", image.source_url)


def checked(world: w.World, bench: Workbench, tools: Sequence[str]) -> dict[str, Checked]:
    setting = Setting(bench, world.images, Limits(), Toolset(tuple(tools)))
    return {each.tool: each for each in asyncio.run(check_tools(setting, known(world)))}


def test_every_tool_of_a_snapshot_passes(world: w.World) -> None:
    bench = Workbench(world.backend, upscaler=Interpolation())
    found = checked(world, bench, LOCAL)
    assert {name for name, each in found.items() if not each.able} == set()
    assert list(found) == list(LOCAL)


class Lying:
    """Answers, but not right: pages of something else, a picture that is not there, an outage."""

    offers = frozenset(SERVED)

    def __init__(self, world: w.World) -> None:
        self.world = world

    async def web_search(self, query: str, k: int) -> list[PageHit]:
        return [PageHit("https://other.example/", "Other", "Nothing of it", 1.0)]

    async def image_search(self, query: str, k: int) -> list[ImageHit]:
        return []

    async def visual_search(self, image: bytes, k: int) -> list[ImageHit]:
        shown = self.world.shown[1]
        return [ImageHit(shown, "Other", "https://other.example/", 1.0, "name")]

    async def scholar_search(self, query: str, k: int) -> list[PageHit]:
        raise ProviderError("the key is refused", "set it")


def test_answers_that_are_not_those_that_are_known_are_faults(world: w.World) -> None:
    tools = ("web_search", "image_search", "visual_search", "scholar_search")
    found = checked(world, Workbench(Lying(world)), tools)  # type: ignore[arg-type]
    assert not any(each.able for each in found.values())
    assert "is not among what was found" in found["web_search"].detail
    assert "empty" in found["image_search"].detail
    assert "is not among what was found" in found["visual_search"].detail
    assert "the key is refused" in found["scholar_search"].detail


def test_what_cannot_be_tried_says_so(world: w.World) -> None:
    setting = Setting(Workbench(world.backend), world.images, Limits(), Toolset(("visit",)))
    nowhere = Known("Alda", world.shown[0])
    (only,) = asyncio.run(check_tools(setting, nowhere))
    assert (only.able, only.detail) == (True, NOT_TRIED)
