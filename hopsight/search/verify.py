"""Is the query a view of this picture? Geometry first, then pixels under that geometry."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np

from hopsight.search.features import CHECK_SIDE, Bytes, Floats, Local
from hopsight.search.pixels import Pixels
from hopsight.search.tone import toned

RATIO: Final = 0.8
REPROJECTION_PX: Final = 4.0
BLOCK: Final = 16
MIN_INLIERS: Final = 8
# The fewer textured blocks both show (sand, haze, a small part), the more matches under one
# transformation it takes to be no accident: (blocks at least, matches at least).
ENOUGH: Final = ((6, MIN_INLIERS), (3, 12), (0, 20))
# A true view has no wrong block; one digit changed on a plaque makes one. Only where there are
# hundreds may one be an accident.
MAX_WRONG: Final = 0.005
MAX_WRONG_COLOUR: Final = 0.10
# A block this flat (standard deviation of grey) cannot tell two pictures apart by its texture.
FLAT: Final = 12.0
# Correlation of grey, and difference in the colour channels of Lab, that a true view keeps to.
ALIKE: Final = 0.75
# Below this share of wrong blocks it is worth aligning better before judging.
REFINE: Final = 0.5
MAX_REFINE_PX: Final = 8.0
TINT: Final = 12.0


@dataclass(frozen=True, slots=True)
class Evidence:
    """How well a query fits a picture, over the blocks that both show.

    `inliers`: feature matches under one transformation. `shared`: textured blocks, of which
    `wrong` have other pixels. `wrong_colour`: share of all blocks that have another colour.
    `covered`: share of the picture that the query shows.
    """

    inliers: int
    shared: int
    wrong: int
    wrong_colour: float
    covered: float


NOTHING: Final = Evidence(0, 0, 0, 1.0, 0.0)


def compare(query: Local, points: Floats, descriptors: Bytes, check: Pixels) -> Evidence:
    """Evidence that `query` shows the picture with these `points` (fractions of its sides)."""
    pairs = _ratio_matches(query.descriptors, descriptors)
    if len(pairs) < 4:
        return NOTHING
    source = query.points[pairs[:, 0]]
    target = points[pairs[:, 1]] * CHECK_SIDE
    best = NOTHING
    for matrix, inliers in _transformations(source, target):
        if inliers < MIN_INLIERS or not _plausible(matrix, query.work.shape):
            continue
        evidence = _pixel_evidence(query.work, check, matrix, inliers)
        if accepts(evidence):
            return evidence
        if evidence.inliers > best.inliers:
            best = evidence
    return best


def accepts(evidence: Evidence) -> bool:
    """Whether the evidence shows the same picture."""
    needed = next(inliers for shared, inliers in ENOUGH if evidence.shared >= shared)
    return (
        evidence.inliers >= needed
        and evidence.wrong <= MAX_WRONG * evidence.shared
        and evidence.wrong_colour <= MAX_WRONG_COLOUR
    )


def _transformations(source: Floats, target: Floats) -> Iterator[tuple[Any, int]]:
    """A homography, then an affine map, with their inliers.

    Where matches fill a corner only, the homography's freedom bends the rest of the picture.
    """
    error = REPROJECTION_PX * CHECK_SIDE / 640
    matrix, mask = cv2.findHomography(source, target, cv2.USAC_MAGSAC, error, maxIters=2000)
    if matrix is not None:
        yield matrix, int(mask.sum())
    affine, mask = cv2.estimateAffine2D(
        source, target, method=cv2.RANSAC, ransacReprojThreshold=error
    )
    if affine is not None:
        yield np.vstack([affine, [0.0, 0.0, 1.0]]), int(mask.sum())


def _ratio_matches(query: Bytes, entry: Bytes) -> Any:
    """Index pairs (n, 2): nearest neighbours that are clearly nearer than the second."""
    if len(query) < 4 or len(entry) < 4:
        return np.zeros((0, 2), np.int64)
    # In whole numbers, and not by a product of matrices: so small a one costs less than the
    # threads that a linear algebra library wakes for it.
    apart, found = cv2.batchDistance(query, entry, cv2.CV_32S, normType=cv2.NORM_L2SQR, K=2)
    (near, second), nearest = apart.T, found[:, 0]
    good = np.flatnonzero(near < RATIO * RATIO * second)
    # One match for each feature of the entry: repeated motifs would count many times.
    good = good[np.argsort(near[good], kind="stable")]
    _, first = np.unique(nearest[good], return_index=True)
    good = good[np.sort(first)]
    return np.stack([good, nearest[good]], axis=1)


def _plausible(matrix: Any, shape: tuple[int, ...]) -> bool:
    """Whether the query's outline stays a convex quadrilateral that is not mirrored."""
    height, width = shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    projected = np.c_[corners, np.ones(4)] @ matrix.T
    if (projected[:, 2] <= 1e-6).any():
        return False
    outline = (projected[:, :2] / projected[:, 2:]).astype(np.float32)
    area = cv2.contourArea(outline, oriented=True)
    share = area / (CHECK_SIDE * CHECK_SIDE)
    return bool(cv2.isContourConvex(outline)) and 0.01 < share < 100


def _pixel_evidence(work: Pixels, check: Pixels, matrix: Any, inliers: int) -> Evidence:
    size = (CHECK_SIDE, CHECK_SIDE)
    seen = cv2.warpPerspective(_softened(work, matrix), matrix, size, flags=cv2.INTER_LINEAR)
    whole = np.full(work.shape[:2], 255, np.uint8)
    mask = cv2.warpPerspective(whole, matrix, size, flags=cv2.INTER_NEAREST)
    # Blurring mixes the query's rim with the nothing around it.
    mask = cv2.erode(mask, np.ones((9, 9), np.uint8))
    ours, theirs = (cv2.GaussianBlur(p, (0, 0), 1.2) for p in (check, seen))
    ours = toned(ours, theirs, mask)
    inside = _blocks(mask[..., None])[..., 0].min(axis=1) == 255
    if not inside.any():
        return NOTHING
    lab, other = (cv2.cvtColor(p, cv2.COLOR_RGB2LAB) for p in (ours, theirs))
    a, b = (_blocks(p)[inside] for p in (lab, other))
    textured, alike = _correlation(a[..., 0], b[..., 0])
    if textured.any() and 0 < (alike[textured] < ALIKE).mean() < REFINE:
        other = _refined(lab, other, mask)
        b = _blocks(other)[inside]
        textured, alike = _correlation(a[..., 0], b[..., 0])
    tint = np.abs(a[..., 1:].mean(axis=1) - b[..., 1:].mean(axis=1)).max(axis=1)
    return Evidence(
        inliers=inliers,
        shared=int(textured.sum()),
        wrong=int((alike[textured] < ALIKE).sum()),
        wrong_colour=float((tint > TINT).mean()),
        covered=float(inside.mean()),
    )


def _softened(work: Pixels, matrix: Any) -> Any:
    """Blur away what the smaller frame cannot hold, or sampling would turn it into noise."""
    scale = float(np.sqrt(abs(np.linalg.det(matrix[:2, :2]))))
    return cv2.GaussianBlur(work, (0, 0), 0.5 / scale) if scale < 0.9 else work


def _blocks(image: Any) -> Any:
    """(256, 256, c) → (blocks, BLOCK*BLOCK, c) as float32."""
    side = CHECK_SIDE // BLOCK
    channels = image.shape[2]
    grid = image.reshape(side, BLOCK, side, BLOCK, channels).swapaxes(1, 2)
    return grid.reshape(side * side, BLOCK * BLOCK, channels).astype(np.float32)


def _refined(ours: Any, theirs: Any, mask: Any) -> Any:
    """`theirs` moved onto `ours` by the affine map that lets their greys correlate best."""
    steps = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 1e-4)
    start = np.eye(2, 3, dtype=np.float32)
    gray, other = (np.ascontiguousarray(p[..., 0]) for p in (ours, theirs))
    try:
        _, matrix = cv2.findTransformECC(gray, other, start, cv2.MOTION_AFFINE, steps, mask, 3)
    except cv2.error:
        return theirs  # it does not converge where the two have little in common
    if np.abs(matrix - np.eye(2, 3)).max(axis=0)[2] > MAX_REFINE_PX:
        return theirs
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (CHECK_SIDE, CHECK_SIDE)
    return cv2.warpAffine(theirs, matrix, size, flags=how, borderMode=cv2.BORDER_REPLICATE)


def _correlation(a: Any, b: Any) -> tuple[Any, Any]:
    """Which blocks have texture in either picture, and how well the two correlate (-1 to 1)."""
    a = a - a.mean(axis=1, keepdims=True)
    b = b - b.mean(axis=1, keepdims=True)
    spread_a, spread_b = a.std(axis=1), b.std(axis=1)
    textured = np.maximum(spread_a, spread_b) > FLAT
    floor = FLAT / 2
    alike = (a * b).mean(axis=1) / (np.maximum(spread_a, floor) * np.maximum(spread_b, floor))
    return textured, alike
