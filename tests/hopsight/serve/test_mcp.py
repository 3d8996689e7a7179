"""The tools over MCP, through the official client and a real port."""

import asyncio
import base64
import io

import numpy as np
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from PIL import Image

from hopsight.errors import ConfigError, Outcome, ProviderError, ToolError
from hopsight.harness.workbench import Workbench
from hopsight.serve import McpEndpoint, Served, ServeSettings, create_app
from hopsight.serve.desk import Desks
from hopsight.serve.launch import open_bench, tool_setting
from hopsight.serve.mcp_server import MAX_BLOCK_BYTES, mcp_server
from hopsight.serve.self_test import Challenge
from tests.hopsight.harness.world import make_world
from tests.hopsight.serve.serving import Failing, client_of, listening, text_of


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    return make_world(tmp_path_factory.mktemp("world"))


def served(world) -> Served:
    return Served(world.backend, pictures=world.images)


def setting(world):
    return tool_setting(Workbench(world.backend), world.images)


def app_of(world, **more):
    settings = ServeSettings(mcp=True, **more)
    return create_app(served(world), settings, mcp=McpEndpoint(setting(world), settings))


def in_session(world, use, **more):
    async def once():
        async with listening(app_of(world, **more)) as url, Client(f"{url}/mcp") as client:
            return await use(client)

    return asyncio.run(once())


def pixels(block) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(block.data)))


def kinds(result) -> list[str]:
    return [block.type for block in result.content]


def test_the_tools_of_the_harness_are_listed_with_upload_and_self_test(world):
    async def use(client):
        return [tool.name for tool in (await client.list_tools()).tools]

    names = in_session(world, use)
    assert names[:3] == ["web_search", "image_search", "visual_search"]
    assert {"visit", "zoom_in", "upload_image", "self_test"} <= set(names)


def test_a_picture_comes_as_an_image_block_right_after_its_handle(world):
    async def use(client):
        return await client.call_tool("image_search", {"query": "Alda"})

    result = in_session(world, use)
    assert not result.is_error
    assert result.structured_content is None
    assert kinds(result) == ["text", "image", "text"]
    assert result.content[0].text.endswith("<image:0>")
    first = world.shown[0]
    assert pixels(result.content[1]).size == (first.width, first.height)
    assert base64.b64decode(result.content[1].data) == world.images.bytes(first.sha256)


def test_an_uploaded_picture_is_cut_and_the_cutting_is_found(world):
    data = world.images.bytes(world.shown[0].sha256)

    async def use(client):
        sent = await client.call_tool("upload_image", {"image": text_of(data)})
        box = {"x0": 0.1, "y0": 0.1, "x1": 0.9, "y1": 0.9}
        cut = await client.call_tool("zoom_in", {"image": "<image:0>", **box})
        found = await client.call_tool("visual_search", {"image": "<image:1>"})
        return sent, cut, found

    sent, cut, found = in_session(world, use)
    assert kinds(sent) == ["text", "image", "text"]
    assert base64.b64decode(sent.content[1].data) == data
    assert "<image:1>" in cut.content[0].text
    assert pixels(cut.content[1]).width < world.shown[0].width
    assert any("wiki/Alda" in block.text for block in found.content if block.type == "text")


def test_sessions_see_nothing_of_each_other(world):
    data = text_of(world.images.bytes(world.shown[0].sha256))

    async def once():
        async with (
            listening(app_of(world)) as url,
            Client(f"{url}/mcp") as one,
            Client(f"{url}/mcp") as other,
        ):
            await one.call_tool("upload_image", {"image": data})
            return await other.call_tool("rotate", {"image": "<image:0>", "degrees": 90})

    result = asyncio.run(once())
    assert result.is_error
    assert "no images" in result.content[0].text


def test_the_self_test_passes_only_for_who_reads_the_picture(world, monkeypatch):
    drawn = Challenge.draw()
    monkeypatch.setattr(Challenge, "draw", classmethod(lambda cls: drawn))

    async def use(client):
        shown = await client.call_tool("self_test", {})
        right = await client.call_tool("self_test", {"answer": drawn.number})
        again = await client.call_tool("self_test", {"answer": drawn.number})
        await client.call_tool("self_test", {})
        wrong = await client.call_tool("self_test", {"answer": "a picture of a number"})
        return shown, right, again, wrong

    shown, right, again, wrong = in_session(world, use)
    assert kinds(shown) == ["text", "image"]
    assert drawn.number not in shown.content[0].text
    assert not right.is_error
    assert again.is_error  # one answer for each picture
    assert wrong.is_error
    assert "did not arrive" in wrong.content[0].text


def test_the_number_is_drawn_in_the_picture():
    one, other = Challenge.draw(), Challenge.draw()
    assert one.number != other.number
    assert one.picture != other.picture
    ink = Image.open(io.BytesIO(one.picture)).convert("L").point(lambda v: v < 128).getbbox()
    assert ink is not None
    assert ink[2] - ink[0] > 200


def test_bad_calls_and_failures_are_typed(world):
    async def use(client):
        return [
            await client.call_tool("nonsense", {}),
            await client.call_tool("zoom_in", {"image": "<image:9>"}),
            await client.call_tool("upload_image", {"image": "no base64!"}),
            await client.call_tool("upload_image", {"image": text_of(b"no picture")}),
            await client.call_tool("upload_image", {}),
        ]

    errors = in_session(world, use)
    codes = [result.meta["hopsight/outcome"] for result in errors]
    assert codes == ["unknown_tool", *["invalid_args"] * 4]
    assert all(result.is_error for result in errors)


@pytest.mark.parametrize(
    ("query", "outcome"),
    [
        ("\ud800 river", Outcome.OK),
        (float("nan"), Outcome.INVALID_ARGS),
        ({}, Outcome.INVALID_ARGS),
    ],
)
def test_odd_arguments_are_typed(world, query, outcome):
    desk = Desks(setting(world), 1, 60.0).at("")
    assert asyncio.run(desk.call("web_search", {"query": query})).outcome is outcome


def test_a_failing_backend_is_an_error_in_the_session(world):
    failing = tool_setting(Workbench(Failing(ProviderError("it is down", "x"))), world.images)

    async def once():
        async with Client(mcp_server(Desks(failing, 1, 60), lambda _: "", 1_000)) as client:
            return await client.call_tool("web_search", {"query": "a"})

    result = asyncio.run(once())
    assert result.is_error
    assert result.meta["hopsight/outcome"] == "transient"
    assert "it is down" in result.content[0].text


def noise(width: int, height: int) -> bytes:
    buffer = io.BytesIO()
    grain = np.random.default_rng(1).integers(0, 256, (height, width, 3), np.uint8)
    Image.fromarray(grain).save(buffer, "JPEG", quality=90)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("width", "height", "heavy"),
    [(1_700, 1_000, True), (1_200, 1_200, True), (1_700, 20, False)],
)
def test_a_picture_of_many_bytes_or_pixels_is_shrunk_for_the_client_alone(
    world, width, height, heavy
):
    sent = noise(width, height)
    assert (len(sent) > MAX_BLOCK_BYTES) is heavy

    async def use(client):
        return await client.call_tool("upload_image", {"image": text_of(sent)})

    result = in_session(world, use)
    assert f"{width}×{height}" in result.content[2].text
    assert len(base64.b64decode(result.content[1].data)) <= MAX_BLOCK_BYTES
    assert max(pixels(result.content[1]).size) <= 1_568


def test_an_upload_of_too_many_bytes_is_an_invalid_argument(world):
    sent = noise(64, 64)

    async def use(client):
        return await client.call_tool("upload_image", {"image": text_of(sent)})

    result = in_session(world, use, max_picture_bytes=len(sent) - 3)
    assert result.is_error
    assert result.meta["hopsight/outcome"] == "invalid_args"
    assert not in_session(world, use, max_picture_bytes=len(sent)).is_error


def test_idle_sessions_end_with_their_pictures_and_their_number_is_bounded(world):
    now = 0.0
    desks = Desks(setting(world), 2, 10.0, lambda: now)
    first = desks.at("a")
    desks.at("b")
    with pytest.raises(ToolError) as refused:
        desks.at("c")
    assert refused.value.outcome is Outcome.TRANSIENT
    now = 9.0
    assert desks.at("a") is first
    now = 15.0
    desks.sweep()
    assert len(desks) == 1
    now = 30.0
    assert desks.at("a") is not first
    desks.close("a")
    assert len(desks) == 0


def test_an_idle_session_is_ended_by_the_server(world):
    async def use(client):
        await client.call_tool("web_search", {"query": "Alda"})
        await asyncio.sleep(0.6)
        with pytest.raises(MCPError):
            await client.call_tool("web_search", {"query": "Alda"})

    in_session(world, use, session_idle_s=0.2)


def test_a_stream_that_would_stay_open_is_refused(world):
    async def once():
        app = app_of(world)
        async with client_of(app) as client:
            return await client.get("/mcp", headers={"accept": "text/event-stream"})

    assert asyncio.run(once()).status_code == 405


def test_a_call_without_a_session_is_told_to_open_one(world):
    async def once():
        async with listening(app_of(world)) as url:
            transport = streamable_http_client(f"{url}/mcp")
            async with Client(transport, mode="2026-07-28") as client:
                with pytest.raises(MCPError, match="initialize"):
                    await client.call_tool("web_search", {"query": "Alda"})

    asyncio.run(once())


def test_sessions_and_several_workers_do_not_go_together(world):
    with pytest.raises(ConfigError, match="one process"):
        create_app(served(world), ServeSettings(mcp=True, workers=2))
    with pytest.raises(ConfigError, match="nothing to search"):
        open_bench(Served())
