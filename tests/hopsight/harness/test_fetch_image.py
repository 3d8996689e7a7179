import asyncio
import json
from dataclasses import dataclass

import pytest

from hopsight.errors import Outcome
from hopsight.harness import ImageBank
from hopsight.harness.execute import Executed, execute
from hopsight.harness.guard import Blocklist
from hopsight.harness.setting import Setting
from hopsight.harness.toolset import Toolset
from hopsight.harness.workbench import Workbench
from hopsight.net import Blocks, Fetcher, picture_of
from hopsight.store import ImageStore
from hopsight.types import ImageRef
from tests.hopsight.harness import world as w
from tests.hopsight.net import far_side as far
from tests.hopsight.search import drawing

PICTURE = drawing.png(drawing.scene(5))
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"/>'
ANSWERS = {
    "/p.png": far.answer(PICTURE, content_type="image/png"),
    "/drawing": far.answer(SVG, content_type="image/svg+xml"),
    "/inwards": far.redirect("http://169.254.169.254/latest/meta-data/"),
    "/labels": far.redirect("http://huggingface.co/p.png"),
    "/broken": far.answer(PICTURE, Content_Encoding="gzip"),
}


@dataclass(frozen=True)
class Web:
    """A backend that fetches: pictures alone, over the guarded network."""

    fetcher: Fetcher
    images: ImageStore
    offers: frozenset[str] = frozenset({"fetch_image"})

    async def fetch_image(self, url: str) -> ImageRef | None:
        fetched = await self.fetcher.get(url)
        if fetched.status == 404:
            return None
        return self.images.put(picture_of(fetched), fetched.url, "unknown", "unknown")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> w.World:
    return w.make_world(tmp_path_factory.mktemp("world"))


def fetch(
    world: w.World, patch: pytest.MonkeyPatch, url: str, blocks: Blocks | None = None
) -> tuple[Executed, far.Network]:
    names = far.resolver({"public.example": [[far.PUBLIC]], "huggingface.co": [[far.PUBLIC]]})

    async def once() -> Executed:
        async with Fetcher(resolver=names, blocks=blocks) as fetcher:
            bench = Workbench(Web(fetcher, world.images))  # type: ignore[arg-type]
            setting = Setting(bench, world.images, tools=Toolset(("fetch_image",)))
            bank = ImageBank(world.shown, world.images, 50, 10**9)
            return await execute(w.call("fetch_image", json.dumps({"url": url})), setting, bank, 60)

    with far.network(patch, ANSWERS) as net:
        return asyncio.run(once()), net


def told(done: Executed) -> str:
    return "".join(piece for piece in done.result.pieces if isinstance(piece, str))


def test_a_picture_is_brought_by_its_address(
    world: w.World, monkeypatch: pytest.MonkeyPatch
) -> None:
    done, _ = fetch(world, monkeypatch, "http://public.example/p.png")
    (picture,) = [piece for piece in done.result.pieces if not isinstance(piece, str)]
    assert (done.result.outcome, told(done)) == (Outcome.OK, "Fetched: ")
    assert world.images.bytes(picture.image.sha256) == PICTURE
    assert picture.image.source_url == "http://public.example/p.png"


@pytest.mark.parametrize(
    ("url", "outcome", "words"),
    [
        ("http://public.example/none", Outcome.EMPTY, "no picture at this address"),
        ("http://public.example/drawing", Outcome.INVALID_ARGS, "SVG"),
        ("http://public.example/broken", Outcome.TRANSIENT, "damaged"),
        ("http://127.0.0.1/p.png", Outcome.BLOCKED, "of this machine"),
        ("file:///etc/passwd", Outcome.BLOCKED, "only http and https"),
        ("http://public.example/inwards", Outcome.BLOCKED, "link-local"),
        ("https://huggingface.co/datasets/x/0.png", Outcome.BLOCKED, "blocked"),
    ],
)
def test_what_brings_no_picture_has_an_outcome_that_says_why(
    world: w.World, monkeypatch: pytest.MonkeyPatch, url: str, outcome: Outcome, words: str
) -> None:
    done, net = fetch(world, monkeypatch, url)
    assert done.result.outcome is outcome
    assert words in told(done)
    assert net.private_asked == []


@pytest.mark.parametrize(("blocks", "requests"), [(Blocklist().blocks, 1), (None, 2)])
def test_a_redirect_to_a_blocked_source_is_not_followed_and_never_shown(
    world: w.World, monkeypatch: pytest.MonkeyPatch, blocks: Blocks | None, requests: int
) -> None:
    done, net = fetch(world, monkeypatch, "http://public.example/labels", blocks)
    assert (done.result.outcome, done.blocked) == (Outcome.BLOCKED, "host:huggingface.co")
    assert len(net.public.heads) == requests
