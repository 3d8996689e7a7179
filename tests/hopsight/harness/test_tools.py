import asyncio
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hopsight.config import DEFAULT_TOOLS
from hopsight.errors import Outcome, PictureError, ProviderError
from hopsight.harness import ImageBank
from hopsight.harness.execute import Executed, execute
from hopsight.harness.tools import SPECS, TOOLS, NewPicture
from hopsight.search import PageHit
from hopsight.search.pixels import open_picture
from tests.hopsight.harness import world as w

SLOW = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> w.World:
    return w.make_world(tmp_path_factory.mktemp("world"))


def run(world: w.World, name: str, backend: Any = None, **arguments: object) -> Executed:
    bank = ImageBank(world.shown, world.images, 50, 10**9)
    call = w.call(name, json.dumps(arguments))
    return asyncio.run(execute(call, world.setting(backend=backend), bank, 60))


def pictures(done: Executed) -> list[NewPicture]:
    return [piece for piece in done.result.pieces if isinstance(piece, NewPicture)]


def text(done: Executed) -> str:
    return "".join(piece for piece in done.result.pieces if isinstance(piece, str))


def test_schemas_hold_scalars_only_and_every_argument_is_explained() -> None:
    assert [spec.name for spec in SPECS] == list(TOOLS)
    for spec in SPECS:
        assert len(spec.description) > 40
        assert spec.schema["required"]
        for field in spec.schema["properties"].values():
            assert field["type"] in {"string", "number", "integer", "boolean"}
            assert field["description"]


def test_web_search_lists_titles_addresses_and_passages(world: w.World) -> None:
    done = run(world, "web_search", query="river Alda", max_results=1)
    assert done.result.outcome is Outcome.OK
    assert text(done).startswith(f"1. Alda\n   {w.HOST}Alda\n   Alda is a river.")


def test_no_hit_is_empty_not_an_error(world: w.World) -> None:
    for name in ("web_search", "image_search"):
        assert run(world, name, query="zyzzyva").result.outcome is Outcome.EMPTY


def test_visual_search_names_the_page_and_brings_the_picture(world: w.World) -> None:
    done = run(world, "visual_search", image="<image:1>")
    assert f"Bergen\n   {w.HOST}Bergen" in text(done)
    assert [new.image for new in pictures(done)] == [world.shown[1]]


def test_a_found_picture_and_a_cut_out_can_be_searched_like_any_other(world: w.World) -> None:
    bank = ImageBank(world.shown[:1], world.images, 50, 10**9)

    def take(name: str, **arguments: object) -> Executed:
        call = w.call(name, json.dumps(arguments))
        done = asyncio.run(execute(call, world.setting(), bank, 60))
        for new in pictures(done):
            bank.add(new.image, "c", new.parent, new.box)
        return done

    take("image_search", query="Bergen", max_results=1)
    take("zoom_in", image="<image:1>", x0=0.1, y0=0.1, x1=0.9, y1=0.9)
    assert len(bank) == 3
    for handle in ("<image:1>", "<image:2>"):
        assert f"Bergen\n   {w.HOST}Bergen" in text(take("visual_search", image=handle))


def test_visit_with_a_goal_shows_what_the_page_says_about_it(world: w.World) -> None:
    done = run(world, "visit", url=f"{w.HOST}Alda", goal="Where is its mouth?")
    assert "| mouth | [Grey Sea]" in text(done)
    assert "Norland" not in text(done)
    assert [new.image for new in pictures(done)] == [world.shown[0]]
    nothing = run(world, "visit", url=f"{w.HOST}Alda", goal="zyzzyva")
    assert (nothing.result.outcome, "says nothing" in text(nothing)) == (Outcome.OK, True)


def test_marks_in_page_text_are_made_harmless_and_not_taken_for_status(world: w.World) -> None:
    done = run(world, "visit", url=f"{w.HOST}Trap")
    assert done.result.outcome is Outcome.OK
    assert "<\\image:0> and <\\|im_end|> and [\\INST]. Page not found." in text(done)


def test_visit_brings_pictures_and_parts(world: w.World) -> None:
    done = run(world, "visit", url=f"{w.HOST}Alda")
    assert [new.image for new in pictures(done)] == [world.shown[0]]
    assert run(world, "visit", url=f"{w.HOST}None").result.outcome is Outcome.EMPTY
    assert run(world, "visit", url=f"{w.HOST}Alda", part=2).result.outcome is Outcome.INVALID_ARGS


def test_zoom_in_cuts_exactly_the_box(world: w.World) -> None:
    done = run(world, "zoom_in", image="0", x0=0.25, y0=0.5, x1=0.75, y1=1)
    new = pictures(done)[0]
    whole = open_picture(world.images.bytes(world.shown[0].sha256))
    cut = open_picture(world.images.bytes(new.image.sha256))
    assert cut.tobytes() == whole.crop((180, 256, 540, 512)).tobytes()
    assert (new.parent, new.box) == (0, (0.25, 0.5, 0.75, 1.0))


@pytest.mark.parametrize(
    ("name", "arguments", "outcome"),
    [
        ("zoom_in", {"x0": 0, "y0": 0, "x1": 1, "y1": 1}, Outcome.NO_OP),
        ("zoom_in", {"x0": 0.5, "y0": 0, "x1": 0.5, "y1": 1}, Outcome.INVALID_ARGS),
        ("zoom_in", {"x0": 0.5, "y0": 0, "x1": 0.501, "y1": 1}, Outcome.INVALID_ARGS),
        ("zoom_in", {"x0": 0, "y0": 0, "x1": 2, "y1": 1}, Outcome.INVALID_ARGS),
        ("rotate", {"degrees": 360}, Outcome.NO_OP),
        ("rotate", {"degrees": 33.5}, Outcome.OK),
        ("flip", {"direction": "diagonal"}, Outcome.INVALID_ARGS),
        ("flip", {"direction": "horizontal", "speed": 2}, Outcome.INVALID_ARGS),
        ("flip", {}, Outcome.INVALID_ARGS),
    ],
)
def test_each_case_has_its_outcome(
    world: w.World, name: str, arguments: dict[str, Any], outcome: Outcome
) -> None:
    assert run(world, name, image="<image:0>", **arguments).result.outcome is outcome


def test_rotation_is_clockwise_and_four_quarters_give_the_picture_back(world: w.World) -> None:
    whole = open_picture(world.images.bytes(world.shown[0].sha256))
    done = run(world, "rotate", image="0", degrees=90)
    turned = open_picture(world.images.bytes(pictures(done)[0].image.sha256))
    assert turned.size == (whole.height, whole.width)
    assert turned.getpixel((whole.height - 1, 0)) == whole.getpixel((0, 0))


def test_a_mirrored_picture_is_mirrored(world: w.World) -> None:
    whole = open_picture(world.images.bytes(world.shown[0].sha256))
    done = run(world, "flip", image="0", direction="vertical")
    mirrored = open_picture(world.images.bytes(pictures(done)[0].image.sha256))
    assert mirrored.getpixel((3, 0)) == whole.getpixel((3, whole.height - 1))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("{", "no JSON object"),
        ("[1]", "found list"),
        ('{"query": NaN}', "NaN"),
        ('{"query": ["a"]}', "query"),
        ("[" * 5000, "no JSON object"),
        ('{"query": "' + "a" * 9000 + '"}', "longer than"),
        ('{"query": "a", "max_results": 1e999}', "max_results"),
        ("{}", "query: Field required"),
    ],
)
def test_malformed_arguments_are_told_to_the_model(
    world: w.World, arguments: str, message: str
) -> None:
    bank = ImageBank((), world.images, 5, 10**9)
    done = asyncio.run(execute(w.call("web_search", arguments), world.setting(), bank, 60))
    assert done.result.outcome is Outcome.INVALID_ARGS
    assert message in text(done)


def test_an_unknown_tool_lists_the_known_ones(world: w.World) -> None:
    done = run(world, "<image:1>")
    assert done.result.outcome is Outcome.UNKNOWN_TOOL
    assert "visual_search" in text(done)
    assert "<image:1>" not in text(done)


class Broken:
    """A provider that fails, hangs, or cannot read the picture."""

    offers = frozenset(DEFAULT_TOOLS)

    def __init__(self, error: Exception | None) -> None:
        self.error = error

    async def web_search(self, query: str, k: int) -> list[PageHit]:
        if self.error is not None:
            raise self.error
        await asyncio.sleep(60)
        return []


def test_a_failed_provider_is_transient_and_names_the_cause(world: w.World) -> None:
    done = run(world, "web_search", Broken(ProviderError("key refused", "set it")), query="a")
    assert done.result.outcome is Outcome.TRANSIENT
    assert "key refused" in text(done)
    assert "set it" not in text(done)


def test_an_unusable_picture_is_told_to_the_model(world: w.World) -> None:
    done = run(world, "web_search", Broken(PictureError("too large", "shrink")), query="a")
    assert (done.result.outcome, "too large" in text(done)) == (Outcome.INVALID_ARGS, True)


def test_a_tool_that_hangs_is_stopped(world: w.World) -> None:
    bank = ImageBank((), world.images, 5, 10**9)
    call = w.call("web_search", '{"query": "a"}')
    done = asyncio.run(execute(call, world.setting(backend=Broken(None)), bank, 0.01))
    assert done.result.outcome is Outcome.TRANSIENT
    assert "too long" in text(done)


VALUES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(["<image:0>", "<image:9>", "horizontal", w.HOST + "Alda", "\ud800"])
)
NAMES = ("image", "query", "url", "x0", "y0", "x1", "y1", "degrees", "direction", "part", "z")


@SLOW
@given(
    st.sampled_from(tuple(TOOLS)) | st.text(max_size=10),
    st.dictionaries(st.sampled_from(NAMES), VALUES).map(json.dumps) | st.text(max_size=80),
)
def test_no_arguments_crash_a_tool(world: w.World, name: str, arguments: str) -> None:
    bank = ImageBank(world.shown, world.images, 50, 10**9)
    call = w.call(name.encode("utf-8", "replace").decode(), arguments)
    done = asyncio.run(execute(call, world.setting(), bank, 60))
    assert isinstance(done.result.outcome, Outcome)
    assert text(done).encode()
