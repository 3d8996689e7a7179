"""The files of an export before they are scanned: the same as last time, and of one wiki?"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from hopsight.errors import SourceError
from hopsight.wiki.scan.records import SourceFile
from hopsight.wiki.scan.streams import AGAIN, FETCH, head_of

_HEAD: Final = b"<mediawiki"
_SITE_END: Final = b"</siteinfo>"


def source_file(path: Path) -> SourceFile:
    """How a file is known again. Raises SourceError if it cannot be read."""
    try:
        return SourceFile.of(path)
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}", AGAIN) from error


def site_head(paths: Sequence[Path]) -> bytes:
    """The head of the export, closed: an export without pages.

    Raises SourceError if a file is no export or its parts are not of one wiki.
    """
    heads = [_checked_head(path) for path in paths]
    for path, head in zip(paths, heads, strict=True):
        if _site_part(head) != _site_part(heads[0]):
            raise SourceError(
                f"{path} is of another wiki than {paths[0]}: its siteinfo differs",
                "give only the part files of one export",
            )
    return heads[0] + b"</mediawiki>"


def _site_part(head: bytes) -> bytes:
    return head[head.find(b"<siteinfo") :].strip() if b"<siteinfo" in head else b""


def _checked_head(path: Path) -> bytes:
    head = head_of(path)
    start = head.find(_HEAD)
    if start < 0 or (b"<siteinfo" in head and _SITE_END not in head):
        raise SourceError(
            f"{path} is no MediaWiki export in UTF-8: it does not start as one",
            FETCH,
        )
    end = head.find(_SITE_END)
    stop = end + len(_SITE_END) if end >= 0 else head.find(b">", start) + 1
    return head[start:stop]
