"""Rounds that several test packages look at."""

from tests.loop.fixtures import mini_round, small_dump, small_round

__all__ = ["mini_round", "small_dump", "small_round"]
