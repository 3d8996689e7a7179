"""What a body is, by its first bytes: what a server declares is a hint for text alone."""

import re
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Final

OCTETS: Final = "application/octet-stream"
PICTURES: Final = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif"})
"""Pictures that `picture_of` takes."""
PAGES: Final = frozenset({"text/html", "application/xhtml+xml", "text/plain", "text/markdown"})
"""Pages to read."""
ANYTHING: Final = frozenset({"*/*"})

_MAGIC: Final = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"BM", "image/bmp"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"\0\0\1\0", "image/x-icon"),
    (b"%PDF-", "application/pdf"),
    (b"PK\3\4", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
    (b"\x28\xb5\x2f\xfd", "application/zstd"),
)
_LOOKED_AT: Final = 4096
# Atomic, since comments that may be read in many ways could take forever.
_AHEAD: Final = rb"\s*+(?:(?><!--.*?-->)\s*+)*+"
_HTML: Final = re.compile(_AHEAD + rb"<(?:!doctype\s+html|html|head|body)\b", re.I | re.S)
_XML: Final = re.compile(
    _AHEAD + rb"<(?:\?xml\b|!doctype\s+(?:\w+:)?svg\b|(?:\w+:)?svg\b)", re.I | re.S
)
_DRAWING: Final = re.compile(rb"<(?:\w+:)?svg\b", re.I)
_NO_TEXT: Final = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_BRANDS: Final[Mapping[bytes, str]] = MappingProxyType(
    {b"avif": "image/avif", b"avis": "image/avif", b"heic": "image/heic", b"mif1": "image/heic"}
)


def kind_of(body: bytes, declared: str) -> str:
    """The MIME type of a body. `declared` (a Content-Type) decides only which text a text is."""
    head = body[:_LOOKED_AT]
    for magic, kind in _MAGIC:
        if head.startswith(magic):
            return kind
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "image/webp"
    if head[4:8] == b"ftyp":
        return _BRANDS.get(head[8:12], "video/mp4")
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):  # UTF-16, which holds zeros
        return _text_kind(declared)
    if _NO_TEXT.search(head):
        return OCTETS
    plain = head.removeprefix(b"\xef\xbb\xbf")
    if _HTML.match(plain):
        return "text/html"
    if _XML.match(plain) and _DRAWING.search(plain):
        return "image/svg+xml"
    return _text_kind(declared)


def wanted(kind: str, kinds: Collection[str]) -> bool:
    """Whether a type is one of `kinds`, of which some may be like `image/*` or `*/*`."""
    return bool({kind, f"{kind.partition('/')[0]}/*", "*/*"} & set(kinds))


def _text_kind(declared: str) -> str:
    kind = declared.partition(";")[0].strip().lower()
    textual = kind.startswith("text/") or kind.endswith(("json", "xml", "javascript"))
    # A text under the name of a picture is none, whatever it is.
    return kind if textual and kind != "image/svg+xml" else "text/plain"
