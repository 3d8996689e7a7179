"""Redirects followed to their ends, all at once, by doubling the length of every jump."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hopsight.wiki.graph import Flags, Indices

REASONS: Final = (
    "",
    "redirect_cycle",
    "link_to_other_wiki",
    "link_to_other_namespace",
    "link_to_nowhere",
    "link_to_list",
    "link_to_disambiguation",
)
"""Why a title may not be linked; stored as the negative of its position."""

CYCLE: Final = 1
OTHER_WIKI: Final = 2
OTHER_NAMESPACE: Final = 3
NOWHERE: Final = 4
LIST: Final = 5
DISAMBIGUATION: Final = 6


@dataclass(frozen=True, slots=True)
class Redirects:
    """The redirects of a wiki, each one's target in normal form; all arrays are as long.

    `entry` is the redirect's own title, `target` the entry of the name it gives (-1 if no page
    has that title), `outside` the reason if that name is of another namespace or wiki, else 0,
    and `section` whether it leads to a section. Entries count the titles in their order.
    """

    entry: Indices
    target: Indices
    outside: NDArray[np.int8]
    section: Flags


def follow(titles: int, redirects: Redirects) -> tuple[Indices, Flags]:
    """For each of `titles` entries the entry at the end of its redirects, or a negative reason;
    and whether a section was named on the way."""
    jump: Indices = np.arange(titles, dtype=np.int32)
    section: Flags = np.zeros(titles, dtype=bool)
    stays = (redirects.outside != 0) | (redirects.target < 0)
    moving = redirects.entry[~stays]
    jump[moving] = redirects.target[~stays]
    section[moving] = redirects.section[~stays]
    step = jump.copy()
    final: Flags = np.ones(titles, dtype=bool)
    final[moving] = False
    for _ in range(titles.bit_length() + 1):
        if not len(moving):
            break
        reached = jump[moving]
        section[moving] |= section[reached]
        jump[moving] = jump[reached]
        moving = moving[~final[jump[moving]]]
    # No chain is longer than there are titles: what still moves goes round.
    circular = moving
    reason: NDArray[np.int8] = np.zeros(titles, dtype=np.int8)
    reason[redirects.entry[stays]] = np.where(
        redirects.outside[stays] != 0, redirects.outside[stays], NOWHERE
    )
    ends = np.where(reason[jump] == 0, jump, -reason[jump].astype(np.int32)).astype(np.int32)
    ends[circular] = -CYCLE
    ends[_back_by_name(jump, step, circular, redirects)] = -CYCLE
    return ends, section


def _back_by_name(jump: Indices, step: Indices, circular: Indices, redirects: Redirects) -> Indices:
    """Entries whose chain leaves for another namespace by a name that stands on the chain.

    `TitleIndex.resolve` compares names alone, so "Danube" → "de:Danube" counts as a cycle.
    """
    wanted: Indices = np.full(len(jump), -1, dtype=np.int32)
    leaves = redirects.outside != 0
    wanted[redirects.entry[leaves]] = redirects.target[leaves]
    asked = wanted[jump] >= 0
    asked[circular] = False
    starts = np.flatnonzero(asked).astype(np.int32)
    found: Flags = np.zeros(len(starts), dtype=bool)
    at = starts
    while len(at):
        found |= at == wanted[jump[starts]]
        if (step[at] == at).all():
            break
        at = step[at]
    return starts[found]
