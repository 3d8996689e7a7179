"""A finished round that the preview is held against."""

from tests.loop.fixtures import small_dump, small_round

__all__ = ["small_dump", "small_round"]
