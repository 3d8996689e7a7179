"""Ways around a question by rule: what needs no picture, or no more than one search."""

from hopsight.reference.shortcuts.evidence import evidence_memory, evidence_of
from hopsight.reference.shortcuts.one_search import OneSearch, one_image_search, one_text_search
from hopsight.reference.shortcuts.speaking import Search, searching
from hopsight.reference.shortcuts.text_only import TextOnly

__all__ = [
    "OneSearch",
    "Search",
    "TextOnly",
    "evidence_memory",
    "evidence_of",
    "one_image_search",
    "one_text_search",
    "searching",
]
