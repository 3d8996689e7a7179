"""Pictures by the hash of their bytes; records hold the hash, never the bytes.

    <root>/images/<first 2 hex digits>/<sha256>.<png|jpg|webp>
    <root>/thumbnails/<pixels>/<first 2 hex digits>/<sha256>.webp

A picture comes from outside: its size is read and bounded before a pixel of it is decoded.
"""

import hashlib
import io
import re
import struct
import warnings
import zlib
from pathlib import Path
from typing import Literal

from PIL import Image

from hopsight.errors import PictureError, StoreError
from hopsight.store.files import storage_errors, write_atomic
from hopsight.types import ImageRef

MAX_PIXELS = 40_000_000
MAX_BYTES = 64 << 20
MAX_THUMBNAIL = 2048

Mime = Literal["image/png", "image/jpeg", "image/webp"]
_FORMATS: dict[str, tuple[Mime, str]] = {
    "PNG": ("image/png", "png"),
    "JPEG": ("image/jpeg", "jpg"),
    "WEBP": ("image/webp", "webp"),
}
_SIGNS: tuple[tuple[bytes, Mime], ...] = (
    (b"\x89PNG", "image/png"),
    (b"\xff\xd8", "image/jpeg"),
    (b"RIFF", "image/webp"),
)
_SHA256 = re.compile(r"[0-9a-f]{64}")
UNREADABLE = (
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    KeyError,
    IndexError,
    OverflowError,
    MemoryError,
    struct.error,
    zlib.error,
    Image.DecompressionBombError,
    Image.DecompressionBombWarning,
)
"""What Pillow raises for bytes that are no sound picture."""


class ImageStore:
    """Pictures under one folder, each stored once."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def put(self, data: bytes, source_url: str, license: str, author: str) -> ImageRef:
        """Check and store a picture. Raises PictureError (unusable) or StoreError (disk)."""
        image = picture_ref(data, source_url, license, author)
        path = self._path(image.sha256, dict(_FORMATS.values())[image.mime])
        if not path.is_file() or path.stat().st_size != len(data):
            write_atomic(path, data)
        return image

    def path(self, sha256: str) -> Path:
        """Where a picture lies. Raises StoreError where there is none."""
        if not _SHA256.fullmatch(sha256):
            raise StoreError(f"{sha256!r} is no picture's sha256", "give 64 hex digits")
        for _, suffix in _FORMATS.values():
            path = self._path(sha256, suffix)
            if path.is_file():
                return path
        raise StoreError(
            f"picture {sha256} is not in {self.root / 'images'}",
            "materialize the asset wiki_snapshot again",
        )

    def bytes(self, sha256: str) -> bytes:
        """The bytes of a picture. Raises StoreError where they are missing or not those stored."""
        path = self.path(sha256)
        with storage_errors(path):
            data = path.read_bytes()
        if hashlib.sha256(data).hexdigest() != sha256:
            raise StoreError(
                f"picture {path} is damaged",
                "delete it and materialize the asset wiki_snapshot again",
            )
        return data

    def thumbnail(self, sha256: str, px: int) -> Path:
        """A WebP of at most `px` by `px` pixels, made when first asked for."""
        if not 1 <= px <= MAX_THUMBNAIL:
            raise StoreError(f"a thumbnail cannot be {px} px", f"give 1 to {MAX_THUMBNAIL}")
        path = self.root / "thumbnails" / str(px) / sha256[:2] / f"{sha256}.webp"
        source = self.path(sha256)
        if not path.is_file():
            write_atomic(path, _shrunk(self.bytes(sha256), px, str(source)), sync=False)
        return path

    def _path(self, sha256: str, suffix: str) -> Path:
        return self.root / "images" / sha256[:2] / f"{sha256}.{suffix}"


def mime_of(data: bytes) -> Mime:
    """The type of a picture that was checked, by its first bytes. Raises PictureError."""
    for sign, mime in _SIGNS:
        if data.startswith(sign):
            return mime
    raise PictureError("the bytes are no picture", "give a PNG, JPEG or WebP file")


def picture_ref(
    data: bytes, source_url: str, license: str, author: str, *, name: str = ""
) -> ImageRef:
    """The reference to a picture that decodes. Raises PictureError, which calls it `name`, else
    its source.
    """
    format_name, width, height = inspect_picture(data, name or source_url)
    return ImageRef(
        sha256=hashlib.sha256(data).hexdigest(),
        mime=_FORMATS[format_name][0],
        width=width,
        height=height,
        source_url=source_url,
        license=license,
        author=author,
    )


def inspect_picture(data: bytes, name: str) -> tuple[str, int, int]:
    """Pillow's format name, width and height of a picture that decodes. Raises PictureError."""
    image = _open(data, name)
    # A JPEG that holds further pictures, as telephones take them, is a JPEG to every reader.
    kind = "JPEG" if image.format == "MPO" else str(image.format)
    return kind, image.width, image.height


def _open(data: bytes, name: str) -> Image.Image:
    """Decode a picture within bounds; `name` is for the error."""
    if len(data) > MAX_BYTES:
        raise PictureError(
            f"picture {name} has {len(data)} bytes", f"give one of at most {MAX_BYTES}"
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            image = Image.open(io.BytesIO(data), formats=tuple(_FORMATS))
            _check_size(image, name)
            image.load()
    except UNREADABLE as error:
        raise PictureError(
            f"picture {name} cannot be read ({type(error).__name__}: {error})",
            "give a sound PNG, JPEG or WebP file",
        ) from error
    return image


def _check_size(image: Image.Image, name: str) -> None:
    if image.width * image.height > MAX_PIXELS:
        raise PictureError(
            f"picture {name} is {image.width}x{image.height}",
            f"shrink it to at most {MAX_PIXELS:,} pixels",
        )


def _eight_bit(image: Image.Image) -> Image.Image:
    """RGB or, where there is transparency, RGBA. 16-bit grey is scaled, not cut off at 255."""
    if image.mode == "I;16":
        return image.convert("I").point(lambda value: value / 256).convert("L").convert("RGB")
    if image.mode in ("LA", "RGBA") or "transparency" in image.info:
        return image.convert("RGBA")
    return image.convert("RGB")


def _shrunk(data: bytes, px: int, name: str) -> bytes:
    image = _eight_bit(_open(data, name))
    image.thumbnail((px, px))
    out = io.BytesIO()
    image.save(out, "WEBP", quality=80)
    return out.getvalue()
