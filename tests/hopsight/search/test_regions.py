import random

import numpy as np
import pytest
from PIL import Image, ImageDraw

from hopsight.search import ImageIndex
from hopsight.search.regions import regions
from tests.hopsight.search import drawing

WORDS = "The tower stands near an old river and was built by masons who came from afar. "


def page(
    shown: Image.Image, width: int, paper: str = "#ffffff", ink: str = "#222222"
) -> Image.Image:
    """A page of text with a picture `width` pixels wide and a plain button."""
    made = Image.new("RGB", (1280, 1000), paper)
    pen = ImageDraw.Draw(made)
    for y in range(40, 960, 30):
        pen.text((40, y), WORDS * 2, fill=ink, font=drawing.font(19))
    height = round(width * shown.height / shown.width)
    pen.rectangle((588, 188, 612 + width, 212 + height), fill=paper)
    made.paste(shown.resize((width, height), Image.Resampling.LANCZOS), (600, 200))
    pen.rectangle((60, 800, 360, 900), fill="#c8102e")
    return made


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> ImageIndex:
    rows = [drawing.row(kind, number) for kind in ("scene", "bands") for number in range(4)]
    return ImageIndex.build(rows, tmp_path_factory.mktemp("pictures"))


@pytest.mark.parametrize(("paper", "ink"), [("#ffffff", "#222222"), ("#16181c", "#d8dade")])
def test_a_picture_on_a_page_is_cut_out_and_its_text_is_not(paper: str, ink: str) -> None:
    shown = drawing.scene(2)
    found, all_of_them = regions(np.asarray(page(shown, 480, paper, ink)))
    assert len(found) == 2
    assert all_of_them
    height, width = found[0].shape[:2]
    assert abs(width - 480) <= 8
    assert abs(height - 341) <= 8


def test_a_picture_without_ground_is_no_page() -> None:
    noise = np.random.default_rng(1).integers(0, 256, (400, 600, 3), dtype=np.uint8)
    assert regions(noise) == ([], False)


@pytest.mark.parametrize("width", [260, 480])
def test_a_page_finds_the_picture_that_it_shows(index: ImageIndex, width: int) -> None:
    for number in (0, 1, 2):
        data = drawing.jpeg(page(drawing.scene(number), width), 85)
        assert [hit.page_title for hit in index.search_pixels(data, 3)] == [f"scene-{number}"]


def test_a_page_that_shows_a_part_of_a_picture_finds_it(index: ImageIndex) -> None:
    part = drawing.scene(2).crop((100, 60, 640, 460))
    assert index.search_pixels(drawing.png(page(part, 500)), 1)[0].page_title == "scene-2"


def test_a_page_on_patterned_ground_is_searched_as_a_whole(index: ImageIndex) -> None:
    rng = random.Random(1)
    made = page(drawing.scene(2), 520)
    pen = ImageDraw.Draw(made)
    for x in range(0, 1280, 24):
        pen.line((x, 0, x + rng.randint(-9, 9), 170), fill="#999999", width=12)
    pen.rectangle((560, 150, 1180, 199), outline="#333333", width=14)
    assert index.search_pixels(drawing.png(made), 1)[0].page_title == "scene-2"


def test_a_page_of_unknown_pictures_finds_nothing(index: ImageIndex) -> None:
    for shown in (drawing.scene(77), drawing.plaque(12), drawing.bands(0)):
        assert index.search_pixels(drawing.png(page(shown, 480)), 3) == []
