"""What a program may use, how it may end, and what it gives back."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Exit(StrEnum):
    """How a program ended."""

    OK = "ok"
    ERROR = "error"
    """It raised an exception or left with a status other than 0."""
    TIMEOUT = "timeout"
    """It used up its CPU seconds or its wall-clock time."""
    MEMORY = "memory"
    """It asked for more memory than it may have."""
    OUTPUT_LIMIT = "output_limit"
    """It printed more than it may."""
    DISK_LIMIT = "disk_limit"
    """It was ended for its many files or bytes; where file systems are bounded it gets an error."""
    KILLED = "killed"
    """It crashed, or the system ended it."""


@dataclass(frozen=True, slots=True)
class SandboxLimits:
    """Bounds of one program. Sizes in bytes, times in seconds.

    `memory_bytes` is address space, of which Python, numpy and Pillow take about 250 MiB.
    `disk_bytes` and `max_files` hold for all that it writes, `output_bytes` for each of stdout and
    stderr, `picture_bytes` for all pictures that are brought in.
    """

    cpu_seconds: int = 10
    wall_seconds: float = 20.0
    memory_bytes: int = 1 << 30
    disk_bytes: int = 64 << 20
    max_files: int = 256
    max_threads: int = 16
    output_bytes: int = 20_000
    max_pictures: int = 8
    picture_bytes: int = 32 << 20


@dataclass(frozen=True, slots=True)
class SandboxResult:
    """What a program gave. All of it is untrusted: `pictures` are bytes that claim to be pictures.

    `left_out` tells what lay in `out/` and was not brought in, with the reason.
    """

    stdout: str
    stderr: str
    exit: Exit
    pictures: tuple[bytes, ...]
    left_out: tuple[str, ...]
    seconds: float


class PythonSandbox(Protocol):
    """Runs programs that a model wrote, each in a fresh sandbox."""

    async def run(
        self, code: str, pictures: Mapping[str, bytes], limits: SandboxLimits = ...
    ) -> SandboxResult:
        """Run a program that finds `pictures`, by file name, read-only in `images/`.

        Raises ProviderError where the sandbox itself fails, ValueError for a name that is none.
        """
        ...
