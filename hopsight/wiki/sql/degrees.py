"""How many articles link to each article, from `pagelinks`, computed out of core by DuckDB.

Links made by templates count here: that is what a wiki's own tables know, and what "hub" means.
"""

import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from hopsight.errors import SourceError, StoreError
from hopsight.wiki.sql.reader import read_schema, read_table
from hopsight.wiki.sql.tables import redirects, table_file, titles_of
from hopsight.wiki.titles import ARTICLE

FROM_OTHER_NAMESPACE: Final = "link_from_other_namespace"
UNKNOWN_TARGET: Final = "link_target_unknown"
REPEATED: Final = "repeated_link"

_PAGES: Final = "CREATE TABLE page AS SELECT page_id, title FROM source"
_HOPS: Final = """
CREATE TABLE hop AS
SELECT r.page_id AS here, there.page_id AS there,
       CASE WHEN r.interwiki <> '' THEN 'link_to_other_wiki'
            WHEN r.namespace <> 0 THEN 'link_to_other_namespace'
            WHEN there.page_id IS NULL THEN 'link_to_nowhere' END AS reason
FROM source r
JOIN page ON page.page_id = r.page_id
LEFT JOIN page there
  ON there.title = CASE WHEN r.namespace = 0 AND r.interwiki = '' THEN r.title END"""
_DOUBLE: Final = """
CREATE OR REPLACE TABLE hop AS
SELECT a.here, CASE WHEN b.here IS NULL THEN a.there ELSE b.there END AS there,
       coalesce(b.reason, a.reason) AS reason
FROM hop a LEFT JOIN hop b ON b.here = a.there"""
_UNFINISHED: Final = "SELECT count(*) FROM hop a JOIN hop b ON b.here = a.there"
_CYCLES: Final = """
CREATE OR REPLACE TABLE hop AS
SELECT a.here, a.there,
       CASE WHEN b.here IS NOT NULL THEN 'redirect_cycle' ELSE a.reason END AS reason
FROM hop a LEFT JOIN hop b ON b.here = a.there"""
_NAMES: Final = """
CREATE TABLE name AS
SELECT page.title, coalesce(hop.there, page.page_id) AS page_id,
       CASE WHEN hop.reason IS NOT NULL THEN hop.reason
            WHEN wanted.page_id IS NULL THEN 'link_to_page_left_out' END AS reason
FROM page
LEFT JOIN hop ON hop.here = page.page_id
LEFT JOIN wanted ON wanted.page_id = coalesce(hop.there, page.page_id)"""
_GOALS: Final = """
CREATE TABLE goal AS
SELECT t.lt_id AS id, name.page_id,
       CASE WHEN t.lt_namespace <> 0 THEN 'link_to_other_namespace'
            WHEN name.title IS NULL THEN 'link_to_nowhere' ELSE name.reason END AS reason
FROM source t
LEFT JOIN name
  ON name.title = CASE WHEN t.lt_namespace = 0 THEN replace(t.lt_title, '_', ' ') END"""
_EDGES_BY_NUMBER: Final = """
CREATE TABLE edge AS
SELECT l.pl_from AS source, goal.page_id AS target,
       CASE WHEN wanted.page_id IS NULL THEN 'link_from_page_left_out'
            WHEN goal.id IS NULL THEN 'link_target_unknown'
            WHEN goal.reason IS NOT NULL THEN goal.reason
            WHEN goal.page_id = l.pl_from THEN 'self_link' END AS reason
FROM source l
LEFT JOIN wanted ON wanted.page_id = l.pl_from
LEFT JOIN goal ON goal.id = l.pl_target_id"""
_EDGES_BY_TITLE: Final = """
CREATE TABLE edge AS
SELECT l.pl_from AS source, name.page_id AS target,
       CASE WHEN wanted.page_id IS NULL THEN 'link_from_page_left_out'
            WHEN l.pl_namespace <> 0 THEN 'link_to_other_namespace'
            WHEN name.title IS NULL THEN 'link_to_nowhere'
            WHEN name.reason IS NOT NULL THEN name.reason
            WHEN name.page_id = l.pl_from THEN 'self_link' END AS reason
FROM source l
LEFT JOIN wanted ON wanted.page_id = l.pl_from
LEFT JOIN name
  ON name.title = CASE WHEN l.pl_namespace = 0 THEN replace(l.pl_title, '_', ' ') END"""
_DEGREES: Final = """
SELECT target, count(*) AS degree
FROM (SELECT DISTINCT source, target FROM edge WHERE reason IS NULL) GROUP BY target"""


def in_degrees(
    folder: Path,
    page_ids: NDArray[np.int64],
    *,
    memory_limit: str = "2GB",
    scratch: Path | None = None,
) -> tuple[NDArray[np.int32], dict[str, int]]:
    """For each of `page_ids` (ascending), how many of these pages link to it.

    Redirects are followed, self-links are left out, and a page counts once however often it links.
    Reads the tables page, redirect, pagelinks and, where pagelinks has `pl_target_id`, linktarget.
    Also gives how many rows of pagelinks were left out, by reason. `scratch` is where tables that
    exceed `memory_limit` are put (default: the system's folder for temporary files).

    Raises SourceError for an unusable dump, or if the files do not belong together; ValueError if
    `page_ids` are not ascending.
    """
    if (np.diff(page_ids) <= 0).any():
        raise ValueError("page_ids must be ascending, each once")
    with (
        tempfile.TemporaryDirectory(dir=scratch) as place,
        _Work.opened(place, memory_limit) as work,
    ):
        work.load("CREATE TABLE wanted AS SELECT page_id FROM source", _ids(page_ids), _ID)
        work.load(_PAGES, titles_of(folder), _TITLES)
        work.load(_HOPS, redirects(folder), _REDIRECTS)
        _follow(work)
        work.run(_NAMES)
        _load_edges(work, folder)
        return _degrees(work, page_ids)


_ID: Final = pa.schema([("page_id", pa.int64())])
_TITLES: Final = pa.schema(
    [("page_id", pa.int64()), ("title", pa.string()), ("is_redirect", pa.bool_())]
)
_REDIRECTS: Final = pa.schema(
    [
        ("page_id", pa.int64()),
        ("namespace", pa.int64()),
        *((name, pa.string()) for name in ("title", "fragment", "interwiki")),
    ]
)
_TARGETS: Final = pa.schema(
    [("lt_id", pa.int64()), ("lt_namespace", pa.int64()), ("lt_title", pa.string())]
)
_BY_NUMBER: Final = pa.schema([("pl_from", pa.int64()), ("pl_target_id", pa.int64())])
_BY_TITLE: Final = pa.schema(
    [("pl_from", pa.int64()), ("pl_namespace", pa.int64()), ("pl_title", pa.string())]
)


@dataclass(slots=True)
class _Work:
    """A database on disk for one computation."""

    connection: duckdb.DuckDBPyConnection
    left_out: Counter[str] = field(default_factory=Counter)

    @classmethod
    @contextmanager
    def opened(cls, place: str, memory_limit: str) -> Iterator["_Work"]:
        config: dict[str, str | bool | int | float | list[str]] = {
            "memory_limit": memory_limit,
            "temp_directory": place,
            "preserve_insertion_order": False,
        }
        with duckdb.connect(str(Path(place, "work.duckdb")), config=config) as connection:
            yield cls(connection)

    def run(self, statement: str) -> list[tuple[int | str | None, ...]]:
        """Run one statement; its rows. Raises StoreError if memory or disk do not suffice."""
        try:
            return self.connection.execute(statement).fetchall()
        except (duckdb.OutOfMemoryException, duckdb.IOException) as error:
            raise StoreError(
                f"in-degrees could not be computed ({str(error).splitlines()[0]})",
                "raise memory_limit, or free space where temporary files go",
            ) from error

    def load(self, statement: str, batches: Iterator[pa.RecordBatch], schema: pa.Schema) -> None:
        """Run a statement that reads `batches`, as they come, as the table `source`."""
        failures: list[SourceError] = []

        def guarded() -> Iterator[pa.RecordBatch]:
            # An error on its way through Arrow and DuckDB would lose its type.
            try:
                yield from batches
            except SourceError as error:
                failures.append(error)

        reader = pa.RecordBatchReader.from_batches(schema, guarded())
        self.connection.register("source", reader)
        self.run(statement)
        self.connection.unregister("source")
        if failures:
            raise failures[0]


def _ids(page_ids: NDArray[np.int64]) -> Iterator[pa.RecordBatch]:
    yield pa.RecordBatch.from_arrays([pa.array(page_ids, type=pa.int64())], names=["page_id"])


def _follow(work: _Work) -> None:
    """Let every redirect point to its end; those that never end are cycles.

    Each round doubles the reach. A chain longer than the reach has a member at every distance, so
    once a round finishes none, none is left but cycles and what leads into them.
    """
    unfinished = -1
    while (now := work.run(_UNFINISHED)[0][0]) != unfinished and now:
        unfinished = int(now)
        work.run(_DOUBLE)
    work.run(_CYCLES)


def _load_edges(work: _Work, folder: Path) -> None:
    path = table_file(folder, "pagelinks")
    names = {column.name for column in read_schema(path).columns}
    if "pl_target_id" in names:
        targets = read_table(table_file(folder, "linktarget"), _TARGETS.names)
        work.load(_GOALS, targets, _TARGETS)
        work.load(_EDGES_BY_NUMBER, _links(path, _BY_NUMBER, work.left_out), _BY_NUMBER)
    else:
        work.load(_EDGES_BY_TITLE, _links(path, _BY_TITLE, work.left_out), _BY_TITLE)


def _links(path: Path, schema: pa.Schema, left_out: Counter[str]) -> Iterator[pa.RecordBatch]:
    """Rows of pagelinks whose source is in the article namespace."""
    for batch in read_table(path, [*schema.names, "pl_from_namespace"]):
        kept = batch.filter(pc.equal(batch["pl_from_namespace"], ARTICLE))
        left_out[FROM_OTHER_NAMESPACE] += batch.num_rows - kept.num_rows
        yield kept.select(schema.names)


def _degrees(work: _Work, page_ids: NDArray[np.int64]) -> tuple[NDArray[np.int32], dict[str, int]]:
    counts = {
        str(reason or ""): int(n or 0)
        for reason, n in work.run("SELECT reason, count(*) FROM edge GROUP BY reason")
    }
    _check(counts)
    found = work.connection.execute(_DEGREES).fetchnumpy()
    degrees = np.zeros(len(page_ids), dtype=np.int32)
    degrees[np.searchsorted(page_ids, found["target"])] = found["degree"]
    left_out = Counter({reason: n for reason, n in counts.items() if reason}) + work.left_out
    left_out[REPEATED] = counts.get("", 0) - int(degrees.sum())
    return degrees, {reason: n for reason, n in sorted(left_out.items()) if n}


def _check(counts: Mapping[str, int]) -> None:
    unknown, every = counts.get(UNKNOWN_TARGET, 0), sum(counts.values())
    if 2 * unknown > every:
        raise SourceError(
            f"{unknown:,} of {every:,} links point to a target that linktarget does not have",
            "give pagelinks and linktarget of the same wiki and the same day",
        )
