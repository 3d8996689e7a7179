"""What arrived of a picture: somewhere on the way it may be replaced by something else, in silence.

One side sends `fields_picture()`, the other tells what it `seen` of it.
"""

import hashlib
import secrets
from typing import Any, Final

from PIL import Image

from hopsight.harness.bank import encode
from hopsight.search.pixels import open_picture
from hopsight.store.images import inspect_picture

GRID: Final = 4


def seen(data: bytes) -> dict[str, Any]:
    """Hash, size, and mean colours of 4 × 4 fields (rows from the top). Raises PictureError."""
    kind, width, height = inspect_picture(data, "sent")
    small = open_picture(data).resize((GRID, GRID), Image.Resampling.BOX)
    pixels = small.tobytes()
    fields = [list(pixels[at : at + 3]) for at in range(0, len(pixels), 3)]
    return {
        "sha256": hashlib.sha256(data).hexdigest(),
        "format": kind,
        "width": width,
        "height": height,
        "grid": [fields[row * GRID : (row + 1) * GRID] for row in range(GRID)],
    }


def fields_picture() -> bytes:
    """A PNG of 4 × 4 fields in colours drawn anew each time."""
    image = Image.frombytes("RGB", (GRID, GRID), secrets.token_bytes(3 * GRID * GRID))
    return encode(image.resize((64, 64), Image.Resampling.NEAREST), "PNG")
