"""One program to run: its text, its pictures and its limits."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Job:
    """What a worker gets. Sizes in bytes, times in seconds."""

    code: str
    files: tuple[tuple[str, bytes], ...]
    cpu_seconds: int
    wall_seconds: float
    memory_bytes: int
    disk_bytes: int
    max_files: int
    max_threads: int
    output_bytes: int
    max_pictures: int
    picture_bytes: int

    @classmethod
    def received(cls, header: dict[str, Any], parts: list[bytes]) -> "Job":
        """From a message of Hopsight."""
        code, *data = parts
        files = tuple(zip(header["names"], data, strict=True))
        return cls(code.decode(), files, **header["limits"])

    def write_files(self, folder: str) -> None:
        """Lay down the pictures; nobody may change them."""
        for name, data in self.files:
            path = Path(folder, name)
            path.write_bytes(data)
            path.chmod(0o444)
        os.chmod(folder, 0o555)  # noqa: S103, PTH101 - readable by the program, writable by none
