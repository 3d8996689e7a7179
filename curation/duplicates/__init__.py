"""Questions that say the same twice: texts, pictures and chains compared all with all."""

from curation.duplicates.near import NearTexts, near_texts
from curation.duplicates.pictures import looks_of, near_pictures
from curation.duplicates.shingles import TextRules
from curation.duplicates.stage import STAGE, drop_duplicates

__all__ = [
    "STAGE",
    "NearTexts",
    "TextRules",
    "drop_duplicates",
    "looks_of",
    "near_pictures",
    "near_texts",
]
