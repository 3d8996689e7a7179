"""Whether the pictures of a row are sound, and what they look like."""

import io
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from PIL import Image

from curation.audit.item import Finding, Item
from hopsight.errors import PictureError
from hopsight.imaging.hashes import difference_hash
from hopsight.store.images import MAX_BYTES, MAX_PIXELS, UNREADABLE
from refine.imported.pictures import folder_bytes
from refine.imported.references import Held, OnWeb, Reference
from refine.imported.seed import BadRow

GATE: Final = "picture"
PLAIN: Final = 0
"""The hash of what is not looked at: it is like no other."""

MOST_ASPECT: Final = 200
"""Image processors of the Qwen-VL family refuse a side that is longer than this many others."""

FEWEST_PX: Final = 28
"""One patch of them: what is smaller is blown up."""

_FORMATS: Final = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF")


@dataclass(frozen=True, slots=True)
class Seen:
    """A picture of a row: its bytes' hash and its perceptual one; `url` where it is an address."""

    sha256: str
    look: int
    url: str = ""


def seen_pictures(item: Item, folder: Path) -> tuple[tuple[Seen, ...], tuple[Finding, ...]]:
    """The pictures of a row that can be had, and what is wrong with any of them.

    An address is not asked: it is a picture that was not seen. A picture that is missing or broken
    is not among them.
    """
    seen: list[Seen] = []
    findings: list[Finding] = []
    for number, reference in enumerate(item.pictures, start=1):
        if isinstance(reference, OnWeb):
            seen.append(Seen(f"url:{reference.url}", PLAIN, reference.url))
            continue
        faults = list(_looked_at(reference, folder, seen))
        findings += [
            Finding(item.row, GATE, reason, f"picture {number}: {detail}")
            for reason, detail in faults
        ]
    return tuple(seen), tuple(findings)


def _looked_at(reference: Reference, folder: Path, seen: list[Seen]) -> Iterator[tuple[str, str]]:
    try:
        data = _bytes(reference, folder)
    except BadRow as error:
        yield error.reason, error.detail
        return
    faults = list(picture_faults(data))
    yield from faults
    if not {"picture_unreadable", "picture_too_large"} & {reason for reason, _ in faults}:
        seen.append(Seen(sha256(data).hexdigest(), _look(data)))


def picture_faults(data: bytes) -> Iterator[tuple[str, str]]:
    """What is wrong with the bytes of a picture: unreadable, too large, odd, tiny, moving."""
    if len(data) > MAX_BYTES:
        yield "picture_too_large", f"more than {MAX_BYTES >> 20} MiB"
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data), formats=_FORMATS) as image:
                width, height = image.size
                if width * height > MAX_PIXELS:
                    yield "picture_too_large", f"{width}×{height} pixels"
                    return
                frames = getattr(image, "n_frames", 1)
                if frames > 1 and image.format != "MPO":
                    yield "picture_animated", f"{frames} frames"
                image.load()
    except UNREADABLE as error:
        yield "picture_unreadable", f"{type(error).__name__}: {error}"[:200]
        return
    if max(width, height) > MOST_ASPECT * min(width, height):
        yield "picture_aspect", f"{width}×{height} pixels"
    if min(width, height) < FEWEST_PX:
        yield "picture_tiny", f"{width}×{height} pixels"


def _look(data: bytes) -> int:
    try:
        return difference_hash(data)
    except PictureError:  # of a kind that is sound and not compared: GIF, BMP, TIFF
        return PLAIN


def _bytes(reference: Reference, folder: Path) -> bytes:
    if isinstance(reference, Held):
        return reference.data
    assert not isinstance(reference, OnWeb)
    return folder_bytes(folder, reference.path)
