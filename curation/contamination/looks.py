"""The benchmark picture that looks most like another one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import faiss
import numpy as np

from hopsight.imaging.hashes import NEAR_BITS, is_plain, packed


@dataclass(frozen=True, slots=True)
class Looks:
    """Perceptual hashes of pictures that are not plain, and the row that has each."""

    index: Any
    rows: tuple[int, ...]

    def find(self, hashes: Sequence[int]) -> list[int | None]:
        """For each picture the row of the nearest one that looks the same, if any does."""
        if not self.rows or not hashes:
            return [None] * len(hashes)
        distances, places = self.index.search(_octets(hashes), 1)
        return [
            self.rows[place] if distance <= NEAR_BITS and not is_plain(value) else None
            for value, distance, place in zip(
                hashes, distances[:, 0].tolist(), places[:, 0].tolist(), strict=True
            )
        ]


def looks_like(hashes: Sequence[int], rows: Sequence[int]) -> Looks:
    """An exact index over pictures; the plain ones are left out."""
    chosen = [place for place, value in enumerate(hashes) if not is_plain(value)]
    octets = _octets([hashes[place] for place in chosen])
    index = faiss.IndexBinaryFlat(8 * octets.shape[1])
    index.add(octets)
    return Looks(index, tuple(rows[place] for place in chosen))


def _octets(hashes: Sequence[int]) -> Any:
    return np.ascontiguousarray(packed(hashes)).view(np.uint8)
