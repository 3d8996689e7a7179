"""Pictures: checked before they are decoded, stored once under their hash."""

import hashlib
import io
import struct
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from hopsight.errors import PictureError, StoreError
from hopsight.store import ImageStore
from tests.hopsight.store.processes import context, with_small_disk


def _picture(
    format_name: str = "PNG", size: tuple[int, int] = (30, 20), mode: str = "RGB"
) -> bytes:
    out = io.BytesIO()
    Image.new(mode, size, 120 if mode in ("L", "P", "1") else None).save(out, format_name)
    return out.getvalue()


def _png_that_claims(width: int, height: int) -> bytes:
    """A PNG of some bytes whose header says it is huge."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = b""
    for name, data in ((b"IHDR", header), (b"IDAT", zlib.compress(b"\0" * 100)), (b"IEND", b"")):
        chunks += struct.pack(">I", len(data)) + name + data
        chunks += struct.pack(">I", zlib.crc32(name + data))
    return b"\x89PNG\r\n\x1a\n" + chunks


@pytest.mark.parametrize(
    ("format_name", "mime", "suffix"),
    [("PNG", "image/png", "png"), ("JPEG", "image/jpeg", "jpg"), ("WEBP", "image/webp", "webp")],
)
def test_a_picture_is_stored_under_its_hash(
    tmp_path: Path, format_name: str, mime: str, suffix: str
) -> None:
    store = ImageStore(tmp_path)
    data = _picture(format_name)
    image = store.put(data, "https://example.org/a", "CC0", "nobody")
    sha256 = hashlib.sha256(data).hexdigest()
    assert (image.sha256, image.mime, image.width, image.height) == (sha256, mime, 30, 20)
    assert (image.source_url, image.license, image.author) == (
        "https://example.org/a", "CC0", "nobody",
    )  # fmt: skip
    assert store.path(sha256) == tmp_path / "images" / sha256[:2] / f"{sha256}.{suffix}"
    assert store.bytes(sha256) == data


def test_a_picture_put_twice_is_stored_once_and_half_a_file_is_mended(tmp_path: Path) -> None:
    store = ImageStore(tmp_path)
    data = _picture()
    sha256 = store.put(data, "a", "CC0", "x").sha256
    assert store.put(data, "b", "CC0", "y").sha256 == sha256
    assert len([p for p in (tmp_path / "images").rglob("*") if p.is_file()]) == 1
    store.path(sha256).write_bytes(data[:10])
    store.put(data, "a", "CC0", "x")
    assert store.bytes(sha256) == data


@pytest.mark.parametrize("size", [(10_000, 4_001), (13_000, 13_000), (60_000, 60_000)])
def test_a_picture_that_claims_too_many_pixels_is_refused_before_decoding(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    with pytest.raises(PictureError) as error:
        ImageStore(tmp_path).put(_png_that_claims(*size), "huge.png", "CC0", "x")
    assert "huge.png" in error.value.cause
    assert f"is {size[0]}x{size[1]}" in error.value.cause or "Bomb" in error.value.cause
    assert not (tmp_path / "images").exists()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        _picture("GIF"),
        _picture("BMP"),
        _picture("PNG")[:45],
        _picture("JPEG")[:300],
        _png_that_claims(100, 100),
    ],
)
def test_what_is_no_sound_png_jpeg_or_webp_is_refused(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(PictureError, match="cannot be read"):
        ImageStore(tmp_path).put(data, "bad", "CC0", "x")
    assert not (tmp_path / "images").exists()


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(["PNG", "JPEG", "WEBP"]), st.floats(0, 1), st.binary(min_size=1, max_size=6))
def test_damaged_bytes_are_a_picture_or_a_picture_error(
    tmp_path_factory: pytest.TempPathFactory, format_name: str, at: float, junk: bytes
) -> None:
    data = bytearray(_picture(format_name))
    start = int(at * len(data))
    data[start : start + len(junk)] = junk
    store = ImageStore(tmp_path_factory.getbasetemp() / "fuzzed")
    try:
        image = store.put(bytes(data), "fuzzed", "CC0", "x")
    except PictureError:
        return
    assert store.bytes(image.sha256) == bytes(data)


def test_a_picture_damaged_on_disk_is_refused(tmp_path: Path) -> None:
    store = ImageStore(tmp_path)
    sha256 = store.put(_picture(), "a", "CC0", "x").sha256
    data = bytearray(store.path(sha256).read_bytes())
    data[-1] ^= 1
    store.path(sha256).write_bytes(data)
    with pytest.raises(StoreError, match="is damaged"):
        store.bytes(sha256)


@pytest.mark.parametrize("sha256", ["0" * 64, "../../etc/passwd", ""])
def test_an_unknown_picture_is_refused(tmp_path: Path, sha256: str) -> None:
    with pytest.raises(StoreError):
        ImageStore(tmp_path).path(sha256)


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L", "P", "1", "I;16"])
def test_a_thumbnail_fits_its_box_and_is_made_once(tmp_path: Path, mode: str) -> None:
    store = ImageStore(tmp_path)
    sha256 = store.put(_picture("PNG", (300, 100), mode), "a", "CC0", "x").sha256
    path = store.thumbnail(sha256, 64)
    with Image.open(path) as image:
        assert (image.format, image.size) == ("WEBP", (64, 21))
    made = path.stat().st_mtime_ns
    assert store.thumbnail(sha256, 64).stat().st_mtime_ns == made


def test_a_thumbnail_of_a_senseless_size_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be 0 px"):
        ImageStore(tmp_path).thumbnail("0" * 64, 0)


def test_a_full_disk_stores_no_half_picture(tmp_path: Path) -> None:
    (tmp_path / "source.png").write_bytes(_picture(size=(600, 600)))
    ours, theirs = context().Pipe()
    process = context().Process(target=with_small_disk, args=("picture", tmp_path, 50, theirs))
    process.start()
    assert ours.recv()[0] == "StoreError"
    process.join()
    assert not [path for path in (tmp_path / "images").rglob("*") if path.is_file()]


def test_a_photograph_that_holds_further_pictures_is_kept_as_the_jpeg_it_is(tmp_path):
    data = io.BytesIO()
    first, second = (Image.new("RGB", (40, 30), colour) for colour in ("red", "blue"))
    first.save(data, "MPO", save_all=True, append_images=[second])
    image = ImageStore(tmp_path).put(data.getvalue(), "u", "CC0-1.0", "a")
    assert (image.mime, image.width, image.height) == ("image/jpeg", 40, 30)
    assert ImageStore(tmp_path).bytes(image.sha256) == data.getvalue()
