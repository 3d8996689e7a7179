"""Seeded changes of a picture, as a person or a policy makes them before searching with it.

The parameters below were fixed before any threshold of the index was set.
"""

import io
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from PIL import Image, ImageDraw, ImageEnhance, ImageFont

SCALE: Final = (0.35, 0.9)
POOR_QUALITY: Final = 40
GOOD_QUALITY: Final = 90
TURN_DEGREES: Final = 15.0
BRIGHTNESS: Final = (0.6, 1.4)
PAGE_WIDTH: Final = 1280
PAGE_HEIGHT: Final = (900, 1500)
# The photograph's width as a share of the page's.
SHOWN: Final = (0.25, 0.6)
PAGE_QUALITY: Final = 85

WORDS: Final = (
    "the tower stands near an old river and was built by masons who came from distant towns "
    "visitors climb narrow stairs to see gardens walls gates bridges and a wide square below "
    "records of its first years are lost but letters travel guides and maps describe repairs"
).split()

Change = Callable[[Image.Image, random.Random], bytes]


def jpeg(image: Image.Image, quality: int) -> bytes:
    """The picture as JPEG."""
    buffer = io.BytesIO()
    image.convert("RGB").save(buffer, format="JPEG", quality=quality)
    return buffer.getvalue()


def png(image: Image.Image) -> bytes:
    """The picture as lightly compressed PNG."""
    buffer = io.BytesIO()
    image.save(buffer, format="PNG", compress_level=1)
    return buffer.getvalue()


def resized(image: Image.Image, rng: random.Random) -> bytes:
    """Smaller, in poor JPEG."""
    scale = rng.uniform(*SCALE)
    size = (round(image.width * scale), round(image.height * scale))
    return jpeg(image.resize(size, Image.Resampling.LANCZOS), POOR_QUALITY)


def cropped(side: float) -> Change:
    """A part, `side` of the width and of the height, anywhere."""

    def crop(image: Image.Image, rng: random.Random) -> bytes:
        width, height = round(image.width * side), round(image.height * side)
        left, top = rng.randint(0, image.width - width), rng.randint(0, image.height - height)
        return jpeg(image.crop((left, top, left + width, top + height)), GOOD_QUALITY)

    return crop


def turned(image: Image.Image, rng: random.Random) -> bytes:
    """Turned a little, corners black."""
    angle = rng.uniform(-TURN_DEGREES, TURN_DEGREES)
    return jpeg(image.rotate(angle, Image.Resampling.BICUBIC, expand=True), GOOD_QUALITY)


def brightened(image: Image.Image, rng: random.Random) -> bytes:
    """Darker or brighter."""
    return jpeg(ImageEnhance.Brightness(image).enhance(rng.uniform(*BRIGHTNESS)), GOOD_QUALITY)


def on_page(image: Image.Image, rng: random.Random) -> bytes:
    """A screenshot of a page: a bar, a heading, columns of text, the picture, other pictures."""
    height = rng.randint(*PAGE_HEIGHT)
    dark = rng.random() < 0.2
    paper, ink = ("#16181c", "#d8dade") if dark else ("#ffffff", "#202124")
    page = Image.new("RGB", (PAGE_WIDTH, height), paper)
    pen = ImageDraw.Draw(page)
    accent = rng.choice(("#0b57d0", "#8a1c1c", "#1d6b3a", "#444444"))
    pen.rectangle((0, 0, PAGE_WIDTH, 64), fill=accent)
    pen.text((32, 16), " ".join(rng.sample(WORDS, 4)).title(), fill="#ffffff", font=_font(28))
    pen.text((48, 92), " ".join(rng.sample(WORDS, 3)).title(), fill=ink, font=_font(44))
    width = round(PAGE_WIDTH * rng.uniform(*SHOWN))
    shown = image.convert("RGB").resize(
        (width, max(1, round(width * image.height / image.width))), Image.Resampling.LANCZOS
    )
    left = rng.choice((48, (PAGE_WIDTH - width) // 2, PAGE_WIDTH - width - 48))
    top = rng.randint(170, max(171, height - shown.height - 120))
    _write(pen, rng, (48, 170, PAGE_WIDTH - 48, height - 240), ink)
    for number in range(3):
        page.paste(scene(rng, 380, 200), (48 + 410 * number, height - 220))
    pen.rectangle((left - 12, top - 12, left + width + 12, top + shown.height + 44), fill=paper)
    page.paste(shown, (left, top))
    pen.text(
        (left, top + shown.height + 8), " ".join(rng.sample(WORDS, 5)), fill=ink, font=_font(18)
    )
    return png(page) if rng.random() < 0.5 else jpeg(page, PAGE_QUALITY)


CHANGES: Final[Mapping[str, Change]] = {
    "resize_jpeg": resized,
    "crop_70": cropped(0.7),
    "crop_40": cropped(0.4),
    "turn_15": turned,
    "brightness": brightened,
    "screenshot": on_page,
}


def variants(kind: str, name: str, image: Image.Image, count: int) -> Sequence[bytes]:
    """The first `count` changed copies of a picture; equal arguments give equal bytes."""
    return [
        CHANGES[kind](image, random.Random(f"{kind} {name} {number}")) for number in range(count)
    ]


def _write(
    pen: ImageDraw.ImageDraw, rng: random.Random, box: tuple[int, int, int, int], ink: str
) -> None:
    left, top, right, bottom = box
    font = _font(19)
    for y in range(top, bottom, 30):
        if rng.random() < 0.12:
            continue
        line = ""
        while pen.textlength(line, font) < (right - left) * 0.97:
            line += rng.choice(WORDS) + " "
        pen.text((left, y), line, fill=ink, font=font)


def scene(rng: random.Random, width: int, height: int) -> Image.Image:
    """A drawn picture: overlapping shapes, many corners."""
    image = Image.new("RGB", (width, height), tuple(rng.randrange(256) for _ in range(3)))
    pen = ImageDraw.Draw(image)
    reach = height // 4
    for _ in range(40):
        x, y = rng.randrange(width), rng.randrange(height)
        corners = [
            (x + rng.randint(-reach, reach), y + rng.randint(-reach, reach)) for _ in range(4)
        ]
        pen.polygon(corners, fill=tuple(rng.randrange(256) for _ in range(3)))
    return image


def _font(size: int) -> ImageFont.ImageFont | ImageFont.FreeTypeFont:
    return ImageFont.load_default(size)
