"""Work that is soon done: each item becomes its own name, and a line tells that it was begun."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from hopsight.budget import BudgetExceeded
from hopsight.errors import ConfigError
from hopsight.llm.service import ModelSettings


@dataclass(frozen=True)
class Echo:
    """Items are names. What stands before a colon is done to the worker: see `_do`."""

    folder: Path
    closed: bool = False
    models: ModelSettings = field(default_factory=ModelSettings.of_rules)

    def key(self, item: str) -> str:
        return f"key of {item}"

    def is_done(self, record: bytes) -> bool:
        return not record.startswith(b"lost")

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Callable[[str], Awaitable[bytes]]]:
        if self.closed:
            raise ConfigError("the index is missing", "build it")
        self.note("opened")
        yield self._do
        self.note("closed")

    async def _do(self, item: str) -> bytes:
        self.note(f"begun {item}")
        what, _, _ = item.partition(":")
        flag = self.folder / f"{item}.flag"
        if what == "die" or (what == "die once" and not flag.exists()):
            flag.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        if what == "wait":
            await asyncio.sleep(0.2)
        if what == "hang":
            await asyncio.sleep(3600)
        if what == "refuse":
            raise BudgetExceeded("nothing is left", "raise it")
        if what == "bug":
            raise ZeroDivisionError("a bug")
        await asyncio.sleep(0)
        self.note(f"ended {item}")
        return f"{item} done".encode()

    def note(self, line: str) -> None:
        """One line, whole, whoever else writes."""
        handle = os.open(self.folder / "notes", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(handle, f"{line}\n".encode())
        os.close(handle)

    def notes(self, kind: str) -> list[str]:
        """What stands behind one kind of line."""
        lines = self.all_notes()
        return [line.removeprefix(kind).strip() for line in lines if line.startswith(kind)]

    def all_notes(self) -> list[str]:
        """Every line, in the order of writing."""
        path = self.folder / "notes"
        return path.read_text().splitlines() if path.exists() else []
