"""Do the bytes of a picture open? Read with the standard library alone."""

import struct
import zlib

_PNG = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_JPEG_FRAMES = frozenset({0xC0, 0xC1, 0xC2, 0xC3})


def image_problem(data: bytes) -> str | None:
    """Why the bytes are no whole PNG, JPEG or WebP picture; None if they are one."""
    try:
        if data.startswith(_PNG):
            return _png_problem(data)
        if data.startswith(b"\xff\xd8"):
            return _jpeg_problem(data)
        if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            whole = len(data) >= 8 + struct.unpack("<I", data[4:8])[0]
            return None if whole else "a WebP picture that breaks off"
    except (struct.error, zlib.error, IndexError, KeyError) as error:
        return f"a damaged picture: {error!r}"
    return "no picture" if data else "an empty picture"


def shorter_side(data: bytes) -> int | None:
    """Pixels along the shorter side of a whole PNG or JPEG picture; None of another one."""
    if data.startswith(_PNG):
        width, height = struct.unpack(">II", data[16:24])
        return min(int(width), int(height))
    return min(_jpeg_size(data)) if data.startswith(b"\xff\xd8") else None


def _png_problem(data: bytes) -> str | None:
    """Every chunk's checksum, and as many pixels as the header promises."""
    place, header, packed = len(_PNG), b"", b""
    while True:
        size, name = struct.unpack(">I4s", data[place : place + 8])
        body = data[place + 8 : place + 8 + size]
        (checksum,) = struct.unpack(">I", data[place + 8 + size : place + 12 + size])
        if zlib.crc32(name + body) != checksum:
            return "a PNG picture with a wrong checksum"
        if name == b"IHDR":
            header = body
        elif name == b"IDAT":
            packed += body
        elif name == b"IEND":
            break
        place += 12 + size
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", header)
    row = 1 + (width * depth * _CHANNELS[colour] + 7) // 8
    found = len(zlib.decompress(packed))
    if width * height == 0 or found < height * row or (found != height * row and not interlaced):
        return "a PNG picture with the wrong number of pixels"
    return None


def _jpeg_problem(data: bytes) -> str | None:
    """The segments up to the pixels, a frame with a size, and an end mark."""
    width, height = _jpeg_size(data)
    if width * height == 0:
        return "a JPEG picture without a frame"
    return None if data.rstrip(b"\0").endswith(b"\xff\xd9") else "a JPEG picture that breaks off"


def _jpeg_size(data: bytes) -> tuple[int, int]:
    """Width and height as the frame gives them; 0 and 0 without one."""
    place = 2
    while data[place] == 0xFF:
        kind, size = data[place + 1], struct.unpack(">H", data[place + 2 : place + 4])[0]
        if kind in _JPEG_FRAMES:
            height, width = struct.unpack(">HH", data[place + 5 : place + 9])
            return width, height
        place += 2 + size
    return 0, 0
