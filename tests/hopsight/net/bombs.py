"""Answers that are small on the wire and large in memory, each a gibibyte or without end."""

import io
import struct
import zlib
from collections.abc import Iterable
from functools import partial
from itertools import chain, repeat

import brotli
from PIL import Image

from tests.hopsight.net.far_side import Answer, answer

GIB = 1 << 30
_BLOCK = 1 << 22


def packed(wbits: int) -> bytes:
    """A gibibyte of zeros; after a full flush every block is packed alike, so one is repeated."""
    packer = zlib.compressobj(6, wbits=wbits)
    first, second = (
        packer.compress(bytes(_BLOCK)) + packer.flush(zlib.Z_FULL_FLUSH) for _ in range(2)
    )
    return first + second * (GIB // _BLOCK - 1) + packer.flush()


def brotli_zeros() -> bytes:
    packer = brotli.Compressor(quality=1)
    pieces = [packer.process(bytes(_BLOCK)) for _ in range(GIB // _BLOCK)]
    return b"".join([*pieces, packer.finish()])


def zstd_zeros(window_log: int = 20, blocks: int = 8192) -> bytes:
    """Blocks of one byte that stands for 128 KiB (RFC 8878, 3.1.1.2.2), and a last, empty one."""
    header = b"\x28\xb5\x2f\xfd" + bytes([0, (window_log - 10) << 3])
    block = ((128 << 10) << 3 | 1 << 1).to_bytes(3, "little") + b"\0"
    return header + block * blocks + (1).to_bytes(3, "little")


def endless(head: str, pieces: Iterable[bytes]) -> Answer:
    return lambda _: chain([f"HTTP/1.1 200 OK\r\n{head}".encode()], pieces)


def chunk(size: str, kind: bytes, data: bytes) -> bytes:
    body = kind + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))


def png(width: int, height: int, *extra: bytes) -> bytes:
    """A picture of one bit a pixel, all rows there."""
    packer = zlib.compressobj(6)
    row = bytes(1 + (width + 7) // 8)
    rows = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    make = partial(chunk, "")
    head = make(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(extra) + make(b"IDAT", rows) + make(b"IEND", b"")


def text_chunks(number: int) -> bytes:
    """As many texts, each of a megabyte but for a byte: what Pillow just takes."""
    text = zlib.compress(bytes(range(32, 127)) * (((1 << 20) - 1) // 95))
    return b"".join(chunk("", b"zTXt", b"k%d\0\0" % each + text) for each in range(number))


def gif(width: int, height: int, frames: int) -> bytes:
    out = io.BytesIO()
    Image.new("P", (8, 8)).save(out, "GIF")
    data = bytearray(out.getvalue())
    data[6:10] = struct.pack("<HH", width, height)
    frame = bytes(data[data.index(b"\x2c") : -1])
    return bytes(data[:-1]) + frame * (frames - 1) + b"\x3b"


def jpeg_with_size(width: int, height: int) -> bytes:
    out = io.BytesIO()
    Image.new("L", (16, 16)).save(out, "JPEG")
    data = bytearray(out.getvalue())
    start = data.index(b"\xff\xc0") + 5
    data[start : start + 4] = struct.pack(">HH", height, width)
    return bytes(data)


def jpeg_with_scans(width: int, height: int, scans: int) -> bytes:
    """A progressive picture whose last scan comes again and again; each costs a pass over all."""
    out = io.BytesIO()
    Image.new("L", (width, height)).save(out, "JPEG", progressive=True)
    data = out.getvalue()
    scan = data[data.rindex(b"\xff\xda") : -2]
    return data[:-2] + scan * (scans - 1) + b"\xff\xd9"


def encodings() -> dict[str, Answer]:
    gzipped = packed(31)
    twice = zlib.compress(gzipped, wbits=31)
    empty = zlib.compress(b"", wbits=31)
    zeros = repeat(bytes(1 << 16))
    length = f"Content-Length: {10**15}\r\n\r\n"
    return {
        "/gzip": answer(gzipped, Content_Encoding="gzip"),
        "/x-gzip": answer(gzipped, Content_Encoding=" X-GZip "),
        "/deflate": answer(packed(15), Content_Encoding="deflate"),
        "/raw-deflate": answer(packed(-15), Content_Encoding="deflate"),
        "/brotli": answer(brotli_zeros(), Content_Encoding="br"),
        "/zstd": answer(zstd_zeros(), Content_Encoding="zstd"),
        "/zstd-window": answer(zstd_zeros(window_log=31), Content_Encoding="zstd"),
        "/stacked": answer(twice, Content_Encoding="gzip, gzip"),
        "/stacked-lines": endless(
            f"Content-Encoding: gzip\r\nContent-Encoding: gzip\r\nContent-Length: {len(twice)}"
            "\r\n\r\n",
            [twice],
        ),
        "/many-members": answer(empty * 300_000, Content_Encoding="gzip"),
        "/many-frames": answer(zstd_zeros(10, 0) * 300_000, Content_Encoding="zstd"),
        "/endless": endless("\r\n", zeros),
        "/endless-chunks": endless(
            "Transfer-Encoding: chunked\r\n\r\n", repeat(b"10000\r\n" + bytes(1 << 16) + b"\r\n")
        ),
        "/endless-headers": endless("", repeat(b"X-Padding: " + b"a" * 1000 + b"\r\n")),
        "/endless-header": endless("X-Padding: ", repeat(b"a" * 1000)),
        "/long": endless(length, zeros),
        "/packed-in-transfer": endless(
            "Transfer-Encoding: gzip, chunked\r\n\r\n",
            [b"%x\r\n" % len(gzipped), gzipped, b"\r\n0\r\n\r\n"],
        ),
    }


def pictures() -> dict[str, Answer]:
    wide = png(14_000, 14_000)
    return {
        "/png": answer(wide),
        "/png-just-too-large": answer(png(8_000, 5_001)),
        "/png-gzip": answer(zlib.compress(wide, wbits=31), Content_Encoding="gzip"),
        "/png-texts": answer(png(8, 8, text_chunks(80))),
        "/gif": answer(gif(65_535, 65_535, 1)),
        "/jpeg": answer(jpeg_with_size(65_500, 65_500)),
        "/jpeg-scans": answer(jpeg_with_scans(2_000, 2_000, scans=200)),
    }
