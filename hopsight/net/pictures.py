"""The picture in an answer, as one still PNG, JPEG or WebP; what cannot be one is a reason."""

import io
from typing import Final

from PIL import Image

from hopsight.errors import PictureError
from hopsight.net.address import shown
from hopsight.net.answer import Fetched
from hopsight.net.kinds import PICTURES
from hopsight.store.images import MAX_BYTES, MAX_PIXELS, UNREADABLE, inspect_picture

_STILL: Final = frozenset({"PNG", "JPEG", "WEBP"})
_FORMATS: Final = ("PNG", "JPEG", "WEBP", "GIF")
_JPEG_QUALITY: Final = 92
_MOST_SCANS: Final = 100
_MOST_TEXTS: Final = 16


def picture_of(fetched: Fetched) -> bytes:
    """PNG, JPEG and WebP bytes as they came; the first picture of what moves or holds several.

    An animation (GIF, APNG, WebP) becomes a PNG, several photographs in one JPEG a plain JPEG.
    Raises PictureError for other types (SVG, which is a program), for what cannot be read, and for
    more than MAX_BYTES or MAX_PIXELS. It decodes the picture: call it beside the event loop.
    """
    name = shown(fetched.url)
    if not fetched.ok:
        raise PictureError(f"{name} answered with status {fetched.status}", "give another address")
    if fetched.mime == "image/svg+xml":
        raise PictureError(
            f"{name} is an SVG drawing, which is not drawn here",
            "give a PNG, JPEG or WebP made of it",
        )
    if fetched.mime not in PICTURES:
        raise PictureError(f"{name} is {fetched.mime}, no picture", "give a PNG, JPEG or WebP")
    if len(fetched.body) > MAX_BYTES:
        raise PictureError(
            f"{name} has {len(fetched.body)} bytes", f"give a picture of at most {MAX_BYTES}"
        )
    laborious = _laborious(fetched.body)
    if laborious:
        raise PictureError(f"{name} {laborious}", "give the picture as a program saves it")
    try:
        still = _still(fetched.body, name)
    except UNREADABLE as error:
        raise PictureError(
            f"{name} cannot be read ({type(error).__name__}: {error})",
            "give a sound PNG, JPEG or WebP",
        ) from error
    if still is None:
        inspect_picture(fetched.body, name)
        return fetched.body
    return still


def _laborious(data: bytes) -> str:
    """What makes a small file cost minutes or a lot of memory before its pixels are known."""
    # Inside the pixels of a JPEG, 0xFF is always followed by a zero.
    if data.startswith(b"\xff\xd8") and data.count(b"\xff\xda") > _MOST_SCANS:
        return f"has more than {_MOST_SCANS} scans"
    if data.startswith(b"\x89PNG") and _packed_texts(data) > _MOST_TEXTS:
        return f"has more than {_MOST_TEXTS} packed texts"
    return ""


def _packed_texts(data: bytes) -> int:
    """How many chunks of a PNG Pillow unpacks as texts, each up to a mebibyte."""
    number, place = 0, 8
    while place + 12 <= len(data) and number <= _MOST_TEXTS:
        number += data[place + 4 : place + 8] in {b"zTXt", b"iTXt"}
        place += 12 + int.from_bytes(data[place : place + 4], "big")
    return number


def _still(data: bytes, name: str) -> bytes | None:
    """The first picture of several, encoded anew; None where there is only one, to be kept."""
    with Image.open(io.BytesIO(data), formats=_FORMATS) as image:
        if image.width * image.height > MAX_PIXELS:
            raise PictureError(
                f"{name} is {image.width}x{image.height}",
                f"give a picture of at most {MAX_PIXELS:,} pixels",
            )
        if image.format in _STILL and not getattr(image, "is_animated", False):
            return None
        return _encoded(image, photograph=image.format == "MPO")


def _encoded(image: Image.Image, *, photograph: bool) -> bytes:
    out = io.BytesIO()
    if photograph:
        image.convert("RGB").save(out, "JPEG", quality=_JPEG_QUALITY, exif=image.getexif())
    else:
        see_through = "transparency" in image.info or image.mode in {"RGBA", "LA", "PA"}
        image.convert("RGBA" if see_through else "RGB").save(out, "PNG", compress_level=1)
    return out.getvalue()
