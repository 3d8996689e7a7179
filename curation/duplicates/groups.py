"""What pairs join, directly or through others."""

from curation.duplicates.words import Places


def groups(same_as: Places, pairs: Places) -> tuple[tuple[int, ...], ...]:
    """Places that pairs (pairs, 2) and equality join, two or more each, the lowest first.

    `same_as` (places,) is for each place the lowest that is equal to it: itself if none is.
    """
    lowest = same_as.copy()
    for first, second in pairs.tolist():
        one, two = _root(lowest, first), _root(lowest, second)
        lowest[max(one, two)] = min(one, two)
    found: dict[int, list[int]] = {}
    for place in range(len(lowest)):
        found.setdefault(_root(lowest, place), []).append(place)
    return tuple(tuple(group) for group in found.values() if len(group) > 1)


def _root(lowest: Places, place: int) -> int:
    while lowest[place] != place:
        lowest[place] = lowest[lowest[place]]
        place = int(lowest[place])
    return place
