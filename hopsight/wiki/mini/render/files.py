"""File pages: who made a picture, and under which licence it may be used."""

from collections.abc import Sequence
from typing import Protocol

from hopsight.wiki.mini.render.page import FILE, Page


class PictureLike(Protocol):
    """What a file page needs to know of a picture."""

    @property
    def file(self) -> str:
        """Opaque file name."""
        ...

    @property
    def title(self) -> str:
        """The page that it belongs to."""
        ...

    @property
    def license(self) -> str:
        """Licence, by its short name."""
        ...

    @property
    def author(self) -> str:
        """Who made it."""
        ...


def file_pages(pictures: Sequence[PictureLike]) -> list[Page]:
    """One page a picture. The description is the same for all: it tells nothing of the picture."""
    return [
        Page(
            f"File:{picture.file}",
            FILE,
            "== Summary ==\n{{Information\n| description = A drawing for an article\n"
            f"| source = Own work\n| author = {picture.author}\n"
            f"| permission = {picture.license}\n}}}}\n\n== Licensing ==\n{{{{Cc-zero}}}}\n",
        )
        for picture in sorted(pictures, key=lambda picture: picture.file)
    ]
