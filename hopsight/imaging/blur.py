"""How blurred a picture is, and its deconvolution."""

from typing import Final

import cv2
import numpy as np

from hopsight.imaging.arrays import Raster
from hopsight.search.pixels import Pixels

MAX_SIGMA: Final = 6.0
NATURAL_SIGMA: Final = 0.6
"""What an edge of an ordinary sharp photograph measures: lens, sensor and resampling."""

_RINGS: Final = (1.0, 2.0, 4.0)
_PREFILTER: Final = 0.7
_MIN_GRADIENT: Final = 8.0
_MIN_EDGES: Final = 30
_NOISE: Final = 0.3


def blur_sigma(plane: Raster) -> float:
    """The Gaussian blur of the edges of `plane` in pixels; 0 where it has hardly any edges.

    The picture is blurred once more by a known sigma s. An edge of width σ then loses gradient by
    R = sqrt(1 + s²/σ²), which gives σ (Zhuo and Sim, 2011). Wide edges are measured with a wider
    s, after light smoothing, since noise would otherwise decide. The median over the strongest
    twentieth of all gradients that are local maxima is taken.
    """
    found = 0.0
    for ring in _RINGS:
        before = _PREFILTER * ring if ring > _RINGS[0] else 0.0
        measured = _edge_width(_blurred(plane, before), ring)
        if measured is None:
            break
        found = float(np.sqrt(max(measured - before * before, 0.04)))
        if found < 1.3 * ring:
            break
    return min(found, MAX_SIGMA)


def deblur(pixels: Pixels, sigma: float) -> Pixels:
    """`pixels` with a Gaussian blur of `sigma` taken back in brightness; colours stay as they are.

    A Wiener filter: H / (H² + n·f²), where H is the blur at spatial frequency f and n·f² the
    noise over the signal, since the power of natural pictures falls with the frequency's square.
    """
    bright = cv2.cvtColor(pixels, cv2.COLOR_RGB2YCrCb)
    plane = _wiener(bright[:, :, 0].astype(np.float32), sigma)
    bright[:, :, 0] = np.clip(np.rint(plane), 0, 255).astype(np.uint8)
    sharp: Raster = cv2.cvtColor(bright, cv2.COLOR_YCrCb2RGB)
    return sharp


def brightness(pixels: Pixels) -> Raster:
    """The grey values of an RGB picture."""
    plane: Raster = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY).astype(np.float32)
    return plane


def _edge_width(plane: Raster, ring: float) -> float | None:
    """The median squared width of edges; None where there are too few."""
    first = _gradient(plane)
    second = _gradient(_blurred(plane, ring))
    peak = first >= cv2.dilate(first, np.ones((3, 3), np.uint8))
    edges = peak & (first > max(float(np.percentile(first, 95)), _MIN_GRADIENT))
    if int(edges.sum()) < _MIN_EDGES:
        return None
    ratio = np.maximum(first[edges] / np.maximum(second[edges], 1e-3), 1.0001)
    return float(np.median(ring * ring / (ratio * ratio - 1)))


def _gradient(plane: Raster) -> Raster:
    across = cv2.Sobel(plane, cv2.CV_32F, 1, 0)
    down = cv2.Sobel(plane, cv2.CV_32F, 0, 1)
    length: Raster = cv2.magnitude(across, down)
    return length


def _blurred(plane: Raster, sigma: float) -> Raster:
    blurred: Raster = cv2.GaussianBlur(plane, (0, 0), sigma) if sigma > 0 else plane
    return blurred


def _wiener(plane: Raster, sigma: float) -> Raster:
    # The frame is mirrored outward: a jump at the border would ring far into the picture.
    edge = int(4 * sigma) + 8
    rows, columns = plane.shape
    height = cv2.getOptimalDFTSize(rows + 2 * edge)
    width = cv2.getOptimalDFTSize(columns + 2 * edge)
    framed = cv2.copyMakeBorder(
        plane, edge, height - rows - edge, edge, width - columns - edge, cv2.BORDER_REFLECT
    )
    down = np.fft.fftfreq(height).astype(np.float32)[:, None]
    across = np.fft.rfftfreq(width).astype(np.float32)[None, :]
    frequency = down * down + across * across
    blur = np.exp(-2 * (np.pi * sigma) ** 2 * frequency).astype(np.float32)
    gain = blur / (blur * blur + _NOISE * frequency + 1e-9)
    spectrum = np.fft.rfft2(framed) * gain
    sharp = np.fft.irfft2(spectrum, s=(height, width))
    return sharp[edge : edge + rows, edge : edge + columns].astype(np.float32)
