import asyncio

import pytest

from hopsight.errors import PictureError
from hopsight.imaging import LayoutLine, in_reading_order, open_layout_parser
from tests.hopsight.search import drawing


def line(text: str, x0: float, y0: float, x1: float, y1: float) -> LayoutLine:
    return LayoutLine(text, (x0, y0, x1, y1), 0.9)


def test_lines_are_read_row_by_row() -> None:
    left, right = line("left", 0.1, 0.11, 0.4, 0.2), line("right", 0.5, 0.1, 0.9, 0.19)
    below = line("below", 0.05, 0.22, 0.9, 0.3)
    assert in_reading_order([below, right, left]) == (left, right, below)


def test_without_the_engine_there_is_no_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert open_layout_parser() is None


def test_a_sign_is_read_with_the_places_of_its_lines() -> None:
    pytest.importorskip("rapidocr")
    parser = open_layout_parser()
    assert parser is not None and open_layout_parser() is parser
    image = drawing.sign(1)
    lines = asyncio.run(parser.parse(drawing.png(image.resize((360, 256)))))
    assert lines[0].text == "WELCOME TO"
    assert "founded" in " ".join(found.text for found in lines)
    x0, y0, x1, y1 = lines[0].box
    assert x0 < 0.5 < x1 and y0 < 100 / 512 < y1 and y1 - y0 < 0.2
    assert all(0.5 <= found.score <= 1 for found in lines)


def test_a_strip_too_long_to_read_is_refused_and_a_dot_is_empty() -> None:
    pytest.importorskip("rapidocr")
    parser = open_layout_parser()
    assert parser is not None
    with pytest.raises(PictureError, match="too long and narrow"):
        asyncio.run(parser.parse(drawing.png(drawing.sign(1).resize((2000, 8)))))
    assert asyncio.run(parser.parse(drawing.png(drawing.sign(1).resize((1, 1))))) == ()
    with pytest.raises(PictureError, match="cannot be read"):
        asyncio.run(parser.parse(b"no picture"))
