"""Reading text in pictures: lines with boxes."""

import importlib.util
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Protocol

import numpy as np
from PIL import Image

from hopsight.errors import PictureError
from hopsight.imaging.threads import in_thread
from hopsight.search.pixels import Pixels, open_picture, rgb_array

PACKAGES: Final = ("rapidocr", "onnxruntime")
READ_SIDE: Final = 1_600
"""Longer pictures are read at this size: memory and time grow with the pixels."""
MAX_SHAPE: Final = 40.0
"""Longest side over shortest; a strip longer than this is refused."""
MIN_SCORE: Final = 0.5


@dataclass(frozen=True, slots=True)
class LayoutLine:
    """A line of text. `box` holds x0, y0, x1, y1 as fractions of the picture; `score` is 0 to 1.

    The text stands as it was read: whoever shows it to a model neutralises it.
    """

    text: str
    box: tuple[float, float, float, float]
    score: float


class LayoutParser(Protocol):
    """What reads text in pictures. `name` is told with each result."""

    @property
    def name(self) -> str:
        """What it is, such as "rapidocr"."""
        ...

    async def parse(self, data: bytes) -> tuple[LayoutLine, ...]:
        """The lines of a picture in reading order; none where it holds no text.

        Raises PictureError where the picture cannot be used, ProviderError where a service fails.
        """
        ...


class RapidLayout:
    """RapidOCR (PP-OCR models over ONNX) in this process; one thread a picture."""

    name = "rapidocr"

    def __init__(self, engine: Any) -> None:
        self._engine = engine

    async def parse(self, data: bytes) -> tuple[LayoutLine, ...]:
        """The lines of a picture in reading order."""
        return await in_thread(self._read, data)

    def _read(self, data: bytes) -> tuple[LayoutLine, ...]:
        pixels = _readable(open_picture(data))
        found = self._engine(pixels[:, :, ::-1].copy())  # it expects blue first, as OpenCV does
        if found.boxes is None or found.txts is None:
            return ()
        size = np.array([pixels.shape[1], pixels.shape[0]], dtype=np.float64)
        lines = [
            LayoutLine(str(text), _box(np.asarray(corners) / size), float(score))
            for corners, text, score in zip(found.boxes, found.txts, found.scores, strict=True)
            if str(text).strip()
        ]
        return in_reading_order(lines)


def open_layout_parser() -> LayoutParser | None:
    """RapidOCR where it is installed, else None. Its models are loaded once in a process."""
    return _rapid() if layout_installed() else None


def layout_installed() -> bool:
    """Whether `open_layout_parser` finds its engine, without loading it."""
    return all(importlib.util.find_spec(package) is not None for package in PACKAGES)


def in_reading_order(lines: list[LayoutLine]) -> tuple[LayoutLine, ...]:
    """Rows from top to bottom, each from left to right; its lines overlap by half in height."""
    rows: list[list[LayoutLine]] = []
    for line in sorted(lines, key=lambda line: (line.box[1], line.box[0])):
        if rows and _beside(rows[-1][0], line):
            rows[-1].append(line)
        else:
            rows.append([line])
    return tuple(line for row in rows for line in sorted(row, key=lambda line: line.box[0]))


@cache
def _rapid() -> RapidLayout:
    from rapidocr import RapidOCR

    settings = {
        "Global.log_level": "critical",
        "Global.text_score": MIN_SCORE,
        "Global.max_side_len": READ_SIDE,
        "EngineConfig.onnxruntime.intra_op_num_threads": 1,
        "EngineConfig.onnxruntime.inter_op_num_threads": 1,
    }
    return RapidLayout(RapidOCR(params=settings))


def _readable(image: Image.Image) -> Pixels:
    if max(image.size) > MAX_SHAPE * min(image.size):
        raise PictureError(
            f"a picture of {image.width}×{image.height} is too long and narrow to be read; "
            "cut out a part with zoom_in first",
            "cut out a part first",
        )
    image.thumbnail((READ_SIDE, READ_SIDE))
    return rgb_array(image)


def _box(corners: Any) -> tuple[float, float, float, float]:
    low, high = np.clip(corners.min(axis=0), 0, 1), np.clip(corners.max(axis=0), 0, 1)
    x0, y0, x1, y1 = (round(float(share), 4) for share in (*low, *high))
    return x0, y0, x1, y1


def _beside(first: LayoutLine, second: LayoutLine) -> bool:
    overlap = min(first.box[3], second.box[3]) - max(first.box[1], second.box[1])
    smaller = min(first.box[3] - first.box[1], second.box[3] - second.box[1])
    return overlap > 0.5 * smaller
