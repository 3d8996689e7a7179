import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from hopsight.errors import PictureError
from hopsight.net import Fetched, picture_of
from hopsight.net.kinds import kind_of
from hopsight.store.images import inspect_picture

RED, BLUE = (255, 0, 0), (0, 0, 255)


def fetched(body: bytes, status: int = 200) -> Fetched:
    return Fetched("http://public.example/p", status, kind_of(body, "image/png"), body)


def saved(kind: str, *colours: tuple[int, ...], mode: str = "RGB") -> bytes:
    """A picture of 40×30 for each colour, all in one file."""
    first, *others = [Image.new(mode, (40, 30), colour) for colour in colours]
    out = io.BytesIO()
    if others:
        first.save(out, kind, save_all=True, append_images=others, lossless=True)
    else:
        first.save(out, kind)
    return out.getvalue()


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_a_still_picture_comes_as_it_is(kind: str) -> None:
    body = saved(kind, RED)
    assert picture_of(fetched(body)) is body


@pytest.mark.parametrize("kind", ["GIF", "PNG", "WEBP"])
def test_the_first_picture_of_an_animation_comes_as_png(kind: str) -> None:
    picture = picture_of(fetched(saved(kind, RED, BLUE)))
    assert inspect_picture(picture, "first") == ("PNG", 40, 30)
    with Image.open(io.BytesIO(picture)) as image:
        assert (image.convert("RGB").getpixel((5, 5)), getattr(image, "n_frames", 1)) == (RED, 1)


def test_a_still_gif_comes_as_png_and_stays_see_through() -> None:
    clear = Image.new("P", (4, 4), 0)
    out = io.BytesIO()
    clear.save(out, "GIF", transparency=0)
    with Image.open(io.BytesIO(picture_of(fetched(out.getvalue())))) as image:
        assert (image.format, image.mode, image.getpixel((1, 1))[3]) == ("PNG", "RGBA", 0)  # type: ignore[index]


def test_a_photograph_with_others_behind_it_comes_as_a_plain_jpeg() -> None:
    body = saved("MPO", RED, BLUE)
    with (
        Image.open(io.BytesIO(body)) as several,
        Image.open(io.BytesIO(picture_of(fetched(body)))) as first,
    ):
        assert (several.format, first.format, first.size) == ("MPO", "JPEG", (40, 30))


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b'<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///x"/></svg>', "SVG"),
        (b"<!doctype html><title>Sorry</title>", "text/html"),
        (b"", "text/plain"),
        (saved("BMP", RED), "image/bmp"),
        (saved("TIFF", RED), "image/tiff"),
        (saved("PNG", RED)[:-30], "cannot be read"),
        (saved("GIF", RED)[:20], "cannot be read"),
        (b"%!PS-Adobe-3.0 EPSF-3.0", "text/plain"),
    ],
)
def test_what_is_no_sound_picture_is_refused_with_the_reason(body: bytes, why: str) -> None:
    with pytest.raises(PictureError, match=why):
        picture_of(fetched(body))


def test_the_picture_beside_an_error_status_is_not_the_one_asked_for() -> None:
    with pytest.raises(PictureError, match="status 404"):
        picture_of(fetched(saved("PNG", RED), 404))


SOUND = (
    *(saved(kind, RED, BLUE) for kind in ("PNG", "WEBP", "GIF", "MPO")),
    *(saved(kind, RED) for kind in ("PNG", "WEBP", "GIF", "JPEG")),
)


@pytest.mark.filterwarnings("ignore::UserWarning")  # Pillow's, about what is damaged
@given(
    st.sampled_from(SOUND),
    st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), max_size=6),
)
def test_damaged_pictures_are_refused_or_readable_and_never_a_crash(
    sound: bytes, damage: list[tuple[float, int]]
) -> None:
    body = bytearray(sound)
    for place, value in damage:
        body[int(place * len(body))] = value
    try:
        assert inspect_picture(picture_of(fetched(bytes(body))), "damaged")[1] > 0
    except PictureError as error:
        assert error.cause
