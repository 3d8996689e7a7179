"""Landlock and seccomp without namespaces: the strict fallback of bare containers.

Files lie in an ordinary folder, which no mount bounds: a watch looks at it every few milliseconds
and ends a program that makes too much. Nothing can be removed there and no file is unnamed, so
that the watch sees all there is. There are no threads, since their number cannot be bounded for
an ordinary user.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from hopsight.harness.sandbox.inside import landlock, roots, seccomp
from hopsight.harness.sandbox.inside.job import Job

_BLOCK = 512


@dataclass(frozen=True, slots=True)
class Restricted:
    """The machine's own root, of which little can be reached. `home` is an empty folder."""

    packages: tuple[str, ...]
    home: str

    @property
    def user(self) -> None:
        """Whoever started it, without capabilities: another user may not reach the interpreter."""
        return

    @property
    def search_path(self) -> tuple[str, ...]:
        """Where the packages are found."""
        return tuple(dict.fromkeys(str(Path(path).parent) for path in self.packages))

    def enter(self) -> None:
        """Make the folders. Raises OSError where the kernel has no Landlock that suffices."""
        if landlock.version() < landlock.MIN_VERSION:
            raise OSError(f"Landlock {landlock.version()} of {landlock.MIN_VERSION}")
        for name in ("images", "out", "tmp"):
            Path(self.home, name).mkdir()

    def fill(self, job: Job) -> None:
        """Lay down the pictures."""
        job.write_files(f"{self.home}/images")

    def confine(self) -> None:
        """The last step, in the child."""
        landlock.restrict(self._rights())
        seccomp.install(os.getpid(), own_files=False)

    def overrun(self, job: Job) -> bool:
        """Whether the program made more files or bytes than it may."""
        entries = used = 0
        for folder, names, files in os.walk(self.home):
            entries += len(names) + len(files)
            used += sum(_bytes(f"{folder}/{name}") for name in files)
            if entries > job.max_files + len(job.files):
                return True
        return used > job.disk_bytes + sum(len(data) + _BLOCK * 8 for _, data in job.files)

    def _rights(self) -> list[tuple[str, int]]:
        rights = [(path, landlock.READ) for path in (*roots.libraries(), *self.packages)]
        rights = [each for each in rights if each[0] not in _with_packages()]
        for folder in (*roots.standard_library(), *_with_packages()):
            # Rights hold for all below: what is hidden must not be below anything readable.
            rights.append((folder, landlock.LIST))
            rights += _children(folder)
        rights += [(path, landlock.LIST) for path in self.search_path]
        rights += [(path, landlock.READ_FILE) for path in roots.loader_files() if _is_file(path)]
        rights += [(path, landlock.DEVICE) for path in roots.DEVICES]
        rights += [(str(Path(self.home, name)), landlock.WRITE) for name in ("out", "tmp")]
        return [*rights, (f"{self.home}/images", landlock.READ), (self.home, landlock.LIST)]


def _with_packages() -> set[str]:
    """Library folders that hold the standard library, and packages with it."""
    parents = {str(parent) for path in roots.standard_library() for parent in Path(path).parents}
    return {path for path in roots.libraries() if path in parents}


def _children(folder: str) -> list[tuple[str, int]]:
    """All in a folder but what is hidden, and but the standard library, which is listed itself."""
    skip = set(roots.standard_library())
    with os.scandir(folder) as entries:
        return [
            (entry.path, landlock.READ if entry.is_dir() else landlock.READ_FILE)
            for entry in entries
            if entry.name not in roots.HIDDEN and entry.path not in skip
        ]


def _is_file(path: str) -> bool:
    return Path(path).is_file()


def _bytes(path: str) -> int:
    try:
        return os.lstat(path).st_blocks * _BLOCK
    except FileNotFoundError:
        return 0
