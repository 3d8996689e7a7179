"""What of the machine a program may read: the interpreter, its libraries, numpy and Pillow."""

import re
import sys
import sysconfig
from pathlib import Path
from typing import Final

DEVICES: Final = ("/dev/null", "/dev/zero", "/dev/urandom")
HIDDEN: Final = ("site-packages", "dist-packages")
"""Folders below the standard library that may hold Hopsight itself, and with it the answers."""

_LOADER_FILES: Final = ("/etc/ld.so.cache", "/etc/alternatives")
_LIBRARY_PLACES: Final = ("/lib", "/lib64", "/usr/lib", "/usr/lib64")


def standard_library() -> list[str]:
    """The folders of the standard library."""
    paths = sysconfig.get_paths()
    return sorted({paths["stdlib"], paths["platstdlib"]})


def libraries() -> list[str]:
    """Where shared libraries lie: beside the C library, and beside a relocatable interpreter."""
    found = {str(Path(path).parent) for path in _mapped() if re.search(r"/libc[.-]", path)}
    beside = Path(sys.base_prefix, "lib")
    if not str(beside).startswith("/usr/"):
        found.add(str(beside))
    return sorted(found)


def loader_files() -> list[str]:
    """How libraries are found by name."""
    return [path for path in _LOADER_FILES if Path(path).exists()]


def library_links() -> list[tuple[str, str]]:
    """Usual places of libraries that are links here: (place, where it leads)."""
    places = [Path(place) for place in _LIBRARY_PLACES]
    return [(str(place), str(place.readlink())) for place in places if place.is_symlink()]


def _mapped() -> set[str]:
    maps = Path("/proc/self/maps").read_text(encoding="utf-8", errors="surrogateescape")
    return {line.split(maxsplit=5)[5] for line in maps.splitlines() if line.count("/")}
