"""What is computed of a picture: hashes and a colour layout of the frame, and local features."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from hopsight.search.pixels import Pixels

WORK_SIDE: Final = 512
MAX_FEATURES: Final = 400
# An entry is kept larger, and with more features, than a query is looked at: a query may show a
# small part of it, which its share of the features has to prove.
ENTRY_SIDE: Final = 560
ENTRY_FEATURES: Final = 600
# A page is looked at larger and for more: text and other pictures take most of its features.
PAGE_SIDE: Final = 1280
PAGE_FEATURES: Final = 2400
# OpenCV's usual threshold: features above it are `strong`. Hazy photographs have next to none, so
# a picture that has few and is not drawn (one colour, exactly, in so many of its pixels) is looked
# at again with half of it; drawings would gain nothing and take twice as long.
CONTRAST: Final = 0.04
WEAK_CONTRAST: Final = 0.02
FEW_FEATURES: Final = 300
DRAWN_SHARE: Final = 0.08
OCTAVE_LAYERS: Final = 3
LAYOUT: Final = 24
CHECK_SIDE: Final = 256

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Frame:
    """The whole picture, small. `layout` is LAYOUT by LAYOUT Lab means, `aspect` width / height."""

    dhash: int
    phash: int
    layout: Bytes
    aspect: float


@dataclass(frozen=True, slots=True)
class Local:
    """Local features. `points` (n, 2) are x, y in pixels of `work`; `descriptors` (n, 128).

    `strong` of them stand out clearly: a plain picture has hardly any.
    """

    points: Floats
    descriptors: Bytes
    work: Pixels
    strong: int


def frame_of(pixels: Pixels) -> Frame:
    """Hashes and layout of a picture."""
    small = _shrink(pixels, 4 * LAYOUT, 4 * LAYOUT)
    height, width = pixels.shape[:2]
    return _frame(small, width / height)


def orientations(pixels: Pixels) -> Iterator[Frame]:
    """The frame of a picture turned by 90, 180 and 270 degrees, and mirrored, likewise turned."""
    small = _shrink(pixels, 4 * LAYOUT, 4 * LAYOUT)
    aspect = pixels.shape[1] / pixels.shape[0]
    for mirrored in (False, True):
        base = small[:, ::-1] if mirrored else small
        for turns in range(4):
            if mirrored or turns:
                view = np.ascontiguousarray(np.rot90(base, turns))
                yield _frame(view, 1 / aspect if turns % 2 else aspect)


def local_of(pixels: Pixels, side: int = WORK_SIDE, count: int = MAX_FEATURES) -> Local:
    """RootSIFT of the picture at no more than `side` pixels a side, the `count` strongest first.

    Descriptors are square roots of unit-sum SIFT, times 255: the dot product of two is a whole
    number below 2**24, so that it is exact in float32 and equal on every machine.
    """
    work = bounded(pixels, side)
    gray = cv2.cvtColor(work, cv2.COLOR_RGB2GRAY)
    keys, found = _sift(gray, count, CONTRAST)
    if len(keys) < FEW_FEATURES and not _drawn(pixels):
        keys, found = _sift(gray, count, WEAK_CONTRAST)
    if found is None or not len(keys):
        return Local(np.zeros((0, 2), np.float32), np.zeros((0, 128), np.uint8), work, 0)
    order = sorted(range(len(keys)), key=lambda i: (-keys[i].response, keys[i].pt, keys[i].angle))
    order = order[:count]
    points = np.array([keys[i].pt for i in order], np.float32)
    raw = found[order]
    root = np.sqrt(raw / np.maximum(raw.sum(axis=1, keepdims=True), 1e-6))
    descriptors = np.minimum(255, np.rint(root * 255)).astype(np.uint8)
    strong = sum(keys[i].response * OCTAVE_LAYERS >= CONTRAST for i in order)
    return Local(points, descriptors, work, strong)


def mirrored(local: Local) -> Local:
    """The features that the mirrored picture would have, without looking at it again.

    Mirroring turns the 4 by 4 cells of a SIFT descriptor upside down in the frame of its
    orientation, and the 8 directions within each the other way round.
    """
    cells = local.descriptors.reshape(-1, 4, 4, 8)[:, ::-1]
    turned = cells[..., np.arange(8, 0, -1) % 8]
    points = local.points.copy()
    points[:, 0] = local.work.shape[1] - 1 - points[:, 0]
    work = np.ascontiguousarray(local.work[:, ::-1])
    return Local(points, turned.reshape(-1, 128), work, local.strong)


def check_picture(pixels: Pixels) -> Pixels:
    """The picture squeezed into CHECK_SIDE by CHECK_SIDE, for comparing pixel by pixel."""
    return _shrink(pixels, CHECK_SIDE, CHECK_SIDE)


def _sift(gray: Any, count: int, contrast: float) -> tuple[Any, Any]:
    sift = cv2.SIFT_create(  # type: ignore[attr-defined]
        nfeatures=count, nOctaveLayers=OCTAVE_LAYERS, contrastThreshold=contrast
    )
    return sift.detectAndCompute(gray, None)  # type: ignore[no-any-return]


def _drawn(pixels: Pixels) -> bool:
    sample = cv2.resize(pixels, (128, 128), interpolation=cv2.INTER_NEAREST).astype(np.int64)
    codes = (sample[..., 0] << 16) | (sample[..., 1] << 8) | sample[..., 2]
    _, counts = np.unique(codes, return_counts=True)
    return bool(counts.max() >= DRAWN_SHARE * codes.size)


def bounded(pixels: Pixels, side: int) -> Pixels:
    """The picture at no more than `side` pixels a side."""
    scale = side / max(pixels.shape[:2])
    if scale >= 1:
        return pixels
    width, height = (max(1, round(n * scale)) for n in (pixels.shape[1], pixels.shape[0]))
    return _shrink(pixels, width, height)


def _shrink(pixels: Pixels, width: int, height: int) -> Pixels:
    resized: Any = cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(resized, dtype=np.uint8)


def _frame(small: Pixels, aspect: float) -> Frame:
    layout = cv2.cvtColor(_shrink(small, LAYOUT, LAYOUT), cv2.COLOR_RGB2LAB)
    gray = cv2.cvtColor(small, cv2.COLOR_RGB2GRAY)
    return Frame(_dhash(gray), _phash(gray), np.asarray(layout, np.uint8), aspect)


def _dhash(gray: Any) -> int:
    """64 bits: is each of 8 by 8 cells darker than its right neighbour?"""
    cells = cv2.resize(gray, (9, 8), interpolation=cv2.INTER_AREA).astype(np.int16)
    return _bits(cells[:, 1:] > cells[:, :-1])


def _phash(gray: Any) -> int:
    """64 bits: low frequencies of the cosine transform above their median."""
    cells = cv2.resize(gray, (32, 32), interpolation=cv2.INTER_AREA).astype(np.float32)
    low = cv2.dct(cells)[:8, :8].ravel()
    return _bits(low > np.median(low[1:]))


def _bits(flags: Any) -> int:
    return int.from_bytes(np.packbits(np.asarray(flags, bool).ravel()).tobytes(), "big")
