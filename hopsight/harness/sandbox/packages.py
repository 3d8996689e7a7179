"""The packages that a program may import beside the standard library.

Only these folders are made readable. All of site-packages would hold Hopsight itself, with the
facts from which its mini world's questions are made.
"""

import importlib.util
from pathlib import Path
from typing import Final

_NAMES: Final = ("numpy", "PIL")
_LIBRARIES: Final = ("numpy.libs", "pillow.libs", "Pillow.libs")


def folders() -> list[str]:
    """Folders of the packages and of the libraries that come with them."""
    found = [Path(path) for name in _NAMES for path in _locations(name)]
    beside = [package.parent / name for package in found for name in _LIBRARIES]
    return sorted({str(path.resolve()) for path in [*found, *beside] if path.is_dir()})


def _locations(name: str) -> list[str]:
    spec = importlib.util.find_spec(name)
    return list(spec.submodule_search_locations or ()) if spec is not None else []
