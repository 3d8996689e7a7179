"""The tables of one wiki's dump in a folder: titles, redirects, disambiguation pages.

Files are named as dumps name them: `enwiki-20260101-page.sql.gz`, or plainly `page.sql`. Titles
come in normal form, with spaces.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from hopsight.errors import SourceError
from hopsight.wiki.sql.reader import read_table
from hopsight.wiki.titles import ARTICLE

_DISAMBIGUATION: Final = "disambiguation"
"""The property that MediaWiki's Disambiguator sets, whatever the wiki's language."""


def table_file(folder: Path, table: str) -> Path:
    """The one file of a table. Raises SourceError if there is none, or more than one."""
    endings = (f"{table}.sql", f"{table}.sql.gz")
    found = sorted(
        path
        for path in folder.glob(f"*{table}.sql*")
        if path.name in endings or path.name.endswith(tuple(f"-{end}" for end in endings))
    )
    if len(found) == 1:
        return found[0]
    raise SourceError(
        f"{folder} holds {len(found) or 'no'} dump(s) of the table {table!r}"
        + (": " + ", ".join(path.name for path in found) if found else ""),
        f"put exactly one WIKI-DATE-{table}.sql.gz there",
    )


def titles_of(folder: Path) -> Iterator[pa.RecordBatch]:
    """Every page of the article namespace: page_id int64, title string, is_redirect bool."""
    columns = ("page_id", "page_namespace", "page_title", "page_is_redirect")
    for batch in read_table(table_file(folder, "page"), columns):
        kept = batch.filter(pc.equal(batch["page_namespace"], ARTICLE))
        yield pa.RecordBatch.from_arrays(
            [
                kept["page_id"],
                pc.replace_substring(kept["page_title"], "_", " "),
                pc.equal(kept["page_is_redirect"], 1),
            ],
            names=["page_id", "title", "is_redirect"],
        )


def redirects(folder: Path) -> Iterator[pa.RecordBatch]:
    """Every redirect, of every namespace: where page `page_id` leads.

    Columns: page_id int64, namespace int64, title string, fragment string, interwiki string; the
    last two are empty where there is none.
    """
    columns = ("rd_from", "rd_namespace", "rd_title", "rd_fragment", "rd_interwiki")
    for batch in read_table(table_file(folder, "redirect"), columns):
        yield pa.RecordBatch.from_arrays(
            [
                batch["rd_from"],
                batch["rd_namespace"],
                pc.replace_substring(batch["rd_title"], "_", " "),
                pc.fill_null(batch["rd_fragment"], ""),
                pc.fill_null(batch["rd_interwiki"], ""),
            ],
            names=["page_id", "namespace", "title", "fragment", "interwiki"],
        )


def disambiguation_pages(folder: Path) -> NDArray[np.int64]:
    """Ids of the pages, of any namespace, that only tell namesakes apart; ascending."""
    found = [
        batch.filter(pc.equal(batch["pp_propname"], _DISAMBIGUATION))["pp_page"].to_numpy()
        for batch in read_table(table_file(folder, "page_props"), ("pp_page", "pp_propname"))
    ]
    return np.unique(np.concatenate([np.empty(0, dtype=np.int64), *found]))
