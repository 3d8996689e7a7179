import asyncio
import time

import pytest
from PIL import Image

from hopsight.errors import PictureError
from hopsight.imaging import Interpolation, in_thread, open_upscaler, ssim
from hopsight.imaging.threads import MAX_THREADS
from hopsight.imaging.upscale import MAX_MODEL_PIXELS, RealEsrgan
from tests.hopsight.search import drawing


def test_interpolation_brings_a_quartered_picture_nearer_than_repeated_pixels() -> None:
    whole = drawing.scene(1)
    small = whole.resize((180, 128), Image.Resampling.BOX)
    large = asyncio.run(Interpolation().upscale(small, 4))
    assert large.size == whole.size
    assert ssim(whole, large) > ssim(whole, small.resize(whole.size, Image.Resampling.NEAREST))


def test_a_result_that_would_be_too_large_is_refused() -> None:
    with pytest.raises(PictureError, match="cut out a part with zoom_in"):
        asyncio.run(Interpolation().upscale(Image.new("RGB", (3000, 3000)), 2))
    with pytest.raises(PictureError, match="larger than"):
        asyncio.run(Interpolation().upscale(Image.new("RGB", (8, 9000)), 2))


def test_without_the_model_interpolation_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert open_upscaler().name == "interpolation-lanczos"


class Doubling:
    """Speaks as the super-resolution package does: a picture in, four times its sides out."""

    def process_pil(self, image: Image.Image) -> Image.Image:
        return image.resize((image.width * 4, image.height * 4))


@pytest.mark.parametrize("factor", [2, 3, 4])
def test_the_model_serves_every_factor_and_refuses_large_pictures(factor: int) -> None:
    upscaler = RealEsrgan(Doubling())
    large = asyncio.run(upscaler.upscale(Image.new("RGB", (40, 30)), factor))
    assert large.size == (40 * factor, 30 * factor)
    with pytest.raises(PictureError, match=str(MAX_MODEL_PIXELS)):
        asyncio.run(upscaler.upscale(Image.new("RGB", (200, 101)), factor))


def test_few_threads_work_however_many_ask_and_however_many_give_up() -> None:
    running, most = 0, 0

    def work() -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        time.sleep(0.01)
        running -= 1

    async def ask() -> None:
        calls = [asyncio.create_task(in_thread(work)) for _ in range(40)]
        await asyncio.sleep(0.02)
        for call in calls[::2]:
            call.cancel()
        await asyncio.gather(*calls, return_exceptions=True)

    for _ in range(2):  # a second event loop in the same process
        asyncio.run(ask())
    assert 1 <= most <= MAX_THREADS
