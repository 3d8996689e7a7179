"""The harness's tools over MCP: text and image blocks, every picture beside its handle."""

import base64
import io
from collections.abc import Callable
from importlib.metadata import version
from typing import Any, Final

from mcp import types
from mcp.server.lowlevel import Server
from PIL import Image

from hopsight.errors import Outcome, PictureError, ToolError
from hopsight.harness.bank import encode
from hopsight.harness.policy import ToolSpec
from hopsight.search.pixels import open_picture
from hopsight.serve.desk import Answer, Desk, Desks
from hopsight.serve.wire import picture_bytes
from hopsight.store.images import mime_of

UPLOAD: Final = "upload_image"
SELF_TEST: Final = "self_test"
MAX_BLOCK_SIDE: Final = 1_568
MAX_BLOCK_BYTES: Final = 700_000
"""Clients cut results of about a megabyte, and base64 takes a third more."""

INSTRUCTIONS: Final = (
    "Search words and pictures, read pages, look closely at pictures. Every picture you are shown "
    f"has a handle such as <image:0>, which any tool takes as `image`. Bring your own with "
    f"{UPLOAD}. Call {SELF_TEST} once to be sure that you see pictures and not a stand-in for them."
)

_OWN: Final = (
    types.Tool(
        name=UPLOAD,
        description="Give the tools a picture of yours; it gets a handle, and you see what came.",
        input_schema={
            "type": "object",
            "properties": {
                "image": {"type": "string", "description": "PNG, JPEG or WebP file as base64"}
            },
            "required": ["image"],
            "additionalProperties": False,
        },
    ),
    types.Tool(
        name=SELF_TEST,
        description="Check that pictures reach you as pixels: without `answer` you are shown a "
        "number, then call it again with the number you see.",
        input_schema={
            "type": "object",
            "properties": {
                "answer": {"type": "string", "maxLength": 40, "description": "The number you see"}
            },
            "additionalProperties": False,
        },
    ),
)

SessionOf = Callable[[Any], str]
"""The id of the session that a request's context belongs to. Raises MCPError where none does."""


def mcp_server(desks: Desks, session_of: SessionOf, max_picture_bytes: int) -> "Server[Any]":
    """The server; a transport is put under it (`mcp_http`, or standard input and output)."""

    async def list_tools(_: Any, __: Any) -> types.ListToolsResult:
        offered = [_tool(spec) for spec in desks.setting.tools.specs]
        return types.ListToolsResult(tools=[*offered, *_OWN])

    async def call_tool(context: Any, asked: types.CallToolRequestParams) -> types.CallToolResult:
        session = session_of(context)
        try:
            desk = desks.at(session)
            return await _called(desk, asked.name, asked.arguments or {}, max_picture_bytes)
        except ToolError as error:
            return _result([error.message], error.outcome)

    return Server(
        "hopsight",
        version=version("hopsight"),
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def _called(
    desk: Desk, name: str, arguments: dict[str, Any], max_picture_bytes: int
) -> types.CallToolResult:
    if name == UPLOAD:
        return _shown(desk, await desk.upload(_sent(arguments, max_picture_bytes)))
    if name != SELF_TEST:
        return _shown(desk, await desk.call(name, arguments))
    answer = arguments.get("answer")
    if answer is not None:
        return _shown(desk, desk.check(str(answer)[:40]))
    picture = _block(desk.challenge().picture)
    told = f"Call {SELF_TEST} again with the number in this picture as `answer`."
    return _result([told, picture], Outcome.OK)


def _sent(arguments: dict[str, Any], max_bytes: int) -> bytes:
    image = arguments.get("image")
    if not isinstance(image, str):
        raise ToolError(Outcome.INVALID_ARGS, f"{UPLOAD}: give the picture as base64 in `image`")
    try:
        return picture_bytes(image, max_bytes)
    except PictureError as error:
        raise ToolError(Outcome.INVALID_ARGS, f"{UPLOAD}: {error.cause}") from error


def _shown(desk: Desk, answer: Answer) -> types.CallToolResult:
    blocks = [
        _block(desk.bank.pixels(part)) if isinstance(part, int) else part for part in answer.parts
    ]
    return _result(blocks, answer.outcome)


def _result(blocks: "list[str | types.ImageContent]", outcome: Outcome) -> types.CallToolResult:
    # No structured content: clients show it in place of the blocks, and the pictures are lost.
    content = [
        types.TextContent(type="text", text=block) if isinstance(block, str) else block
        for block in blocks
    ]
    return types.CallToolResult(
        content=content,
        is_error=outcome.counts_as_error,
        _meta={"hopsight/outcome": outcome.value},
    )


def _block(data: bytes) -> types.ImageContent:
    """A picture as it is sent; a large one is shrunk, while its handle keeps all its pixels."""
    mime = mime_of(data)
    image = None
    if len(data) > MAX_BLOCK_BYTES or max(_size(data)) > MAX_BLOCK_SIDE:
        image = open_picture(data)
        image.thumbnail((MAX_BLOCK_SIDE, MAX_BLOCK_SIDE))
        data, mime = encode(image, "JPEG"), "image/jpeg"
    while image is not None and len(data) > MAX_BLOCK_BYTES:
        image = image.resize((max(1, image.width * 3 // 4), max(1, image.height * 3 // 4)))
        data = encode(image, "JPEG")
    return types.ImageContent(
        type="image", data=base64.b64encode(data).decode("ascii"), mime_type=mime
    )


def _size(data: bytes) -> tuple[int, int]:
    with Image.open(io.BytesIO(data)) as image:
        return image.size


def _tool(spec: ToolSpec) -> types.Tool:
    return types.Tool(name=spec.name, description=spec.description, input_schema=dict(spec.schema))
