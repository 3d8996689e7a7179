"""Running one tool call: arguments checked, failures turned into outcomes, time bounded."""

import asyncio
from dataclasses import dataclass

from hopsight.errors import Outcome, PictureError, ProviderError, ToolError
from hopsight.harness.bank import ImageBank
from hopsight.harness.render import neutralise
from hopsight.harness.setting import Setting
from hopsight.harness.tools import Tool, ToolArgs, ToolResult, parse_args
from hopsight.types import ToolCall, content_hash

ERROR_CHARS = 2_000


@dataclass(frozen=True, slots=True)
class Executed:
    """What a call gave.

    `key` is equal for calls that ask the same, None where the arguments say nothing. `refused`:
    a limit forbade the call, so that it counts neither as an error nor as a success.
    """

    result: ToolResult
    max_chars: int
    key: str | None = None
    refused: bool = False


async def execute(call: ToolCall, setting: Setting, bank: ImageBank, timeout_s: float) -> Executed:
    """Run a call. Whatever the policy wrote, it gets a typed outcome and never an exception.

    Errors that are the user's to mend (StoreError, a bug) do pass.
    """
    tool = setting.tools.get(call.name)
    if tool is None:
        names = ", ".join(setting.tools.names)
        return _failed(Outcome.UNKNOWN_TOOL, f"there is no tool {call.name[:60]!r}; tools: {names}")
    try:
        args = parse_args(tool, call.arguments)
        key = _key(tool, args, bank)
    except ToolError as error:
        return _failed(error.outcome, error.message)
    try:
        async with asyncio.timeout(timeout_s):
            result = await tool.run(args, setting.bench, bank)
    except ToolError as error:
        return _failed(error.outcome, error.message, key)
    except ProviderError as error:
        return _failed(Outcome.TRANSIENT, f"{tool.name} failed: {error.cause}", key)
    except PictureError as error:
        return _failed(Outcome.INVALID_ARGS, f"{tool.name}: {error.cause}", key)
    except TimeoutError:
        return _failed(Outcome.TRANSIENT, f"{tool.name} took too long and was stopped", key)
    return Executed(result, tool.max_chars, key)


def not_run(reason: str) -> Executed:
    """The answer to a call that a limit forbids: no error of the policy's tools."""
    result = ToolResult((f"Not run: {reason}.",), Outcome.NO_OP)
    return Executed(result, ERROR_CHARS, refused=True)


def _failed(outcome: Outcome, message: str, key: str | None = None) -> Executed:
    text = neutralise(f"Error ({outcome.value}): {message}")
    return Executed(ToolResult((text,), outcome), ERROR_CHARS, key)


def _key(tool: Tool, args: ToolArgs, bank: ImageBank) -> str:
    """A picture counts by its bytes: another handle of the same one asks the same."""
    values = args.model_dump(mode="json")
    if "image" in values:
        values["image"] = bank.resolve(values["image"]).image.sha256
    return content_hash([tool.name, values])
