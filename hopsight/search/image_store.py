"""The image index on disk: one row per distinct picture, arrays memory-mapped."""

import json
import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from hopsight.errors import StoreError
from hopsight.search.candidates import write_codes
from hopsight.search.features import (
    CHECK_SIDE,
    ENTRY_FEATURES,
    ENTRY_SIDE,
    Bytes,
    Floats,
    Frame,
    Local,
    check_picture,
    frame_of,
    local_of,
)
from hopsight.search.pixels import Pixels, open_picture, rgb_array
from hopsight.types import ImageRef, PageImage

CHECK_QUALITY: Final = 90


@dataclass(frozen=True, slots=True)
class Entry:
    """A picture and the pages (title, URL) that show it."""

    image: ImageRef
    pages: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """The index's columns. Rows of entry i in `points` and `descriptors`: offsets[i]…[i + 1].

    `strong`: how many of an entry's features stand out clearly.
    """

    entries: tuple[Entry, ...]
    dhash: npt.NDArray[np.uint64]
    phash: npt.NDArray[np.uint64]
    layout: Bytes
    aspect: Floats
    strong: npt.NDArray[np.int32]
    points: Floats
    descriptors: Bytes
    offsets: npt.NDArray[np.int64]
    checks: Bytes
    check_offsets: npt.NDArray[np.int64]

    def features(self, row: int) -> tuple[Floats, Bytes]:
        """Points (as fractions of the sides) and descriptors of one entry."""
        part = slice(int(self.offsets[row]), int(self.offsets[row + 1]))
        return self.points[part], self.descriptors[part]

    def check(self, row: int) -> Pixels:
        """The small copy of one entry that pixels are compared with."""
        start, end = int(self.check_offsets[row]), int(self.check_offsets[row + 1])
        found: Any = cv2.imdecode(np.asarray(self.checks[start:end]), cv2.IMREAD_COLOR)
        return np.asarray(cv2.cvtColor(found, cv2.COLOR_BGR2RGB), dtype=np.uint8)


ARRAYS: Final = tuple(name for name in Table.__annotations__ if name != "entries")


def write_table(rows: Iterable[tuple[PageImage, bytes, str, str]], folder: Path) -> None:
    """Compute and write the columns. Raises PictureError for a picture that cannot be read."""
    entries, data = _merge(rows)
    computed = _computed_side_by_side(data)
    frames = [frame for frame, _, _ in computed]
    locals_ = [local for _, local, _ in computed]
    checks = [check for _, _, check in computed]
    folder.mkdir(parents=True, exist_ok=True)
    columns = _columns(frames, locals_, checks)
    for name, column in columns.items():
        np.save(folder / f"{name}.npy", column)
    write_codes(columns["descriptors"], folder)
    lines = [
        json.dumps({"image": e.image.model_dump(mode="json"), "pages": e.pages}) for e in entries
    ]
    (folder / "entries.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def read_table(folder: Path) -> Table:
    """Open the columns. Raises StoreError where they are missing or damaged."""
    try:
        arrays = {name: np.load(folder / f"{name}.npy", mmap_mode="r") for name in ARRAYS}
        text = (folder / "entries.jsonl").read_text(encoding="utf-8")
        entries = tuple(_entry(json.loads(line)) for line in text.splitlines())
    except (OSError, ValueError, KeyError) as error:
        raise StoreError(
            f"no readable image index in {folder}: {error}", "build the search index again"
        ) from error
    if len(entries) + 1 != len(arrays["offsets"]):
        raise StoreError(
            f"the image index in {folder} names {len(entries)} pictures and holds "
            f"{len(arrays['offsets']) - 1}",
            "build the search index again",
        )
    return Table(entries=entries, **arrays)


def _computed_side_by_side(data: list[bytes]) -> list[tuple[Frame, Local, bytes]]:
    """OpenCV lets go of the interpreter, so threads share the work; `map` keeps the order."""
    threads = cv2.getNumThreads()
    # Threads of its own below ours would only wait for each other.
    cv2.setNumThreads(1)
    try:
        with ThreadPoolExecutor(max_workers=min(4, os.cpu_count() or 1)) as pool:
            return list(pool.map(_computed, data))
    finally:
        cv2.setNumThreads(threads)


def _computed(data: bytes) -> tuple[Frame, Local, bytes]:
    pixels = rgb_array(open_picture(data))
    local = local_of(pixels, ENTRY_SIDE, ENTRY_FEATURES)
    return frame_of(pixels), local, _encoded(check_picture(pixels))


def _merge(
    rows: Iterable[tuple[PageImage, bytes, str, str]],
) -> tuple[list[Entry], list[bytes]]:
    images: dict[str, ImageRef] = {}
    pages: dict[str, list[tuple[str, str]]] = {}
    data: dict[str, bytes] = {}
    for page_image, picture, title, url in rows:
        sha256 = page_image.image.sha256
        images.setdefault(sha256, page_image.image)
        data.setdefault(sha256, picture)
        pages.setdefault(sha256, []).append((title, url))
    # By hash, so that the index does not depend on the order of the input.
    order = sorted(images)
    entries = [Entry(images[sha], tuple(sorted(set(pages[sha])))) for sha in order]
    return entries, [data[sha] for sha in order]


def _entry(value: dict[str, Any]) -> Entry:
    pages = tuple((str(title), str(url)) for title, url in value["pages"])
    return Entry(ImageRef.model_validate(value["image"]), pages)


def _columns(frames: list[Frame], locals_: list[Local], checks: list[bytes]) -> dict[str, Any]:
    points = [
        item.points / np.array([item.work.shape[1], item.work.shape[0]], np.float32)
        for item in locals_
    ]
    return {
        "dhash": np.array([frame.dhash for frame in frames], np.uint64),
        "phash": np.array([frame.phash for frame in frames], np.uint64),
        "layout": np.array([frame.layout for frame in frames], np.uint8),
        "aspect": np.array([frame.aspect for frame in frames], np.float32),
        "strong": np.array([item.strong for item in locals_], np.int32),
        "points": np.concatenate([np.zeros((0, 2), np.float32), *points]),
        "descriptors": np.concatenate(
            [np.zeros((0, 128), np.uint8), *(item.descriptors for item in locals_)]
        ),
        "offsets": np.cumsum([0, *(len(item.points) for item in locals_)], dtype=np.int64),
        "checks": np.frombuffer(b"\0" + b"".join(checks), np.uint8),
        "check_offsets": 1 + np.cumsum([0, *map(len, checks)], dtype=np.int64),
    }


def _encoded(check: Pixels) -> bytes:
    assert check.shape == (CHECK_SIDE, CHECK_SIDE, 3)
    bgr = cv2.cvtColor(check, cv2.COLOR_RGB2BGR)
    _, data = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, CHECK_QUALITY])
    return bytes(data.tobytes())
