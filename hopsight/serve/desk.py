"""One client's place at the MCP server: its image bank, and the pictures that only it holds."""

import asyncio
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from hopsight.errors import Outcome, PictureError, ToolError
from hopsight.harness.bank import ImageBank, Pictures
from hopsight.harness.execute import execute, written
from hopsight.harness.render import handle, neutralise, parts
from hopsight.harness.setting import Setting
from hopsight.serve.self_test import Challenge
from hopsight.store.images import picture_ref
from hopsight.types import ImageRef, ToolCall

MAX_HELD_BYTES: Final = 256 << 20
"""Of pictures that tools made or the client sent, for each session."""

UNKNOWN: Final = "unknown"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call gave: text and handle numbers in reading order, each number a picture."""

    parts: tuple[str | int, ...]
    outcome: Outcome


class HeldPictures:
    """New pictures in memory, until the session ends; those of the index from their store."""

    def __init__(self, base: Pictures, max_bytes: int = MAX_HELD_BYTES) -> None:
        self._base = base
        self._max_bytes = max_bytes
        self._held: dict[str, bytes] = {}
        self._size = 0

    def put(self, data: bytes, source_url: str, license: str, author: str) -> ImageRef:
        """Check and hold a picture. Raises PictureError (unusable, or no room is left)."""
        image = picture_ref(data, source_url, license, author, name="sent")
        if image.sha256 not in self._held:
            if self._size + len(data) > self._max_bytes:
                raise PictureError("this session holds too many pictures", "begin another session")
            self._held[image.sha256] = data
            self._size += len(data)
        return image

    def bytes(self, sha256: str) -> bytes:
        """The bytes of a picture. Raises StoreError where there is none."""
        held = self._held.get(sha256)
        return self._base.bytes(sha256) if held is None else held


class Desk:
    """A session. Its calls may run side by side, as those of one turn of an episode do."""

    def __init__(self, setting: Setting) -> None:
        self._setting = Setting(
            setting.bench, HeldPictures(setting.images), setting.limits, setting.tools
        )
        limits = setting.limits
        self.bank = ImageBank((), self._setting.images, limits.max_images, limits.max_pixels)
        self._calls = 0
        self._challenge: Challenge | None = None

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Answer:
        """Run a tool of the harness. Whatever was asked, the outcome is typed."""
        call = ToolCall(call_id=self._next_id(), name=name, arguments=json.dumps(dict(arguments)))
        timeout = self._setting.limits.tool_timeout_s
        executed = await execute(call, self._setting, self.bank, timeout)
        text, images = written(executed, self.bank, call.call_id)
        return Answer(parts(text, images), executed.result.outcome)

    async def upload(self, data: bytes) -> Answer:
        """Give a picture a handle, and show what arrived of it."""
        try:
            image = await asyncio.to_thread(self._setting.images.put, data, "", UNKNOWN, UNKNOWN)
        except PictureError as error:
            return _refused(Outcome.INVALID_ARGS, error.cause)
        try:
            entry = self.bank.add(image, self._next_id())
        except ToolError as error:
            return _refused(error.outcome, error.message)
        text = f"{handle(entry.handle)} arrived: {image.width}×{image.height} pixels."
        return Answer(parts(text, (entry.handle,)), Outcome.OK)

    def challenge(self) -> Challenge:
        """Draw a new number; the one before counts no more."""
        self._challenge = Challenge.draw()
        return self._challenge

    def check(self, answer: str) -> Answer:
        """Whether the drawn number was read. One try for each picture."""
        challenge, self._challenge = self._challenge, None
        if challenge is None:
            return _refused(Outcome.INVALID_ARGS, "call self_test without an answer first")
        if challenge.passed(answer):
            return Answer(("Right: pictures arrive as pixels.",), Outcome.OK)
        return _refused(
            Outcome.TRANSIENT,
            "wrong number: the picture did not arrive as pixels. Trust no picture of this session",
        )

    def _next_id(self) -> str:
        self._calls += 1
        return f"call_{self._calls}"


class Desks:
    """The sessions of a process by their ids. Idle ones end; there are never more than `most`."""

    def __init__(
        self,
        setting: Setting,
        most: int,
        idle_s: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.setting = setting
        self._most = most
        self._idle_s = idle_s
        self._clock = clock
        self._desks: dict[str, tuple[Desk, float]] = {}

    def __len__(self) -> int:
        return len(self._desks)

    def at(self, session: str) -> Desk:
        """The desk of a session, made when it first calls. Raises ToolError where all are taken."""
        self.sweep()
        desk = self._desks[session][0] if session in self._desks else self._new()
        self._desks[session] = desk, self._clock()
        return desk

    def close(self, session: str) -> None:
        """End a session, and let go of its pictures."""
        self._desks.pop(session, None)

    def sweep(self) -> None:
        """End the sessions that have been idle for too long."""
        last = self._clock() - self._idle_s
        for session in [name for name, (_, used) in self._desks.items() if used < last]:
            del self._desks[session]

    def _new(self) -> Desk:
        if len(self._desks) >= self._most:
            raise ToolError(Outcome.TRANSIENT, "too many sessions are open; try again later")
        return Desk(self.setting)


def _refused(outcome: Outcome, message: str) -> Answer:
    return Answer((neutralise(f"Error ({outcome.value}): {message}"),), outcome)


__all__ = ["Answer", "Desk", "Desks", "HeldPictures"]
