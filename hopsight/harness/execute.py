"""Running one tool call: arguments checked, failures turned into outcomes, time bounded."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from hopsight.errors import Outcome, PictureError, ProviderError, ToolError
from hopsight.harness.bank import ImageBank
from hopsight.harness.guard import LeakGuard
from hopsight.harness.render import clip, handle, neutralise
from hopsight.harness.setting import Setting
from hopsight.harness.tools import NewPicture, Piece, Tool, ToolArgs, ToolResult, parse_args
from hopsight.harness.workbench import Workbench
from hopsight.net import BlockedAddress
from hopsight.types import ToolCall, content_hash

ERROR_CHARS = 2_000


@dataclass(frozen=True, slots=True)
class Executed:
    """What a call gave.

    `key` is equal for calls that ask the same, None where the arguments say nothing. `refused`:
    a limit forbade the call, so that it counts neither as an error nor as a success. `blocked` is
    the rule that forbade what the call went for.
    """

    result: ToolResult
    max_chars: int
    key: str | None = None
    refused: bool = False
    blocked: str | None = None


async def execute(
    call: ToolCall,
    setting: Setting,
    bank: ImageBank,
    timeout_s: float,
    guard: LeakGuard | None = None,
) -> Executed:
    """Run a call. Whatever the policy wrote, it gets a typed outcome and never an exception.

    `guard` looks at what comes back: a page that holds the question with its answer is not shown.

    Errors that are the user's to mend (StoreError, a bug) do pass.
    """
    try:
        asked = setting.tools.calls(call, bank)
    except ToolError as error:
        return _failed(error.outcome, error.message)
    if len(asked) > setting.limits.max_calls_per_turn:
        most = setting.limits.max_calls_per_turn
        return _failed(Outcome.INVALID_ARGS, f"{len(asked)} things in one call; at most {most}")
    done = [
        await _execute(tool, arguments, setting, bank, timeout_s, guard)
        for tool, arguments in asked
    ]
    return done[0] if len(done) == 1 else _together(done)


async def _execute(
    tool: Tool,
    arguments: str,
    setting: Setting,
    bank: ImageBank,
    timeout_s: float,
    guard: LeakGuard | None,
) -> Executed:
    try:
        args = parse_args(tool, arguments)
        key = _key(tool, args, bank)
    except ToolError as error:
        return _failed(error.outcome, error.message)
    rule = forbidden(args, setting.bench)
    if rule is not None:
        return _blocked(f"{tool.name}: this source is blocked", rule, key)
    try:
        async with asyncio.timeout(timeout_s):
            result = await tool.run(args, setting.bench, bank)
    except ToolError as error:
        return _failed(error.outcome, error.message, key)
    except BlockedAddress as error:
        return _blocked(f"{tool.name}: {error.cause}", error.rule or "address", key)
    except ProviderError as error:
        return _failed(Outcome.TRANSIENT, f"{tool.name} failed: {error.cause}", key)
    except PictureError as error:
        return _failed(Outcome.INVALID_ARGS, f"{tool.name}: {error.cause}", key)
    except TimeoutError:
        return _failed(Outcome.TRANSIENT, f"{tool.name} took too long and was stopped", key)
    leak = guard.leaks(result.text) if guard is not None else None
    if leak is not None:
        return _blocked(f"{tool.name}: this source may not be used for this question", leak, key)
    return Executed(result, tool.max_chars, key)


def forbidden(args: ToolArgs, bench: Workbench) -> str | None:
    """The rule of the blocklist that an argument goes against: an address, a query, a program."""
    texts = [value for value in args.model_dump().values() if isinstance(value, str)]
    return next(filter(None, map(bench.blocklist.blocks, texts)), None)


def written(executed: Executed, bank: ImageBank, call_id: str) -> tuple[str, tuple[int, ...]]:
    """Register the pictures of a result; its text within its bound, and their handles in order.

    A picture that the bank has no room for is left out, which the text says.
    """
    room = executed.max_chars
    text: list[str] = []
    images: list[int] = []
    for piece in executed.result.pieces:
        if isinstance(piece, NewPicture):
            text.append(_registered(piece, bank, call_id, images))
        elif room > 0:
            text.append(clip(piece, room))
            room -= len(piece)
    return "".join(text), tuple(images)


def _registered(piece: NewPicture, bank: ImageBank, call_id: str, images: list[int]) -> str:
    try:
        entry = bank.add(piece.image, call_id, piece.parent, piece.box)
    except ToolError as error:
        return f"[{error.message}]"
    images.append(entry.handle)
    same = "" if entry.same_as is None else f" (the same picture as {handle(entry.same_as)})"
    return f"{handle(entry.handle)}{same}"


def not_run(reason: str) -> Executed:
    """The answer to a call that a limit forbids: no error of the policy's tools."""
    result = ToolResult((f"Not run: {reason}.",), Outcome.NO_OP)
    return Executed(result, ERROR_CHARS, refused=True)


def _failed(outcome: Outcome, message: str, key: str | None = None) -> Executed:
    text = neutralise(f"Error ({outcome.value}): {message}")
    return Executed(ToolResult((text,), outcome), ERROR_CHARS, key)


def _together(done: Sequence[Executed]) -> Executed:
    """One call that asked several things: all that came back; an error counts before success."""
    if not done:
        return _failed(Outcome.INVALID_ARGS, "the call asks for nothing")
    pieces: list[Piece] = []
    for each in done:
        pieces += ["\n\n"] if pieces else []
        pieces += each.result.pieces
    outcomes = [each.result.outcome for each in done]
    errors = [outcome for outcome in outcomes if outcome.counts_as_error]
    outcome = next(iter(errors), Outcome.OK if Outcome.OK in outcomes else outcomes[0])
    keys = [each.key for each in done]
    return Executed(
        ToolResult(tuple(pieces), outcome),
        sum(each.max_chars for each in done),
        None if None in keys else content_hash(keys),
        blocked=next((each.blocked for each in done if each.blocked), None),
    )


def _blocked(message: str, rule: str, key: str | None) -> Executed:
    return replace(_failed(Outcome.BLOCKED, message, key), blocked=rule)


def _key(tool: Tool, args: ToolArgs, bank: ImageBank) -> str:
    """A picture counts by its bytes: another handle of the same one asks the same."""
    values = args.model_dump(mode="json")
    if "image" in values:
        values["image"] = bank.resolve(values["image"]).image.sha256
    return content_hash([tool.name, values])
