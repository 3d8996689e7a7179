"""The targets of links: gathered as written while pages are scanned, put in normal form at once."""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import count
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hopsight.wiki.scan.rules import xml
from hopsight.wiki.titles import ARTICLE, CATEGORY, FILE, FOREIGN, Namespaces

FILE_HERE: Final = -1
CATEGORY_HERE: Final = -2
OWN_SECTION: Final = -3
OTHER_WIKI: Final = -4
OTHER_NAMESPACE: Final = -5
MALFORMED: Final = -6

REASONS: Final = {
    OTHER_WIKI: "link_to_other_wiki",
    OTHER_NAMESPACE: "link_to_other_namespace",
    OWN_SECTION: "link_to_own_section",
    MALFORMED: "link_malformed",
}
"""Why a link is left out. Pictures and categories of a page are no links and are not counted."""

_ODD: Final = re.compile(r"[_#%&:]|[^\S \n]|  |(?<![^\n]) | (?![^\n])")
"""What a target may hold that makes its normal form more than a large first letter."""


@dataclass(slots=True)
class Targets:
    """Distinct targets as written, escaped: `raw` numbers what it is asked for, from 0 on.

    Only what a colon, an escape or a fragment could lead elsewhere is looked at while pages are
    scanned (`code`); everything else waits for `normal`, where a target costs next to nothing.
    """

    namespaces: Namespaces
    raw: defaultdict[bytes, int] = field(default_factory=lambda: defaultdict(count().__next__))
    _codes: dict[bytes, int] = field(default_factory=dict)

    def code(self, raw: bytes) -> int:
        """The number of a target, or a negative code if it is no article."""
        code = self._codes.get(raw)
        if code is None:
            code = self._codes[raw] = self._read(raw)
        return code

    def _read(self, raw: bytes) -> int:
        target = xml(raw.decode())
        if "<" in target or ">" in target:
            return MALFORMED
        title = self.namespaces.title(target)
        here = not target.lstrip().startswith(":")
        if title.namespace == FILE and here:
            return FILE_HERE
        if title.namespace == CATEGORY and here:
            return CATEGORY_HERE
        if title.namespace == FOREIGN:
            return OTHER_WIKI
        if title.namespace != ARTICLE:
            return OTHER_NAMESPACE
        return self.raw[raw] if title.name else OWN_SECTION

    def file(self, raw: bytes) -> str:
        """The name of the file that a target shows."""
        return self.namespaces.title(xml(raw.decode())).name

    def normal(self) -> tuple[list[str], NDArray[np.int32]]:
        """The distinct names in normal form, and for every number of `raw` its name's place."""
        if not self.raw:
            return [], np.empty(0, np.int32)
        text = b"\n".join(self.raw).decode()
        names = text.split("\n")
        if self.namespaces.title("a").name == "A":
            large = [name if "A" <= name[:1] <= "Z" else _large(name) for name in names]
        else:
            large = names
        for index in _odd_lines(text, names):
            large[index] = self.namespaces.title(xml(names[index])).name
        numbers: dict[str, int] = {}
        lead = [numbers.setdefault(name, len(numbers)) for name in large]
        return list(numbers), np.array(lead, np.int32)


def _large(name: str) -> str:
    return name[:1].upper() + name[1:]


def _odd_lines(text: str, lines: list[str]) -> list[int]:
    ends = np.cumsum(np.fromiter(map(len, lines), np.int64, len(lines)) + 1)
    hits = np.fromiter((match.start() for match in _ODD.finditer(text)), np.int64)
    return [int(line) for line in np.unique(np.searchsorted(ends, hits, side="right"))]
