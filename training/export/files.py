"""What an export gives back, and the pictures that lie beside its file."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from hopsight.store import ImageStore
from hopsight.store.files import write_atomic
from hopsight.types import ExportRow, ImageRef, Rejection

IMAGES = "images"
_SUFFIX = {"image/png": "png", "image/jpeg": "jpg", "image/webp": "webp"}


@dataclass(frozen=True, slots=True)
class Exported:
    """The files that were written, one record per row, and what could not be a row."""

    files: tuple[Path, ...]
    rows: tuple[ExportRow, ...]
    rejected: tuple[Rejection, ...]


def image_path(image: ImageRef) -> str:
    """Path of a picture relative to the export's folder."""
    return f"{IMAGES}/{image.sha256}.{_SUFFIX[image.mime]}"


def place_images(images: Iterable[ImageRef], store: ImageStore, folder: Path) -> None:
    """Put pictures where a trainer looks for them; those already there are left alone."""
    (folder / IMAGES).mkdir(parents=True, exist_ok=True)
    for image in sorted(set(images), key=lambda image: image.sha256):
        target = folder / image_path(image)
        if not target.exists():
            write_atomic(target, store.bytes(image.sha256))
