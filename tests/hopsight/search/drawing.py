"""Pictures drawn to try the image index: signs of one layout, bands of colour, busy scenes."""

import hashlib
import io
import random
from collections.abc import Callable

from PIL import Image, ImageDraw, ImageEnhance, ImageFont

from hopsight.types import ImageRef, PageImage

SIZE = (720, 512)
WORDS = (
    "Ardmore Belcastle Corvin Dunhaven Estermont Falkirk Greywater Hollin Ivenport Jorvale "
    "Kestrel Lowmoor Marston Norhaven Oakden Pelham Quarnford Redmire Stanmoor Thornby Ulster "
    "Varley Westmere Yarrow Zennor Ashcombe Birchover Clavering Denholm Eastleigh Fenwick Garrick"
).split()
COLOURS = ("#c8102e", "#0033a0", "#007a3d", "#ffcd00", "#ffffff", "#000000", "#ff8200", "#6cace4")


def font(size: int) -> ImageFont.ImageFont | ImageFont.FreeTypeFont:
    return ImageFont.load_default(size)


def sign(number: int) -> Image.Image:
    """A town sign: frame, heading and footer are the same on all, two lines differ."""
    rng = random.Random(f"sign {number}")
    image = Image.new("RGB", SIZE, "#f4f1e4")
    pen = ImageDraw.Draw(image)
    pen.rounded_rectangle((24, 24, 695, 487), radius=30, outline="#1d3b2a", width=12)
    pen.text((360, 100), "WELCOME TO", fill="#1d3b2a", font=font(52), anchor="mm")
    pen.text((360, 220), " ".join(rng.sample(WORDS, 2)), fill="#1d3b2a", font=font(64), anchor="mm")
    pen.text(
        (360, 320), f"founded {rng.randint(900, 1899)}", fill="#444", font=font(40), anchor="mm"
    )
    pen.text((360, 410), "please drive carefully", fill="#1d3b2a", font=font(40), anchor="mm")
    return image


def bands(number: int) -> Image.Image:
    """A flag of two to four plain bands; numbers give different flags, some of them mirrored."""
    rng = random.Random(f"bands {number}")
    image = Image.new("RGB", SIZE)
    pen = ImageDraw.Draw(image)
    count, upright = rng.choice((2, 3, 3, 4)), rng.random() < 0.5
    for band, colour in enumerate(rng.sample(COLOURS, count)):
        if upright:
            pen.rectangle((band * 720 // count, 0, 720, 512), fill=colour)
        else:
            pen.rectangle((0, band * 512 // count, 720, 512), fill=colour)
    return image


def scene(number: int) -> Image.Image:
    """Overlapping shapes and lines: many corners, none of them shared."""
    rng = random.Random(f"scene {number}")
    image = Image.new("RGB", SIZE, rng.choice(COLOURS))
    pen = ImageDraw.Draw(image)
    for _ in range(60):
        x, y = rng.randrange(720), rng.randrange(512)
        corners = [(x + rng.randint(-90, 90), y + rng.randint(-90, 90)) for _ in range(4)]
        colour = tuple(rng.randrange(256) for _ in range(3))
        pen.polygon(corners, fill=colour)
    return image


def emblem(number: int) -> Image.Image:
    """The same wreath and banner around one of many charges."""
    rng = random.Random(f"emblem {number}")
    image = Image.new("RGB", SIZE, "#ffffff")
    pen = ImageDraw.Draw(image)
    for angle in range(0, 360, 12):
        pen.arc((180, 70, 540, 430), angle, angle + 7, fill="#2e7d32", width=22)
    pen.rectangle((200, 440, 520, 490), fill="#8d1b1b")
    pen.text((360, 465), "UNITY AND PEACE", fill="#ffffff", font=font(32), anchor="mm")
    points = [(rng.randint(250, 470), rng.randint(150, 360)) for _ in range(rng.randint(5, 9))]
    pen.polygon(points, fill=rng.choice(COLOURS[:4]))
    pen.ellipse((*points[0], points[0][0] + 40, points[0][1] + 40), fill=rng.choice(COLOURS[:4]))
    return image


def plaque(number: int) -> Image.Image:
    """A street plaque: the same words on all, only the house number differs."""
    image = Image.new("RGB", SIZE, "#12306b")
    pen = ImageDraw.Draw(image)
    pen.rectangle((20, 20, 699, 491), outline="#ffffff", width=8)
    pen.text((360, 130), "HARBOUR STREET", fill="#ffffff", font=font(64), anchor="mm")
    pen.text((360, 390), "Old Town District", fill="#ffffff", font=font(44), anchor="mm")
    pen.text((360, 260), f"{number % 10000:04d}", fill="#ffffff", font=font(90), anchor="mm")
    return image


KINDS: dict[str, Callable[[int], Image.Image]] = {
    "sign": sign,
    "bands": bands,
    "scene": scene,
    "emblem": emblem,
    "plaque": plaque,
}


def png(image: Image.Image) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, format="PNG")
    return buffer.getvalue()


def jpeg(image: Image.Image, quality: int = 90) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, format="JPEG", quality=quality)
    return buffer.getvalue()


def resized(image: Image.Image, rng: random.Random) -> bytes:
    scale = rng.uniform(0.4, 0.9)
    return jpeg(image.resize((round(720 * scale), round(512 * scale))), 40)


def cropped(side: float) -> Callable[[Image.Image, random.Random], bytes]:
    def crop(image: Image.Image, rng: random.Random) -> bytes:
        width, height = round(image.width * side), round(image.height * side)
        left, top = rng.randint(0, image.width - width), rng.randint(0, image.height - height)
        return png(image.crop((left, top, left + width, top + height)))

    return crop


def turned(image: Image.Image, rng: random.Random) -> bytes:
    return png(image.rotate(rng.uniform(-15, 15), expand=True, resample=Image.Resampling.BICUBIC))


def brightened(image: Image.Image, rng: random.Random) -> bytes:
    return jpeg(ImageEnhance.Brightness(image).enhance(rng.uniform(0.75, 1.2)))


def mirrored(image: Image.Image, rng: random.Random) -> bytes:
    return png(image.transpose(Image.Transpose.FLIP_LEFT_RIGHT))


def quarter(image: Image.Image, rng: random.Random) -> bytes:
    return png(image.rotate(rng.choice((90, 180, 270)), expand=True))


Change = Callable[[Image.Image, random.Random], bytes]

CHANGES: dict[str, Change] = {
    "resize+jpeg40": resized,
    "crop 70 %": cropped(0.7),
    "crop 40 %": cropped(0.4),
    "turned 15": turned,
    "brightness": brightened,
    "mirrored": mirrored,
    "quarter turns": quarter,
}


def reference(data: bytes, name: str) -> ImageRef:
    with Image.open(io.BytesIO(data)) as image:
        width, height = image.size
    return ImageRef(
        sha256=hashlib.sha256(data).hexdigest(),
        mime="image/png",
        width=width,
        height=height,
        source_url=f"https://pictures.example/{name}.png",
        license="CC0-1.0",
        author="drawn for tests",
    )


def row(kind: str, number: int) -> tuple[PageImage, bytes, str, str]:
    data = png(KINDS[kind](number))
    name = f"{kind}-{number}"
    image = PageImage(
        page_id=number, file=f"{name}.png", image=reference(data, name), visual_facts=(), text=()
    )
    return image, data, name, f"https://wiki.example/{name}"
