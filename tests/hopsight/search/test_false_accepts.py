"""Unknown pictures of the hard kinds: they resemble what the index holds and must find nothing."""

import random

import pytest
from PIL import Image

from hopsight.search import ImageIndex
from tests.hopsight.search import drawing

KNOWN = range(100, 106)
# 9100 and 6103 differ from a known plaque in one digit that looks much like the other.
UNKNOWN = (900, 9100, 6103)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> ImageIndex:
    rows = [drawing.row(kind, number) for kind in drawing.KINDS for number in KNOWN]
    return ImageIndex.build(rows, tmp_path_factory.mktemp("pictures"))


def unchanged(image: Image.Image, _: random.Random) -> bytes:
    return drawing.png(image)


@pytest.mark.parametrize(
    ("kind", "change"),
    [(kind, unchanged) for kind in drawing.KINDS] + [("sign", drawing.brightened)],
)
def test_an_unknown_picture_is_never_taken_for_the_nearest(
    index: ImageIndex, kind: str, change: drawing.Change
) -> None:
    known = {drawing.KINDS[kind](number).tobytes() for number in KNOWN}
    for number in UNKNOWN:
        image = drawing.KINDS[kind](number)
        if image.tobytes() not in known:
            assert index.search_pixels(change(image, random.Random(number)), 3) == []
