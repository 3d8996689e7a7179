"""The image bank of an episode: every picture the policy has seen, by a handle of its own."""

import io
from typing import Literal, Protocol

from PIL import Image

from hopsight.errors import Outcome, ToolError
from hopsight.harness.render import handle, parse_handle
from hopsight.types import BankImage, ImageRef

JPEG_QUALITY = 92
UNSTATED = "unknown"
Box = tuple[float, float, float, float]


class Pictures(Protocol):
    """Where picture bytes lie (an ImageStore, or what behaves like one)."""

    def put(self, data: bytes, source_url: str, license: str, author: str) -> ImageRef:
        """Check and store a picture."""
        ...

    def bytes(self, sha256: str) -> bytes:
        """The bytes of a stored picture."""
        ...


class ImageBank:
    """Handles count up from 0, task images first; none is ever reused or renumbered.

    `max_images` and `max_pixels` bound what tools may add; task images are always held.
    """

    def __init__(
        self, task: tuple[ImageRef, ...], pictures: Pictures, max_images: int, max_pixels: int
    ) -> None:
        self._pictures = pictures
        self._entries: list[BankImage] = []
        self._first: dict[str, int] = {}
        self._max_images = max_images
        self._max_pixels = max_pixels
        self._added = 0
        self._pixels = 0
        for image in task:
            self._append(image, None, None, None)

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def entries(self) -> tuple[BankImage, ...]:
        """All pictures in the order of their handles."""
        return tuple(self._entries)

    def add(
        self, image: ImageRef, call_id: str, parent: int | None = None, box: Box | None = None
    ) -> BankImage:
        """Register a picture that a tool brought.

        Raises ToolError (no_op) where the episode's budget of images or pixels is used up.
        """
        pixels = image.width * image.height
        left = self._max_pixels - self._pixels
        if self._added >= self._max_images:
            raise ToolError(
                Outcome.NO_OP, f"picture left out: the limit of {self._max_images} is reached"
            )
        if pixels > left:
            raise ToolError(
                Outcome.NO_OP,
                f"picture left out: it has {pixels} pixels, {left} are left to this episode",
            )
        self._added += 1
        self._pixels += pixels
        return self._append(image, call_id, parent, box)

    def resolve(self, text: str) -> BankImage:
        """The picture that an argument names.

        Raises ToolError (invalid_args), which lists the valid handles, where there is none.
        """
        number = parse_handle(text)
        if number is None or number >= len(self._entries):
            raise ToolError(
                Outcome.INVALID_ARGS, f"unknown image {text[:60]!r}; {self._valid_handles()}"
            )
        return self._entries[number]

    def data(self, entry: BankImage) -> bytes:
        """The bytes of a picture in the bank."""
        return self._pictures.bytes(entry.image.sha256)

    def pixels(self, number: int) -> bytes:
        """The bytes behind a handle's number. Raises ToolError as `resolve` does."""
        return self.data(self.resolve(str(number)))

    def store(self, image: Image.Image, made_from: BankImage | None) -> ImageRef:
        """Keep a picture that a tool made; it inherits source, licence and author.

        One that was made from no picture has no source, and nobody has said what licence it has.
        """
        if made_from is None:
            return self._pictures.put(encode(image, "PNG"), "", UNSTATED, UNSTATED)
        source = made_from.image
        lossy = source.mime == "image/jpeg"
        data = encode(image, "JPEG" if lossy else "PNG")
        return self._pictures.put(data, source.source_url, source.license, source.author)

    def _append(
        self, image: ImageRef, call_id: str | None, parent: int | None, box: Box | None
    ) -> BankImage:
        number = len(self._entries)
        entry = BankImage(
            handle=number,
            image=image,
            parent=parent,
            box=box,
            call_id=call_id,
            same_as=self._first.get(image.sha256),
        )
        self._first.setdefault(image.sha256, number)
        self._entries.append(entry)
        return entry

    def _valid_handles(self) -> str:
        count = len(self._entries)
        if not count:
            return "this episode has no images"
        if count <= 12:
            return f"valid: {', '.join(handle(n) for n in range(count))}"
        return f"valid: {handle(0)} to {handle(count - 1)}"


def encode(image: Image.Image, kind: Literal["JPEG", "PNG"]) -> bytes:
    """The bytes of a picture. Light compression: strong PNG compression costs a hundred times."""
    buffer = io.BytesIO()
    if kind == "JPEG":
        image.save(buffer, format="JPEG", quality=JPEG_QUALITY)
    else:
        image.save(buffer, format="PNG", compress_level=1)
    return buffer.getvalue()
