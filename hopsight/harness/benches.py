"""Opening the workbench of a process."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from hopsight.harness.backends.local import LocalBackend
from hopsight.harness.workbench import Workbench


@asynccontextmanager
async def local_bench(folder: Path) -> AsyncIterator[Workbench]:
    """Searches and pages of the snapshot whose index lies in `folder`, and no engine."""
    yield Workbench(LocalBackend(folder))
