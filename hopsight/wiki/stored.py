"""The snapshot that a store holds, read once in a process for all stages that walk it."""

from functools import lru_cache
from pathlib import Path

from hopsight.store import DataStore
from hopsight.wiki.snapshot import Snapshot
from hopsight.wiki.tables import ROUND, TABLES


def stored_snapshot(store: DataStore) -> Snapshot:
    """The snapshot, read again only once one of its tables was written anew.

    Raises StoreError where a table is missing or, as it is read, damaged.
    """
    versions = _versions(store)
    found = _read(store.root, versions)
    if _versions(store) != versions:
        # It was written anew meanwhile: what was read may be neither the old one nor the new.
        _read.cache_clear()
        return stored_snapshot(store)
    return found


def _versions(store: DataStore) -> tuple[str, ...]:
    return tuple(store.manifest(name, ROUND).digest for name in TABLES)


@lru_cache(maxsize=1)
def _read(root: Path, versions: tuple[str, ...]) -> Snapshot:
    """`versions` are the digests of the tables: equal ones hold equal records."""
    return Snapshot.load(DataStore(root))
