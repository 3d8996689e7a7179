"""Which entities get a picture: well connected ones, spread over the kinds of a table."""

from collections import defaultdict
from collections.abc import Callable

from hopsight.wiki.mini.draw.rows import Row


def spread(rows: list[Row], count: int, kind_of: Callable[[Row], str]) -> list[Row]:
    """Up to `count` rows, taken in turn from each kind, the best connected first.

    Kinds come in the order of their best row's links, ties by name; nothing depends on the order
    of the table.
    """
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: (-row.links, row.title)):
        groups[kind_of(row)].append(row)
    order = sorted(groups.values(), key=lambda group: (-group[0].links, group[0].title))
    chosen: list[Row] = []
    depth = 0
    while len(chosen) < count and any(len(group) > depth for group in order):
        chosen += [group[depth] for group in order if len(group) > depth]
        depth += 1
    return chosen[:count]
