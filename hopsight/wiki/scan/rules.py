"""What the fast scan must decide exactly as the full parser does: its word lists, by one name each.

Everything here belongs to the modules of the full parser; the scan has no list of its own, so the
two cannot drift apart.
"""

from collections.abc import Mapping
from typing import Final

from hopsight.wiki.infobox import infobox_kind
from hopsight.wiki.markup import APPENDICES
from hopsight.wiki.markup import DROPPED_TAGS as MUTED_TAGS
from hopsight.wiki.wikitext import PICTURE_NAME, PICTURE_PARAMETERS

__all__ = [
    "APPENDICES",
    "DROPPED_TAGS",
    "PICTURE_NAME",
    "PICTURE_PARAMETERS",
    "infobox_kind",
    "xml",
]

_UNPARSED: Final = frozenset({"nowiki", "pre", "ce", "categorytree", "templatedata"})
"""Tags whose content is shown as it is written: no link is made there."""

DROPPED_TAGS: Final = tuple(sorted(MUTED_TAGS | _UNPARSED))

_ENTITIES: Final[Mapping[str, str]] = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'"}


def xml(text: str) -> str:
    """Undo the escapes of XML that an export writes, once: `&amp;nbsp;` becomes `&nbsp;`."""
    if "&" not in text:
        return text
    for entity, character in _ENTITIES.items():
        text = text.replace(entity, character)
    return text.replace("&amp;", "&")
