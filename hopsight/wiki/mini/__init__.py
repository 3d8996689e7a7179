"""The mini world, a small and true encyclopedia: where its files lie."""

from pathlib import Path
from typing import Final

from hopsight.errors import SourceError

_HERE = Path(__file__).parent

WORLD_XML: Final = _HERE / "world.xml"
"""A MediaWiki export (schema 0.11) of every page."""
PICTURES_DIR: Final = _HERE / "pictures"
"""The pictures, as PNG files."""
PICTURES_JSONL: Final = _HERE / "pictures.jsonl"
"""One line a picture: file, page, size, hash, licence and what the drawing makes certain."""
DATA_DIR: Final = _HERE / "data"
"""The fact tables, one CSV file a kind, from which all of the above is built."""


def mini_world_files() -> tuple[Path, Path, Path]:
    """World, folder of pictures, list of pictures; `SourceError` if one is missing."""
    files = (WORLD_XML, PICTURES_DIR, PICTURES_JSONL)
    for path in files:
        if not path.exists():
            raise SourceError(
                f"the mini world lacks {path.name}",
                "build it with `python -m hopsight.wiki.mini.build`, or install Hopsight again",
            )
    return files
