import random
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from hopsight.errors import PictureError, StoreError
from hopsight.search import ImageIndex
from hopsight.types import PageImage
from tests.hopsight.search import drawing

ROWS = [drawing.row(kind, number) for kind in drawing.KINDS for number in range(4)]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> ImageIndex:
    return ImageIndex.build(ROWS, tmp_path_factory.mktemp("pictures"))


def title(index: ImageIndex, data: bytes) -> str | None:
    hits = index.search_pixels(data, 3)
    return hits[0].page_title if hits else None


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[2])
def test_equal_bytes_are_an_exact_match(
    index: ImageIndex, row: tuple[PageImage, bytes, str, str]
) -> None:
    hit = index.search_pixels(row[1], 3)[0]
    assert (hit.page_title, hit.page_url, hit.match, hit.score) == (row[2], row[3], "exact", 1.0)
    assert hit.sha256 == row[0].image.sha256


@pytest.mark.parametrize("kind", drawing.KINDS)
def test_a_smaller_copy_in_bad_jpeg_is_found(index: ImageIndex, kind: str) -> None:
    for number in range(4):
        data = drawing.resized(drawing.KINDS[kind](number), random.Random(number))
        assert title(index, data) == f"{kind}-{number}"


@pytest.mark.parametrize("change", ["crop 70 %", "turned 15", "mirrored", "quarter turns"])
def test_a_changed_busy_picture_is_found(index: ImageIndex, change: str) -> None:
    for number in (0, 1):
        data = drawing.CHANGES[change](drawing.scene(number), random.Random(number))
        assert title(index, data) == f"scene-{number}"


def test_a_mirrored_flag_of_bands_is_another_flag(tmp_path: Path) -> None:
    rows = [row for row in ROWS if row[2].startswith("bands")]
    index = ImageIndex.build(rows, tmp_path)
    known = {row[1] for row in rows}
    for number in range(4):
        image = drawing.bands(number)
        for turned in (
            image.transpose(Image.Transpose.FLIP_LEFT_RIGHT),
            image.transpose(Image.Transpose.FLIP_TOP_BOTTOM),
            image.rotate(90, expand=True),
        ):
            data = drawing.png(turned)
            if data not in known and turned.tobytes() != image.tobytes():
                assert title(index, data) is None


def test_bands_of_a_slightly_other_colour_are_another_flag(index: ImageIndex) -> None:
    shifted = np.asarray(drawing.bands(0)).astype(int) + np.array((0, 24, -24))
    data = drawing.png(Image.fromarray(shifted.clip(0, 255).astype(np.uint8)))
    assert title(index, data) is None


def test_what_is_no_picture_is_refused(index: ImageIndex) -> None:
    for data in (b"", b"not a picture", ROWS[0][1][:200]):
        with pytest.raises(PictureError):
            index.search_pixels(data, 3)


def test_a_picture_on_two_pages_names_both(tmp_path: Path) -> None:
    image, data, _, _ = ROWS[0]
    rows = [(image, data, "B", "https://w/B"), (image, data, "A", "https://w/A")]
    index = ImageIndex.build(rows, tmp_path)
    assert [hit.page_title for hit in index.search_pixels(data, 5)] == ["A", "B"]
    assert len(index) == 1


def test_the_order_of_pictures_does_not_change_answers(tmp_path: Path) -> None:
    few = [row for row in ROWS if row[2].startswith("scene")]
    one, two = (
        ImageIndex.build(rows, tmp_path / name) for rows, name in ((few, "a"), (few[::-1], "b"))
    )
    data = drawing.cropped(0.7)(drawing.scene(2), random.Random(2))
    assert one.search_pixels(data, 3) == two.search_pixels(data, 3) != []


def test_a_damaged_index_names_the_remedy(tmp_path: Path) -> None:
    ImageIndex.build(ROWS[:2], tmp_path)
    (tmp_path / "entries.jsonl").write_text("")
    with pytest.raises(StoreError, match="again"):
        ImageIndex.open(tmp_path)


def test_an_empty_index_finds_nothing(tmp_path: Path) -> None:
    assert ImageIndex.build([], tmp_path).search_pixels(ROWS[0][1], 3) == []
