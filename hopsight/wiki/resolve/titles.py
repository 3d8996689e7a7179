"""All titles of a wiki in memory-mapped files, sorted, with what each comes to in the end.

A folder holds `titles.bin` (the titles as UTF-8, one behind the other, in the order of their
bytes), `offsets.npy` (int64, n + 1), `ends.npy` (int32: the row in `page_ids.npy` that a title
leads to, or a negative reason), `kinds.npy` (uint8 flags), `page_ids.npy` (int64, ascending) and
`barred.npy` (int8 by row: the reason why a page may not be linked, or 0).
"""

import mmap
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hopsight.errors import StoreError
from hopsight.wiki.dump import SiteInfo
from hopsight.wiki.graph import Flags, Ids, Indices
from hopsight.wiki.resolve.chains import NOWHERE, OTHER_NAMESPACE, OTHER_WIKI, REASONS
from hopsight.wiki.titles import ARTICLE, FOREIGN, Namespaces, Resolved

REDIRECT: Final = 1
SECTION: Final = 2
"""Flags of an entry: it is a redirect; it leads to a section."""

_STRIDE: Final = 256
"""Every so many titles one is kept in memory, to find its neighbourhood at once."""


@dataclass(frozen=True, slots=True)
class TitleTable:
    """Answers as `TitleIndex` does, for any number of titles; the files stay on the disk."""

    namespaces: Namespaces
    page_ids: Ids
    ends: Indices
    kinds: NDArray[np.uint8]
    barred: NDArray[np.int8]
    _text: "mmap.mmap | bytes"
    _offsets: "memoryview[int]"
    _guide: tuple[bytes, ...]

    @classmethod
    def open(cls, folder: Path, site: SiteInfo) -> "TitleTable":
        """Map a stored table. Raises StoreError if it is missing or damaged."""
        try:
            offsets = _mapped(folder / "offsets.npy")
            ends = _mapped(folder / "ends.npy")
            kinds = _mapped(folder / "kinds.npy")
            page_ids = _mapped(folder / "page_ids.npy")
            barred = _mapped(folder / "barred.npy")
            text = _bytes(folder / "titles.bin")
        except (OSError, ValueError) as error:
            raise StoreError(
                f"{folder} holds no whole table of titles ({error})",
                "materialize the asset link_graph again",
            ) from error
        sizes = len(offsets) - 1, len(page_ids), int(offsets[-1])
        if sizes != (len(ends), len(barred), len(text)) or len(kinds) != len(ends):
            raise StoreError(
                f"{folder} holds a table of titles whose files do not fit each other",
                "materialize the asset link_graph again",
            )
        places = offsets.data
        guide = tuple(
            bytes(text[places[at] : places[at + 1]]) for at in range(0, len(ends), _STRIDE)
        )
        return cls(Namespaces(site), page_ids, ends, kinds, barred, text, places, guide)

    def resolve(self, target: str) -> Resolved:
        """Where a link to `target` leads, redirects followed and skip rules applied."""
        title = self.namespaces.title(target)
        if title.namespace == FOREIGN:
            return Resolved(None, REASONS[OTHER_WIKI])
        if title.namespace != ARTICLE:
            return Resolved(None, REASONS[OTHER_NAMESPACE])
        entry = self.find(title.name)
        if entry < 0:
            return Resolved(None, REASONS[NOWHERE])
        return self._resolved(entry, bool(title.fragment))

    def find(self, name: str) -> int:
        """The entry of a title in normal form; -1 if no article or redirect has it."""
        wanted = name.encode("utf-8", "surrogatepass")
        block = bisect_right(self._guide, wanted) - 1
        low, high = block * _STRIDE, min((block + 1) * _STRIDE, len(self.ends))
        while 0 <= low < high:
            middle = (low + high) // 2
            found = self._bytes_of(middle)
            if found == wanted:
                return middle
            low, high = (middle + 1, high) if found < wanted else (low, middle)
        return -1

    def redirect_names(self) -> Iterator[tuple[str, Resolved]]:
        """Every redirect by its title, in the order of titles, and where it leads."""
        for entry in np.flatnonzero(np.asarray(self.kinds) & REDIRECT).tolist():
            yield self._bytes_of(entry).decode("utf-8"), self._resolved(entry, section=False)

    @property
    def filtered(self) -> Flags:
        """For each of `page_ids`, whether it is a list or a disambiguation page."""
        filtered: Flags = np.asarray(self.barred) != 0
        return filtered

    def codes(self) -> Indices:
        """For each entry the row of the page that a link to it leads to, or a negative reason."""
        ends = np.array(self.ends)
        inside = ends >= 0
        reasons = self.barred[ends[inside]].astype(np.int32)
        ends[inside] = np.where(reasons == 0, ends[inside], -reasons)
        return ends

    def _bytes_of(self, entry: int) -> bytes:
        return bytes(self._text[self._offsets[entry] : self._offsets[entry + 1]])

    def _resolved(self, entry: int, section: bool) -> Resolved:
        end = int(self.ends[entry])
        if end < 0:
            return Resolved(None, REASONS[-end])
        to_section = section or bool(self.kinds[entry] & SECTION)
        barred = int(self.barred[end])
        return Resolved(None if barred else int(self.page_ids[end]), REASONS[barred], to_section)


def _mapped(path: Path) -> NDArray[Any]:
    array: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    return array


def _bytes(path: Path) -> "mmap.mmap | bytes":
    if path.stat().st_size == 0:
        return b""
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
