"""Which pictures look the same, among many."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import numpy as np

from curation.duplicates.groups import groups
from curation.duplicates.words import Places, once
from hopsight.imaging.hashes import BITS, NEAR_BITS, Packed, distances, is_plain, near, packed

_BAND_BYTES: Final = 3
_BEHIND: Final = 8


def looks_of(shas: Iterable[str], hash_of: Callable[[str], int]) -> dict[str, str]:
    """For each picture the one that stands for all that look like it: the first by name.

    A picture that looks like two that do not look alike goes to the first. `hash_of` gives the
    perceptual hash of a picture by its sha256.
    """
    names = sorted(set(shas))
    hashes = [hash_of(name) for name in names]
    looks = dict(zip(names, names, strict=True))
    # Of many copies `near_pictures` compares each with some alone; they are joined through others.
    for group in groups(np.arange(len(names)), near_pictures(hashes)):
        leaders: list[int] = []
        for place in group:
            alike = (lead for lead in leaders if near(hashes[lead], hashes[place]))
            lead = next(alike, None)
            if lead is None:
                leaders.append(place)
            else:
                looks[names[place]] = names[lead]
    return looks


def near_pictures(hashes: Sequence[int], bits: int = NEAR_BITS) -> Places:
    """Pairs (pairs, 2) of places whose pictures look the same, the lower first, in order.

    Of 20 bands of 24 bits a pair that differs in `bits` ≤ 12 shares at least 8. For each band the
    hashes are sorted from there on, and each is compared with the next 8 of the same band: the
    work grows with the number of pictures, however many of them are blank in one place.
    """
    usable = np.array([place for place, value in enumerate(hashes) if not is_plain(value)], int)
    rows = packed([hashes[place] for place in usable.tolist()])
    pairs = _candidates(rows)
    near = distances(rows[pairs[:, 0]], rows[pairs[:, 1]]) <= bits
    found: Places = usable[pairs[near]]
    return found


def _candidates(rows: Packed) -> Places:
    """Pairs of rows that are neighbours in the order of some band, each once."""
    count = len(rows)
    octets = np.ascontiguousarray(rows.astype(">u8")).view(np.uint8)[:, -(BITS // 8) :]
    found = [np.empty(0, dtype=np.int64)]
    for band in range(0, octets.shape[1], _BAND_BYTES):
        turned = np.ascontiguousarray(np.roll(octets, -band, axis=1))
        order = np.argsort(turned.view(f"V{turned.shape[1]}").ravel(), kind="stable")
        heads = turned[order, :_BAND_BYTES]
        for step in range(1, min(_BEHIND + 1, count)):
            same = (heads[step:] == heads[:-step]).all(axis=1)
            one, two = order[:-step][same], order[step:][same]
            found.append(np.minimum(one, two) * count + np.maximum(one, two))
    keys = once(np.concatenate(found))
    return np.stack(np.divmod(keys, max(1, count)), axis=1)
