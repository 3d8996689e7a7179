"""Which of a page's pictures a question shows."""

from collections.abc import Sequence

from hopsight.types import ImageRef, PageImage
from hopsight.unique import World


def picture_shown(world: World, page_id: int, shown: Sequence[ImageRef]) -> PageImage | None:
    """The page's picture that is among those shown, told by its bytes; None where none is."""
    hashes = {image.sha256 for image in shown}
    of_page = world.images(page_id)
    return next((picture for picture in of_page if picture.image.sha256 in hashes), None)
