"""Pictures on a page: rectangles of many colours on ground of one colour, as in a screenshot."""

from typing import Any, Final

import cv2
import numpy as np

from hopsight.search.pixels import Pixels

SIDE: Final = 640
# What is no page by far is told from a coarse look.
GLANCE: Final = 160
# Share of the pixels that the commonest colour must have for a picture to be a page, and how far
# from it (of 255, in any channel) a pixel still is ground.
GROUND: Final = 0.12
GROUND_SPREAD: Final = 10
# Strokes of text are thinner than this at SIDE; what stays when they are gone is a picture.
STROKE: Final = 9
MIN_SIDE: Final = 40
MIN_SHARE: Final = 0.01
MAX_SHARE: Final = 0.95
# Share of its box that a picture fills: sky in the colour of the page leaves some of it out.
FILLED: Final = 0.6
MAX_REGIONS: Final = 4


def without_text(pixels: Pixels, share: float) -> Pixels | None:
    """A page with its text painted over, so that what stays are its pictures.

    None where less than `share` of the pixels have the commonest colour: it is no page.
    """
    small = _small(pixels, SIDE)
    ground = _ground(small)
    if ground.mean() < share:
        return None
    shapes = cv2.dilate(_shapes(ground), np.ones((3 * STROKE, 3 * STROKE), np.uint8))
    size = pixels.shape[1], pixels.shape[0]
    kept = cv2.resize(shapes, size, interpolation=cv2.INTER_NEAREST) == 255
    colour = np.median(small[ground], axis=0).astype(np.uint8)
    return np.where(kept[..., None], pixels, colour)


def regions(pixels: Pixels) -> tuple[list[Pixels], bool]:
    """The pictures that a page shows, largest first, and whether these are all of them.

    No more than MAX_REGIONS; none, and not all, where it is no page. A picture that the colour of
    the page runs into is not told from it, so that the page has to be searched as a whole.
    """
    if _ground(_small(pixels, GLANCE)).mean() < GROUND / 2:
        return [], False
    small = _small(pixels, SIDE)
    ground = _ground(small)
    if ground.mean() < GROUND:
        return [], False
    boxes, whole = _boxes(_shapes(ground))
    scale = pixels.shape[1] / small.shape[1], pixels.shape[0] / small.shape[0]
    found = []
    for _, top, left, height, width in sorted(boxes)[:MAX_REGIONS]:
        rows = slice(round(top * scale[1]), round((top + height) * scale[1]))
        columns = slice(round(left * scale[0]), round((left + width) * scale[0]))
        found.append(np.ascontiguousarray(pixels[rows, columns]))
    return found, whole and 0 < len(boxes) <= MAX_REGIONS


def _boxes(shapes: Any) -> tuple[list[tuple[int, int, int, int, int]], bool]:
    """(less area, top, left, height, width) of what fills its box, and if all that counts does."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(shapes)
    boxes, whole = [], True
    for label in range(1, len(stats)):
        left, top, width, height, _ = (int(value) for value in stats[label])
        share = width * height / shapes.size
        if min(width, height) < MIN_SIDE or not MIN_SHARE <= share <= MAX_SHARE:
            continue
        part = labels[top : top + height, left : left + width] == label
        if _filled(part) >= FILLED:
            boxes.append((-width * height, top, left, height, width))
        else:
            whole = False
    return boxes, whole


def _small(pixels: Pixels, side: int) -> Pixels:
    scale = side / max(pixels.shape[:2])
    if scale >= 1:
        return pixels
    size = (max(1, round(pixels.shape[1] * scale)), max(1, round(pixels.shape[0] * scale)))
    # Nearest: between two pixels of one colour there is no third.
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_NEAREST), np.uint8)


def _ground(small: Pixels) -> Any:
    """Where the picture has its commonest colour."""
    coarse = (small >> 3).astype(np.int64)
    codes = (coarse[..., 0] << 10) | (coarse[..., 1] << 5) | coarse[..., 2]
    commonest = int(np.bincount(codes.ravel()).argmax())
    colour = np.median(small[codes == commonest], axis=0)
    return (np.abs(small.astype(np.int16) - colour).max(axis=-1)) <= GROUND_SPREAD


def _shapes(ground: Any) -> Any:
    """255 where something thicker than the strokes of text stands on the ground."""
    lit = np.where(ground, 0, 255).astype(np.uint8)
    return cv2.morphologyEx(lit, cv2.MORPH_OPEN, np.ones((STROKE, STROKE), np.uint8))


def _filled(part: Any) -> float:
    """Share of a box that a shape fills, its holes included."""
    contours, _ = cv2.findContours(
        part.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE
    )
    return sum(float(cv2.contourArea(each)) for each in contours) / float(part.size)
