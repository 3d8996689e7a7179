import struct
import zlib

import pytest

from tests.checker.image_files import image_problem, shorter_side
from tests.checker.small_world import png

FRAME = struct.pack(">BHHB", 8, 2, 2, 1) + b"\x01\x11\x00"
JPEG = b"\xff\xd8\xff\xc0" + struct.pack(">H", 2 + len(FRAME)) + FRAME + b"pixels\xff\xd9"
WEBP = b"RIFF" + struct.pack("<I", 8) + b"WEBPVP8 "


@pytest.mark.parametrize("data", [png(7), JPEG, WEBP])
def test_whole_pictures_open(data: bytes):
    assert image_problem(data) is None


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "empty"),
        (b"GIF89a", "no picture"),
        (png(7).replace(b"IDAT", b"IDAY"), "checksum"),
        (png(7)[:40], "damaged"),
        (JPEG[:-2], "breaks off"),
        (b"\xff\xd8\xff\xe0\x00\x02nothing", "without a frame"),
        (WEBP[:-4], "breaks off"),
    ],
)
def test_what_does_not_open_is_said(data: bytes, problem: str):
    assert problem in str(image_problem(data))


def test_a_png_with_fewer_pixels_than_it_promises_is_not_whole():
    whole = png(7, side=2)
    header = whole[12:29]
    taller = header[:8] + struct.pack(">I", 3) + header[12:]
    changed = whole.replace(
        header + struct.pack(">I", zlib.crc32(header)),
        taller + struct.pack(">I", zlib.crc32(taller)),
    )
    assert image_problem(changed) == "a PNG picture with the wrong number of pixels"


def test_the_shorter_side_of_a_picture_is_read():
    assert [shorter_side(data) for data in (png(7, side=300), JPEG, WEBP)] == [300, 2, None]
