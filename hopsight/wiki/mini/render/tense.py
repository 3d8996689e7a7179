"""Sentences about what is gone, a building or a species: the same patterns, told in the past."""

import re
from typing import Final

from hopsight.wiki.mini.render.tables import Row

GONE: Final = frozenset(
    {
        "Burgtheater am Michaelerplatz",
        "Chicago Pile-1",
        "Crystal Palace",
        "Freihaus-Theater auf der Wieden",
        "Herschel's 40-foot telescope",
        "Khedivial Opera House",
        "LZ 1",
        "North River Steamboat",
        "SS Great Eastern",
        "Sputnik 1",
        "Z3 (computer)",
    }
)
"""Buildings and machines of the fact tables that no longer exist."""

_PAST: Final = (
    (r"<is\|are>", "<was|were>"),
    (r"\[is\|are\]", "[was|were]"),
    (r"<has\|have>", "had"),
    (r"<stands\|stand>", "stood"),
    (r"<rises\|rise>", "rose"),
    (r"<falls\|fall>", "fell"),
    (r"<belongs\|belong>", "belonged"),
    (r"<measures\|measure>", "measured"),
    (r"<houses\|house>", "housed"),
    (r"\bis\b", "was"),
    (r"\bare\b", "were"),
    (r"\blies\b", "lay"),
    (r"\breaches\b", "reached"),
    (r"\bhas\b", "had"),
    (r"\bfinds\b", "found"),
    (r"\bgoes\b", "went"),
    (r"\brun\b", "ran"),
    (r"\bserves\b", "served"),
    (r"\btakes in\b", "took in"),
    (r"\bincludes\b", "included"),
    (r"\bfeeds\b", "fed"),
    (r"\beats\b", "ate"),
    (r"\brelies\b", "relied"),
    (r"\blives\b", "lived"),
    (r"\bgrows\b", "grew"),
    (r"\bcan reach\b", "could reach"),
    (r"\battains\b", "attained"),
    (r"\bto be seen\b", "once to be seen"),
)


def is_past(row: Row) -> bool:
    """Whether a page's subject no longer exists: a lost building or machine, an extinct species."""
    notes = " ".join(row.cells.get("status_note", ()))
    return row.title in GONE or notes.lower().startswith("extinct")


def in_past(pattern: str) -> str:
    """The pattern with its verbs in the past: `{s} <stands|stand> in {v}` to `{s} stood in {v}`."""
    for present, past in _PAST:
        pattern = re.sub(present, past, pattern)
    return pattern
