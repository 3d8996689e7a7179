"""The mini world as the benchmarks use it: tables, and a local backend in a folder."""

from pathlib import Path

from hopsight.config import SourceConfig
from hopsight.harness.backends.build import build_local_index
from hopsight.harness.backends.local import LocalBackend
from hopsight.store import ImageStore
from hopsight.wiki.build import build_snapshot
from hopsight.wiki.sources import SourceFiles, source_files
from hopsight.wiki.tables import SnapshotTables


def mini_files() -> SourceFiles:
    """Export and pictures of the mini world."""
    return source_files(SourceConfig(), Path())


def mini_tables(images: ImageStore) -> SnapshotTables:
    """The mini world's snapshot; its pictures go to `images`."""
    files = mini_files()
    return build_snapshot(files.dump, files.pictures, files.sidecar, images)


def mini_backend(
    tables: SnapshotTables, images: ImageStore, folder: Path, pictures: int
) -> LocalBackend:
    """A local backend over all pages and the first few pictures."""
    return build_local_index(
        tables.pages,
        tables.links,
        tables.facts,
        tables.aliases,
        tables.images[:pictures],
        images.bytes,
        folder,
    )
