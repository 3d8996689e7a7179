"""Bodies unpacked within bounds: a megabyte that unpacks to a terabyte stops at the limit."""

import zlib
from collections.abc import Callable, Generator, Iterator, Mapping
from types import MappingProxyType
from typing import Final

import brotli
from backports import zstd

from hopsight.net.failures import BodyRefused, FetchFailed

ACCEPTED: Final = "gzip, deflate, br, zstd"
"""What is sent as Accept-Encoding."""
_PIECE: Final = 1 << 16
_ZSTD_OPTIONS: Final = {int(zstd.DecompressionParameter.window_log_max): 23}
"""Windows of 8 MiB at most, as RFC 9659 asks."""
_MEMBERS: Final = 64
"""Most streams one after another in a body: each costs a copy of what follows it."""
_GZIP_MAGIC: Final = b"\x1f\x8b"


def decoded(raw: bytes, encoding: str, limit: int) -> bytes:
    """`raw` unpacked as its Content-Encoding says; at most `limit` bytes.

    Raises BodyRefused (too long, an encoding unknown or stacked) or FetchFailed (damaged, cut off).
    Memory: twice what is returned, beside the window of the encoding (16 MiB at most).
    """
    name = encoding.strip().lower()
    if name in {"", "identity"}:
        return raw if len(raw) <= limit else _too_long(limit)
    unpack = _DECODERS.get(name)
    if unpack is None:
        raise BodyRefused(
            f"the content encoding {encoding[:60]!r} is not unpacked",
            f"one of {ACCEPTED}, once, is understood",
        )
    if not raw:
        return b""
    pieces, total = [], 0
    try:
        for piece in unpack(raw):
            total += len(piece)
            if total > limit:
                _too_long(limit)
            pieces.append(piece)
    except (zlib.error, brotli.error, zstd.ZstdError, EOFError) as error:
        raise FetchFailed(
            f"a body in {name} is damaged ({error})", "try again, or another address"
        ) from error
    return b"".join(pieces)


def _too_long(limit: int) -> bytes:
    raise BodyRefused(f"the answer has more than {limit} bytes", "ask for something smaller")


def _too_many() -> BodyRefused:
    return BodyRefused(
        f"the answer was packed in more than {_MEMBERS} parts", "try another address"
    )


def _gzip(raw: bytes) -> Iterator[bytes]:
    """All members, one after another; what follows the last and is none is left, as browsers do."""
    data = raw
    for _ in range(_MEMBERS):
        member = zlib.decompressobj(wbits=31)
        rest = yield from _deflated(member, data)
        if not rest.startswith(_GZIP_MAGIC):
            return
        data = rest
    raise _too_many()


def _deflate(raw: bytes) -> Iterator[bytes]:
    """With the zlib header that the standard asks for, or without, as some servers send it."""
    headed = raw[0] & 0x0F == 8 and int.from_bytes(raw[:2].ljust(2, b"\0"), "big") % 31 == 0
    yield from _deflated(zlib.decompressobj(wbits=15 if headed else -15), raw)


def _deflated(unpacker: "zlib._Decompress", raw: bytes) -> Generator[bytes, None, bytes]:
    """Pieces of what a stream holds; returns what follows it in `raw`."""
    for start in range(0, len(raw), _PIECE):
        # What is not used yet is copied each time, so that it must be little.
        data = raw[start : start + _PIECE]
        while data and not unpacker.eof:
            yield unpacker.decompress(data, _PIECE)
            data = unpacker.unconsumed_tail
        if unpacker.eof:
            return unpacker.unused_data + raw[start + _PIECE :]
    while piece := unpacker.decompress(b"", _PIECE):
        yield piece
    if unpacker.eof:
        return b""
    raise EOFError("cut off")


def _brotli(raw: bytes) -> Iterator[bytes]:
    unpacker = brotli.Decompressor()
    for start in range(0, len(raw), _PIECE):
        data = raw[start : start + _PIECE]
        yield unpacker.process(data, output_buffer_limit=_PIECE)
        while not (unpacker.is_finished() or unpacker.can_accept_more_data()):
            yield unpacker.process(b"", output_buffer_limit=_PIECE)
        if unpacker.is_finished():
            return
    raise EOFError("cut off")


def _zstd(raw: bytes) -> Iterator[bytes]:
    data = raw
    for _ in range(_MEMBERS):
        unpacker = zstd.ZstdDecompressor(options=_ZSTD_OPTIONS)
        while not unpacker.eof:
            if unpacker.needs_input and not data:
                raise EOFError("cut off")
            yield unpacker.decompress(data, _PIECE)
            data = b""
        data = unpacker.unused_data
        if not data:
            return
    raise _too_many()


_DECODERS: Final[Mapping[str, Callable[[bytes], Iterator[bytes]]]] = MappingProxyType(
    {"gzip": _gzip, "x-gzip": _gzip, "deflate": _deflate, "br": _brotli, "zstd": _zstd}
)
