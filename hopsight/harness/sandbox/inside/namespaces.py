"""A root of its own: the way that holds where Linux grants new namespaces.

The root is a tmpfs of a few entries; the interpreter and the packages are bound into it read-only.
A program's folder is a second tmpfs with a limit on bytes and on files, its pictures lie in a
third that becomes read-only before the program starts. There is no /proc and no /sys.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hopsight.harness.sandbox.inside import kernel, roots, seccomp
from hopsight.harness.sandbox.inside.job import Job

PACKAGES: Final = "/packages"

_ALL: Final = (
    kernel.CLONE_NEWNS
    | kernel.CLONE_NEWPID
    | kernel.CLONE_NEWNET
    | kernel.CLONE_NEWIPC
    | kernel.CLONE_NEWUTS
    | kernel.CLONE_NEWCGROUP
)
_PLAIN: Final = kernel.MS_NOSUID | kernel.MS_NODEV
_NEW_ROOT: Final = "/tmp"  # noqa: S108 - covered by a mount of our own that no one else sees
_ROOT_ENTRIES: Final = 512
_PAGE: Final = 4096
_MIB: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Namespaces:
    """A root, processes, a network and users of its own, all of them empty.

    `packages`: folders of packages that a program may import. `user`: whom a program runs as; None
    where this process is no root, which then needs a user namespace and stays who it is.
    """

    packages: tuple[str, ...]
    user: int | None
    home: str = "/work"

    @property
    def search_path(self) -> tuple[str, ...]:
        """Where the packages are found."""
        return (PACKAGES,)

    def enter(self) -> None:
        """Move into a root of its own; the next child is alone. OSError where Linux refuses."""
        own = os.getuid()
        kernel.unshare(_ALL if self.user is not None else _ALL | kernel.CLONE_NEWUSER)
        if self.user is None:
            kernel.map_own_user()
        kernel.mount("none", "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
        self._build(own if self.user is None else self.user)
        kernel.enter_root(_NEW_ROOT)
        kernel.mount("none", "/", None, kernel.MS_REMOUNT | kernel.MS_RDONLY | _PLAIN)

    def fill(self, job: Job) -> None:
        """Lay down the pictures, close them against writing, and bound the program's folder."""
        folder = f"{self.home}/images"
        size = sum(len(data) for _, data in job.files) + (len(job.files) + 8) * _PAGE
        kernel.mount("images", folder, "tmpfs", _PLAIN, _tmpfs(size, len(job.files) + 8))
        job.write_files(folder)
        kernel.mount("none", folder, None, kernel.MS_REMOUNT | kernel.MS_RDONLY | _PLAIN)
        bounds = f"size={job.disk_bytes},nr_inodes={job.max_files}"
        kernel.mount("none", self.home, None, kernel.MS_REMOUNT | _PLAIN, bounds)

    def confine(self) -> None:
        """The last step, in the child."""
        seccomp.install(os.getpid(), own_files=True)

    def overrun(self, job: Job) -> bool:
        """Never: the file system itself keeps the bounds."""
        return False

    def _build(self, owner: int) -> None:
        sources = self._sources()
        devices = [(os.open(path, os.O_PATH), path) for path in roots.DEVICES]
        links = roots.library_links()
        kernel.mount("root", _NEW_ROOT, "tmpfs", _PLAIN, _tmpfs(_MIB, _ROOT_ENTRIES))
        for place, leads_to in links:
            _inside(place).parent.mkdir(parents=True, exist_ok=True)
            _inside(place).symlink_to(leads_to)
        for source, target in sources:
            _bind(source, target)
            kernel.make_readonly(str(_inside(target)))
        for source, target in devices:
            _bind(source, target)
        for source, _ in [*sources, *devices]:
            os.close(source)
        _hide_packages()
        self._make_home(owner)

    def _sources(self) -> list[tuple[int, str]]:
        """What is bound, opened before the new root hides it, and where it goes."""
        same = [*roots.standard_library(), *roots.libraries(), *roots.loader_files()]
        wanted = {path: path for path in same}
        wanted |= {path: f"{PACKAGES}/{Path(path).name}" for path in self.packages}
        targets = set(wanted.values())
        return [
            (os.open(source, os.O_PATH), target)
            for source, target in wanted.items()
            # A folder that is bound brings along what lies below it.
            if not any(str(parent) in targets for parent in Path(target).parents)
        ]

    def _make_home(self, owner: int) -> None:
        home = _inside(self.home)
        home.mkdir()
        kernel.mount("work", str(home), "tmpfs", _PLAIN, _tmpfs(_MIB, 64))
        for name in ("images", "out", "tmp"):
            Path(home, name).mkdir()
            if name != "images":
                os.chown(home / name, owner, -1)
        temporary = _inside("/tmp")  # noqa: S108 - the program's own
        if not temporary.exists():
            temporary.symlink_to(Path(self.home, "tmp"))


def _bind(source: int, target: str) -> None:
    origin = f"/proc/self/fd/{source}"
    place = _inside(target)
    place.parent.mkdir(parents=True, exist_ok=True)
    if Path(origin).is_dir():
        place.mkdir(exist_ok=True)
    else:
        place.touch()
    kernel.mount(origin, str(place), None, kernel.MS_BIND | kernel.MS_REC)


def _hide_packages() -> None:
    for folder in roots.standard_library():
        for name in roots.HIDDEN:
            place = _inside(f"{folder}/{name}")
            if place.is_dir():
                flags = _PLAIN | kernel.MS_RDONLY
                kernel.mount("hidden", str(place), "tmpfs", flags, _tmpfs(_PAGE, 2))


def _inside(path: str) -> Path:
    return Path(f"{_NEW_ROOT}{path}")


def _tmpfs(size: int, entries: int) -> str:
    return f"size={size},nr_inodes={entries},mode=0755"
