"""The fast scan over everything of an export: pages, link targets, and links in prose.

It reads bytes, not trees: about as fast as they are unpacked. What it finds is enough to build
the link graph of a whole wiki and to choose pages; the full parser reads the chosen ones.
"""

from hopsight.wiki.scan.records import SourceFile
from hopsight.wiki.scan.scan import Scan, scan_dump

__all__ = ["Scan", "SourceFile", "scan_dump"]
