"""A number that stands in a drawn picture and nowhere else: who reads it has seen pixels."""

import secrets
from dataclasses import dataclass
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from hopsight.harness.bank import encode

DIGITS: Final = 6


@dataclass(frozen=True, slots=True)
class Challenge:
    """A number, and the picture that alone shows it."""

    number: str
    picture: bytes

    @classmethod
    def draw(cls) -> "Challenge":
        """A number that nobody can know who does not see it."""
        number = "".join(secrets.choice("0123456789") for _ in range(DIGITS))
        image = Image.new("RGB", (60 * DIGITS, 110), "white")
        font = ImageFont.load_default(size=80)
        ImageDraw.Draw(image).text((20, 10), number, fill="black", font=font)
        return cls(number, encode(image, "PNG"))

    def passed(self, answer: str) -> bool:
        """Whether the answer is the number; spaces and signs between its digits do not count."""
        digits = "".join(mark for mark in answer if mark.isdigit())
        return secrets.compare_digest(digits.encode(), self.number.encode())
