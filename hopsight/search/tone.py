"""Brightness and contrast taken out of a comparison: one curve for all channels."""

from typing import Any, Final

import numpy as np

from hopsight.search.features import Bytes

BINS: Final = 32
MIN_PIXELS: Final = 60
# A curve beyond these gains is no change of brightness but another picture.
DARKEST: Final = 0.4
BRIGHTEST: Final = 2.2
LIFT: Final = 12.0


def toned(ours: Any, theirs: Any, mask: Any) -> Bytes:
    """`ours` as it would look as bright as `theirs`, both (h, w, 3) uint8, where `mask` is 255.

    The curve is the median of their values for each of ours, rising, the same for red, green and
    blue: a picture that was brightened keeps its hues, one in other colours is not made to fit.
    Where theirs is burnt out the curve is flat, so that no texture is expected there.
    """
    inside = mask == 255
    joint = np.bincount(
        ((ours[inside].astype(np.int64) * BINS // 256) * 256 + theirs[inside]).ravel(),
        minlength=BINS * 256,
    ).reshape(BINS, 256)
    counts = joint.sum(axis=1)
    known = np.flatnonzero(counts >= MIN_PIXELS)
    if len(known) < 2:
        return np.asarray(ours, np.uint8)
    medians = (joint[known].cumsum(axis=1) * 2 >= counts[known, None]).argmax(axis=1)
    middles = (known + 0.5) * (256 / BINS)
    rising = np.maximum.accumulate(medians)
    values: Any = np.arange(256)
    curve = _extended(values, middles, rising)
    curve = np.clip(curve, DARKEST * values - LIFT, BRIGHTEST * values + LIFT)
    table: Bytes = np.clip(np.rint(curve), 0, 255).astype(np.uint8)
    return np.asarray(table[ours], np.uint8)


def _extended(values: Any, middles: Any, rising: Any) -> Any:
    """The curve between its points, and beyond them with the gain at its ends."""
    curve = np.interp(values, middles, rising)
    low, high = values < middles[0], values > middles[-1]
    curve[low] = rising[0] * values[low] / middles[0]
    curve[high] = rising[-1] + (values[high] - middles[-1])
    return curve
