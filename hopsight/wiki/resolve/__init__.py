"""Titles to page ids: what every link of a scan comes to, out of core, redirects followed."""

from hopsight.wiki.resolve.resolution import Resolution, ScanTables, resolve
from hopsight.wiki.resolve.titles import TitleTable

__all__ = ["Resolution", "ScanTables", "TitleTable", "resolve"]
