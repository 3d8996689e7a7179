"""Search over a snapshot: words to pages, words to pictures, pixels to pictures."""

from hopsight.search.image_index import ImageHit, ImageIndex
from hopsight.search.text_index import PageHit, TextDoc, TextIndex

__all__ = ["ImageHit", "ImageIndex", "PageHit", "TextDoc", "TextIndex"]
