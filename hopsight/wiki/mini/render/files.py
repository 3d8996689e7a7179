"""File pages: who made a picture, and under which licence it may be used."""

from collections.abc import Sequence

from hopsight.wiki.mini.draw import Picture
from hopsight.wiki.mini.render.page import FILE, Page


def file_pages(pictures: Sequence[Picture]) -> list[Page]:
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
