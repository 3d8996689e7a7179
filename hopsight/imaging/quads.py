"""Finding a flat rectangle that stands at an angle: a sign, a page, a tilted picture."""

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np

from hopsight.imaging.arrays import Points, Raster
from hopsight.imaging.lines import quads_of_lines

Quad = Points
"""Four corners, clockwise from the top left."""

WORK_SIDE: Final = 1024
MIN_AREA: Final = 0.08
"""Smallest share of the picture that a quadrilateral may cover."""
MIN_SUPPORT: Final = 0.85
"""Smallest share of each side that must lie within two pixels of an edge."""
MIN_LINE_SUPPORT: Final = 0.93
"""The same where nothing but four lines speaks for it."""
UPRIGHT: Final = 0.01
"""Corners this near (as a share of the picture) to an upright rectangle need no correction."""

_ANGLES: Final = (35.0, 145.0)
_CANNY: Final = ((20, 60), (50, 150), (100, 250))
_MAX_CONTOURS: Final = 40
_BAND_PX: Final = 4.0
_MIN_STEP: Final = 4.0
"""Smallest change of colour, over half a pixel, that marks a side."""


def find_quad(pixels: Raster) -> Quad | None:
    """The largest quadrilateral with edges all along its outline, in pixels of `pixels`.

    None where there is none, or where the largest stands upright already: then there is nothing
    to correct.
    """
    scale = min(1.0, WORK_SIDE / max(pixels.shape[:2]))
    small: Raster = pixels
    if scale < 1:
        small = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    best: Quad | None = None
    largest = MIN_AREA * small.shape[0] * small.shape[1]
    picture = small.astype(np.float32)
    for edges, outlines in _maps(small):
        near = cv2.dilate(edges, np.ones((5, 5), np.uint8))
        for outline in outlines:
            quad = _fitted(outline, picture)
            if quad is None or not is_sound(quad):
                continue
            area = float(cv2.contourArea(quad.astype(np.float32)))
            if area > largest * 1.001 and _support(quad, near) >= MIN_SUPPORT:
                best, largest = quad, area
    if best is None:
        best = _from_lines(small)
    if best is None or _stands_upright(best, small.shape[1], small.shape[0]):
        return None
    # Pixel centres lie at halves: scaling keeps the outer edges of the pixels together.
    found: Quad = (best + 0.5) / scale - 0.5
    return found


def is_sound(quad: Quad) -> bool:
    """Whether it is convex, clockwise, and without very sharp or very wide angles."""
    sides = np.roll(quad, -1, axis=0) - quad
    lengths = np.hypot(sides[:, 0], sides[:, 1])
    if float(lengths.min()) < 1:
        return False
    before = np.roll(sides, 1, axis=0)
    turns = before[:, 0] * sides[:, 1] - before[:, 1] * sides[:, 0]
    if not bool((turns > 0).all()):
        return False
    cosines = -(before * sides).sum(axis=1) / (lengths * np.roll(lengths, 1))
    angles = np.degrees(np.arccos(np.clip(cosines, -1, 1)))
    return bool(((angles > _ANGLES[0]) & (angles < _ANGLES[1])).all())


def _from_lines(small: Raster) -> Quad | None:
    """The largest quadrilateral of straight lines, each side of which is an edge."""
    edges = _canny(cv2.GaussianBlur(small, (0, 0), 1.2), *_CANNY[1])
    rows, columns = edges.shape
    near = cv2.dilate(edges, np.ones((3, 3), np.uint8))
    largest = MIN_AREA * rows * columns
    best: Quad | None = None
    for quad in quads_of_lines(edges):
        inside = (quad >= -2).all() and (quad <= np.array([columns + 1, rows + 1])).all()
        if not inside or not is_sound(quad):
            continue
        area = float(cv2.contourArea(quad.astype(np.float32)))
        if area > largest and _support(quad, near) >= MIN_LINE_SUPPORT:
            best, largest = quad, area
    return None if best is None else _refined(best, small.astype(np.float32))


def _canny(smooth: Raster, low: int, high: int) -> Raster:
    edges: Raster = np.zeros(smooth.shape[:2], np.uint8)
    for channel in range(3):
        edges = np.maximum(edges, cv2.Canny(smooth[:, :, channel], low, high))
    return edges


def _maps(pixels: Raster) -> Iterator[tuple[Raster, list[Points]]]:
    """Edge maps, each with its larger outlines as convex hulls."""
    smooth = cv2.GaussianBlur(pixels, (0, 0), 1.2)
    for low, high in _CANNY:
        edges = _canny(smooth, low, high)
        yield edges, _outlines(cv2.dilate(edges, np.ones((3, 3), np.uint8)))
    ground = _off_ground(smooth)
    edges = cv2.morphologyEx(ground, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    yield edges, _outlines(ground)


def _off_ground(smooth: Raster) -> Raster:
    """255 where the picture differs from the colour that most of its frame has."""
    frame = np.concatenate([smooth[0], smooth[-1], smooth[:, 0], smooth[:, -1]])
    distance = np.abs(smooth.astype(np.int16) - np.median(frame, axis=0)).max(axis=2)
    mask: Raster = (distance > 12).astype(np.uint8) * 255
    closed: Raster = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    return closed


def _outlines(mask: Raster) -> list[Points]:
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    smallest = MIN_AREA * mask.shape[0] * mask.shape[1]
    hulls = [cv2.convexHull(contour) for contour in contours if len(contour) >= 4]
    sized = [(cv2.contourArea(hull), number) for number, hull in enumerate(hulls)]
    kept = sorted((item for item in sized if item[0] >= smallest), reverse=True)[:_MAX_CONTOURS]
    return [hulls[number].reshape(-1, 2).astype(np.float64) for _, number in kept]


def _fitted(hull: Points, picture: Raster) -> Quad | None:
    """The quadrilateral of a hull, its sides moved to where colours change most."""
    outline = hull.astype(np.float32).reshape(-1, 1, 2)
    length = cv2.arcLength(outline, closed=True)
    for share in (0.01, 0.02, 0.03, 0.05):
        corners = cv2.approxPolyDP(outline, share * length, closed=True).reshape(-1, 2)
        if len(corners) <= 4:
            break
    if len(corners) != 4:
        return None
    return _refined(_ordered(corners.astype(np.float64)), picture)


def _ordered(corners: Quad) -> Quad:
    """Clockwise (y grows downward), from the corner nearest to the top left."""
    centre = corners.mean(axis=0)
    angles = np.arctan2(corners[:, 1] - centre[1], corners[:, 0] - centre[0])
    turned = corners[np.argsort(angles, kind="stable")]
    return np.roll(turned, -int(np.argmin(turned.sum(axis=1))), axis=0)


def _refined(quad: Quad, picture: Raster) -> Quad | None:
    lines = [_line(picture, quad[n], quad[(n + 1) % 4]) for n in range(4)]
    corners = [_crossing(lines[n - 1], lines[n]) for n in range(4)]
    if any(corner is None for corner in corners):
        return None
    return np.array(corners, dtype=np.float64)


def _line(picture: Raster, start: Points, end: Points) -> tuple[Points, Points]:
    """A point and a direction of a side, where colours change most across it.

    Along the side, `picture` is sampled on short lines at right angles; the centre of the
    steepest change of each is a point of the line.
    """
    side = end - start
    length = float(np.hypot(*side)) or 1.0
    along = side / length
    across = np.array([-along[1], along[0]])
    places = start + np.linspace(0.04, 0.96, 120)[:, None] * side
    offsets = np.arange(-_BAND_PX, _BAND_PX + 0.1, 0.5)
    grid = places[:, None, :] + offsets[None, :, None] * across
    samples = cv2.remap(
        picture,
        grid[:, :, 0].astype(np.float32),
        grid[:, :, 1].astype(np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    steps = np.abs(np.diff(samples, axis=1)).sum(axis=2)
    middles = (offsets[1:] + offsets[:-1]) / 2
    peaks = middles[np.argmax(steps, axis=1)]
    weights = steps * (np.abs(middles[None, :] - peaks[:, None]) <= 1.6)
    clear = steps.max(axis=1) >= _MIN_STEP
    if int(clear.sum()) < 30:
        return start, along
    shifts = (weights * middles).sum(axis=1)[clear] / weights.sum(axis=1)[clear]
    points = places[clear] + shifts[:, None] * across
    fit = cv2.fitLine(points.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).reshape(4)
    return fit[2:].astype(np.float64), fit[:2].astype(np.float64)


def _crossing(first: tuple[Points, Points], second: tuple[Points, Points]) -> Points | None:
    (start, along), (other, across) = first, second
    turn = along[0] * across[1] - along[1] * across[0]
    if abs(turn) < 0.1:
        return None
    gap = other - start
    crossing: Points = start + along * (gap[0] * across[1] - gap[1] * across[0]) / turn
    return crossing


def _support(quad: Quad, near: Raster) -> float:
    """Of the side with the fewest: the share of points that lie where `near` is set."""
    shares = np.linspace(0.02, 0.98, 200)[:, None]
    worst = 1.0
    for n in range(4):
        points = quad[n] + shares * (quad[(n + 1) % 4] - quad[n])
        columns, rows = np.rint(points).astype(int).T
        inside = (rows >= 0) & (rows < near.shape[0]) & (columns >= 0) & (columns < near.shape[1])
        hits = near[rows[inside], columns[inside]] > 0
        worst = min(worst, float(hits.sum()) / len(shares))
    return worst


def _stands_upright(quad: Quad, width: int, height: int) -> bool:
    left, top = quad.min(axis=0)
    right, bottom = quad.max(axis=0)
    box = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    off = np.abs(quad - box) / np.array([width, height])
    return bool(off.max() < UPRIGHT)
