"""Every stored data set as an SQL view, read-only, in an in-memory DuckDB.

A view holds all rounds of a data set; its column `round` says in which one a row is stored. Where
the records have a field `round` of their own, that is the column `record_round`. The data sets
`rejections_<stage>` are also seen together as `rejections`, and those of the funnel and of
provenance only as `funnel` and `provenance`. Hashes are checked by `DataStore.read`, not here.
"""
# ruff: noqa: S608 -- names and texts that are put into queries are checked or quoted

import logging
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import duckdb

from hopsight.datasets import family_of
from hopsight.errors import StoreError
from hopsight.lineage import LineageNode, build_lineage
from hopsight.store import DataStore, Manifest

log = logging.getLogger(__name__)

Rows = list[tuple[object, ...]]

READ_ONLY = "give one SELECT, WITH, DESCRIBE or SHOW statement"
_HIDDEN = frozenset({"funnel", "provenance"})
"""Families whose members are not shown one by one."""
_ROUND_COLUMN = "round"
_TRIES = 5


class Catalog:
    """Views over a store as it stood when the catalog was opened; `refresh` follows it."""

    def __init__(self, store: DataStore) -> None:
        self._store = store
        self._manifests: tuple[Manifest, ...] = ()
        self._connection = _locked_down(store)
        self.refresh()

    def __enter__(self) -> "Catalog":
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the memory back."""
        self._connection.close()

    def refresh(self) -> None:
        """Show what is committed now. Raises StoreError: a data set is damaged."""
        for _ in range(_TRIES - 1):
            try:
                return self._open()
            except duckdb.IOException as error:
                # A part may have been swept by a commit since its manifest was read.
                log.info("event=catalog_reopened cause=%s", _first_line(error))
        with _told(self.names()):
            return self._open()

    def _open(self) -> None:
        self._connection.close()
        self._manifests = _all_manifests(self._store)
        self._connection = _locked_down(self._store)
        with _told(self.names(), but=duckdb.IOException):
            for name, manifests in _views(self._manifests).items():
                self._connection.execute(self._view(name, manifests))

    def names(self) -> list[str]:
        """The views, sorted."""
        return sorted(_views(self._manifests))

    def sql(self, query: str) -> tuple[tuple[str, ...], Rows]:
        """Column names and rows of one reading statement. Raises StoreError for anything else."""
        with _told(self.names()):
            statements = self._connection.extract_statements(query)
            if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
                raise StoreError("only one statement that reads is allowed", READ_ONLY)
        return self.rows(query)

    def rows(self, query: str, parameters: Sequence[object] = ()) -> tuple[tuple[str, ...], Rows]:
        """Like `sql`, for queries of ours with `?` parameters."""
        for _ in range(_TRIES - 1):
            try:
                return self._run(query, parameters)
            except duckdb.IOException as error:
                # A part was swept after two commits: look at what is committed now.
                log.info("event=catalog_refreshed cause=%s", _first_line(error))
                self.refresh()
        with _told(self.names()):
            return self._run(query, parameters)

    def _run(self, query: str, parameters: Sequence[object]) -> tuple[tuple[str, ...], Rows]:
        with _told(self.names(), but=duckdb.IOException):
            cursor = self._connection.execute(query, list(parameters))
            columns = tuple(column[0] for column in cursor.description or ())
            return columns, cursor.fetchall()

    def views_of_kind(self, kind: str) -> list[str]:
        """The views that hold records of a kind, sorted."""
        views = _views(self._manifests).items()
        return sorted(name for name, of in views if any(m.kind == kind for m in of))

    def lineage(self, record_id: str, *, round: str | None = None) -> LineageNode:
        """All that a record was made from, and what was found about it.

        `record_id` is an id or `<file>:<row>` of an exported row (of `round`, else the newest).
        Raises StoreError for a record that is not stored.
        """
        return build_lineage(self, record_id, round=round)

    def _view(self, name: str, manifests: list[Manifest]) -> str:
        body = " UNION ALL BY NAME ".join(self._select(manifest) for manifest in manifests)
        return f"CREATE VIEW {_identifier(name)} AS {body}"

    def _select(self, manifest: Manifest) -> str:
        files = ", ".join(_text(str(path.resolve())) for path in self._store.part_paths(manifest))
        source = f"read_parquet([{files}], union_by_name=true, hive_partitioning=false)"
        stored = f"{_text(manifest.round)} AS {_ROUND_COLUMN}"
        if _ROUND_COLUMN not in self._columns(source):
            return f"SELECT {stored}, * FROM {source}"
        return f"SELECT {stored}, * RENAME ({_ROUND_COLUMN} AS record_round) FROM {source}"

    def _columns(self, source: str) -> set[str]:
        described = self._connection.execute(f"DESCRIBE SELECT * FROM {source}").fetchall()
        return {str(row[0]) for row in described}


def _all_manifests(store: DataStore) -> tuple[Manifest, ...]:
    return tuple(
        store.manifest(name, round_name)
        for name in store.names()
        for round_name in store.rounds(name)
    )


def _views(manifests: Sequence[Manifest]) -> dict[str, list[Manifest]]:
    """View names with the data sets they show."""
    views: dict[str, list[Manifest]] = defaultdict(list)
    for manifest in manifests:
        family = family_of(manifest.name)
        if family not in _HIDDEN:
            views[manifest.name].append(manifest)
        if family is not None:
            views[family].append(manifest)
    return dict(views)


def _locked_down(store: DataStore) -> duckdb.DuckDBPyConnection:
    """A connection that can read the store's data sets and nothing else, and write nothing."""
    folder = store.root.resolve() / "datasets"
    connection = duckdb.connect(":memory:", config={"temp_directory": ""})
    connection.execute(f"SET allowed_directories = [{_text(f'{folder}/')}]")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
    return connection


@contextmanager
def _told(
    names: Sequence[str], but: type[duckdb.Error] | tuple[type[duckdb.Error], ...] = ()
) -> Iterator[None]:
    """Tell DuckDB's errors as a cause and a remedy, but let `but` pass."""
    try:
        yield
    except but:
        raise
    except duckdb.PermissionException as error:
        raise StoreError(_first_line(error), "only the store's data sets can be read") from error
    except duckdb.CatalogException as error:
        known = ", ".join(names) or "none yet: materialize some first"
        raise StoreError(_first_line(error), f"data sets are: {known}") from error
    except duckdb.IOException as error:
        raise StoreError(_first_line(error), "materialize that data set again") from error
    except duckdb.Error as error:
        raise StoreError(_first_line(error), "see `DESCRIBE <data set>` for columns") from error


def _first_line(error: duckdb.Error) -> str:
    return str(error).split("\n", 1)[0]


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
