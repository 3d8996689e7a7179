"""How much of a picture a worse or a restored version of it still gives, from 0 to 1."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from PIL import Image

from hopsight.imaging import LayoutParser, ssim
from hopsight.imaging.keypoints import FEW, found_again, keypoints
from hopsight.leak import folded
from hopsight.search.pixels import open_picture
from hopsight.types import MeasureName

MIN_LETTERS: Final = 8
"""A picture with less writing is measured as one without: one wrong letter would decide."""


@dataclass(frozen=True, slots=True)
class Scale:
    """What versions of one picture are measured by. `of` takes a version's bytes.

    `of` raises ProviderError where a service that reads text fails.
    """

    name: MeasureName
    of: Callable[[bytes], Awaitable[float]]


async def scale_for(original: bytes, reader: LayoutParser | None, written: str = "") -> Scale:
    """The scale that suits a picture: the first of text, key points and structural similarity.

    Text where there is a `reader` and the picture has writing: what is read is compared with what
    is `written` on it, or where that is not known with what is read in the original. Key points
    where the picture has enough of them; likeness of pixels is left for plain ones.

    Raises PictureError where the picture cannot be used, ProviderError as `Scale.of`.
    """
    if reader is not None:
        wanted = written or await _read(reader, original)
        if sum(char.isalnum() for char in wanted) >= MIN_LETTERS:
            return _by_text(reader, wanted)
    image = open_picture(original)
    return _by_keypoints(image) or _by_pixels(image)


def _by_text(reader: LayoutParser, wanted: str) -> Scale:
    async def of(data: bytes) -> float:
        return alike(await _read(reader, data), wanted)

    return Scale("text", of)


def _by_keypoints(image: Image.Image) -> Scale | None:
    known = keypoints(image)
    if len(known.points) < FEW:
        return None

    async def of(data: bytes) -> float:
        return found_again(known, keypoints(open_picture(data)))

    return Scale("keypoints", of)


def _by_pixels(image: Image.Image) -> Scale:
    async def of(data: bytes) -> float:
        return ssim(image, open_picture(data).resize(image.size, Image.Resampling.BICUBIC))

    return Scale("ssim", of)


def alike(read: str, wanted: str) -> float:
    """How much of one text stands in another, whatever its case: 1 where they are equal."""
    return SequenceMatcher(None, folded(read), folded(wanted), autojunk=False).ratio()


async def _read(reader: LayoutParser, data: bytes) -> str:
    return " ".join(line.text for line in await reader.parse(data))
