"""SQL dumps of a MediaWiki's tables: read by column name, and what follows from them."""

from hopsight.wiki.sql.degrees import in_degrees
from hopsight.wiki.sql.reader import INVALID_UTF8, read_schema, read_table
from hopsight.wiki.sql.schema import Column, TableSchema
from hopsight.wiki.sql.tables import disambiguation_pages, redirects, table_file, titles_of

__all__ = [
    "INVALID_UTF8",
    "Column",
    "TableSchema",
    "disambiguation_pages",
    "in_degrees",
    "read_schema",
    "read_table",
    "redirects",
    "table_file",
    "titles_of",
]
