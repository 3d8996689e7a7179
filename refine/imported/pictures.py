"""Pictures of a row, brought into the image store: from the row, a folder, or what was fetched."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hopsight.errors import HopsightError, PictureError
from hopsight.store.images import MAX_BYTES, ImageStore
from hopsight.types import ImageRef
from refine.imported.references import Held, InFolder, OnWeb, Reference
from refine.imported.seed import BadRow

Opened = Mapping[str, bytes | HopsightError]
"""What became of addresses that were fetched."""


@dataclass(frozen=True, slots=True)
class Credit:
    """What a row says of its pictures: their addresses in order, licence and author."""

    urls: tuple[str, ...]
    license: str
    author: str


@dataclass(frozen=True, slots=True)
class Gallery:
    """Where pictures come from and go to. `opened` is None where no address is fetched."""

    folder: Path
    images: ImageStore

    def keep(
        self, references: list[Reference], credit: Credit, opened: Opened | None
    ) -> tuple[ImageRef, ...]:
        """The pictures of one row, with no byte changed. Raises BadRow, StoreError."""
        kept = []
        urls = credit.urls if len(credit.urls) == len(references) else ("",) * len(references)
        for number, reference in enumerate(references, start=1):
            name, data = self._bytes(reference, opened)
            url = name if isinstance(reference, OnWeb) else urls[number - 1] or name
            try:
                kept.append(self.images.put(data, url, credit.license, credit.author))
            except PictureError as error:
                told = f"picture {number} of {len(references)}: {error.cause}"
                raise BadRow("picture_unreadable", told) from error
        return tuple(kept)

    def _bytes(self, reference: Reference, opened: Opened | None) -> tuple[str, bytes]:
        if isinstance(reference, Held):
            return _printable(reference.name), reference.data
        if isinstance(reference, InFolder):
            return _printable(reference.path), folder_bytes(self.folder, reference.path)
        return _printable(reference.url), _fetched(reference.url, opened)


def folder_bytes(folder: Path, name: str) -> bytes:
    """A file's bytes. What leads out of the folder, by dots or by links, is not opened.

    Of a file of more than MAX_BYTES there is one byte too much. Raises BadRow.
    """
    shown = _printable(name)[:200]
    try:
        root = folder.resolve()
        path = (root / name).resolve()
    except (OSError, ValueError, RuntimeError) as error:
        raise BadRow("picture_missing", f"{shown!r} is no path") from error
    if not path.is_relative_to(root):
        raise BadRow("picture_outside", f"{shown!r} does not lie in the folder of pictures")
    if not path.is_file():
        raise BadRow("picture_missing", f"there is no file {shown!r}")
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise BadRow("picture_missing", f"{shown!r} cannot be read") from error
    return data


def _fetched(url: str, opened: Opened | None) -> bytes:
    shown = _printable(url)[:300]
    if opened is None:
        told = f"{shown} was not asked: pictures on the web are fetched only where that is wanted"
        raise BadRow("picture_not_fetched", told)
    found = opened[url]
    if isinstance(found, PictureError):
        raise BadRow("picture_unreadable", found.cause)
    if isinstance(found, HopsightError):
        raise BadRow("picture_not_fetched", found.cause)
    return found


def _printable(text: str) -> str:
    """A name as it can be told and stored."""
    return "".join(char if char.isprintable() else "?" for char in text)[:2_000]
