"""Sentences about what is gone, buildings and species: the same patterns, told in the past."""

import re
from typing import Final

from hopsight.wiki.mini.render.tables import Row

GONE: Final = frozenset(
    {
        "Bolshoi Kamenny Theatre",
        "Burgtheater am Michaelerplatz",
        "Crystal Palace",
        "Freihaus-Theater auf der Wieden",
        "Khedivial Opera House",
        "Salle Le Peletier",
        "Theater am Kärntnertor",
    }
)
"""Buildings of the fact tables that no longer exist; no page counts them among its sights."""

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
    """Whether a page's subject no longer exists: a lost building, an extinct species."""
    notes = " ".join(row.cells.get("status_note", ()))
    return row.title in GONE or notes.lower().startswith("extinct")


def in_past(pattern: str) -> str:
    """The pattern with its verbs in the past: `{s} <stands|stand> in {v}` to `{s} stood in {v}`."""
    for present, past in _PAST:
        pattern = re.sub(present, past, pattern)
    return pattern
