"""Imported seeds: solved questions with pictures, read from files that somebody else has made."""

from refine.imported.columns import Role
from refine.imported.files import count_rows, read_files
from refine.imported.read import STAGE, read_seeds
from refine.imported.seed import ImportLimits
from refine.imported.web import OpenUrls, web_pictures

__all__ = [
    "STAGE",
    "ImportLimits",
    "OpenUrls",
    "Role",
    "count_rows",
    "read_files",
    "read_seeds",
    "web_pictures",
]
