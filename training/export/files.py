"""What an export gives back, and the pictures that lie beside its file."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from hopsight.store import ImageStore
from hopsight.store.files import storage_errors, write_atomic
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
    """Put exactly these pictures where a trainer looks for them, beside the file in `folder`."""
    wanted = {image_path(image): image for image in images}
    with storage_errors(folder):
        (folder / IMAGES).mkdir(parents=True, exist_ok=True)
        for path in (folder / IMAGES).iterdir():
            if f"{IMAGES}/{path.name}" not in wanted:
                path.unlink()  # of an earlier version of this export
    for name, image in sorted(wanted.items()):
        if not (folder / name).exists():
            write_atomic(folder / name, store.bytes(image.sha256))
