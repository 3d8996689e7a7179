"""Which pages go by a name, and which names stand in a text."""

import re
from collections.abc import Iterable
from typing import Final

from hopsight.leak import fold, leaks
from hopsight.steps.build_link import KnownEntity
from hopsight.unique import World

_UNSPACED: Final = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u3040-\u30ff\u3400-\u9fff]")
"""Scripts that write words without spaces."""
_ARTICLE: Final = "the "
_FEWEST: Final = 2
"""Folded characters of a name that is looked for in a text."""


class EntityNames:
    """Titles, aliases and redirects of a world in folded form. Immutable.

    Lists and disambiguation pages are no entities.
    """

    def __init__(self, world: World) -> None:
        found: dict[str, set[int]] = {}
        pictures: dict[str, set[int]] = {}
        for page_id in world.ids():
            page = world.page(page_id)
            if page.is_list or page.is_disambiguation:
                continue
            for name in world.names(page_id):
                found.setdefault(fold(name), set()).add(page_id)
            for picture in world.images(page_id):
                pictures.setdefault(picture.image.sha256, set()).add(page_id)
        found.pop("", None)
        self._world = world
        self._pages = {name: tuple(sorted(pages)) for name, pages in found.items()}
        self._pictures = {sha256: frozenset(pages) for sha256, pages in pictures.items()}
        self._words = max((name.count(" ") + 1 for name in found), default=0)
        self._unspaced = sorted(name for name in found if _UNSPACED.search(name))

    def pages(self, name: str) -> tuple[int, ...]:
        """The pages of that name, in ascending order; without its article where that finds none."""
        folded = fold(name)
        return self._pages.get(folded) or self._pages.get(folded.removeprefix(_ARTICLE), ())

    def of_picture(self, sha256: str) -> frozenset[int]:
        """The pages that have this very picture."""
        return self._pictures.get(sha256, frozenset())

    def mentioned(self, text: str) -> tuple[int, ...]:
        """The pages that a text names, those first that it names first.

        Longer names come before the shorter ones that they begin with.
        """
        folded = fold(text)
        places = {name: folded.find(name) for name in self._unspaced if name in folded}
        words, start = folded.split(), 0
        for first in range(len(words)):
            for length in range(1, self._words + 1):
                name = " ".join(words[first : first + length])
                if name in self._pages and len(name) >= _FEWEST:
                    places.setdefault(name, start)
            start += len(words[first]) + 1
        named = sorted(places, key=lambda name: (places[name], -len(name)))
        found = (page_id for name in named for page_id in self._pages[name])
        return tuple(
            page_id
            for page_id in dict.fromkeys(found)
            if leaks(text, self._world.names(page_id))  # "us" is not the US
        )

    def entities(self, pages: Iterable[int]) -> tuple[KnownEntity, ...]:
        """Pages as rules look for them, in the order of their ids."""
        return tuple(map(self._entity, sorted(pages)))

    def _entity(self, page_id: int) -> KnownEntity:
        title, *others = self._world.names(page_id)
        return KnownEntity(title=title, names=tuple(others))
