"""Search over a snapshot: words to pages, words to pictures, pixels to pictures."""

from hopsight.search.embedder import EmbeddedPictures, ImageEmbedder
from hopsight.search.image_index import ImageHit, ImageIndex
from hopsight.search.text_index import PageHit, TextDoc, TextIndex
from hopsight.search.vectors import VectorIndex

__all__ = [
    "EmbeddedPictures",
    "ImageEmbedder",
    "ImageHit",
    "ImageIndex",
    "PageHit",
    "TextDoc",
    "TextIndex",
    "VectorIndex",
]
