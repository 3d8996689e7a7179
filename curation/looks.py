"""Which pictures look the same, as far as records tell."""

from collections import Counter
from typing import Protocol

from hopsight.types import PageImage
from hopsight.unique import World


class Pictures(Protocol):
    """Bytes of pictures by hash; `hopsight.store.ImageStore` is one."""

    def bytes(self, sha256: str) -> bytes:
        """The bytes. Raises StoreError where there are none."""


def shared_looks(world: World) -> Counter[object]:
    """How many pages have a picture of the same look."""
    of_pages = (set(map(look_of, world.images(page_id))) for page_id in world.ids())
    return Counter(look for looks in of_pages for look in looks)


def look_of(picture: PageImage) -> object:
    """What makes certain that two pictures look the same: their facts and words, or their bytes."""
    described = (picture.visual_facts, picture.text)
    return described if any(described) else picture.image.sha256
