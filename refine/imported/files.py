"""The files that a round imports, one after the other."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from hopsight.config.refine import ImportedConfig
from hopsight.net import Fetcher
from hopsight.stage import Staged
from hopsight.store.files import storage_errors
from hopsight.store.images import ImageStore
from hopsight.types import Rejection, Seed
from refine.imported.columns import Role
from refine.imported.parquet_rows import parquet_count
from refine.imported.read import read_seeds
from refine.imported.rows import rows_of
from refine.imported.seed import ImportLimits
from refine.imported.web import OpenUrls, web_pictures

_USUAL: Final = ImportLimits()
_NO_ROLES: Final[dict[Role, str]] = {}


def read_files(
    rules: ImportedConfig, images: ImageStore, *, first: int | None = None
) -> Staged[Seed]:
    """The seeds of all files in their order, or of the `first` rows alone.

    Not to be called within a running event loop. Raises as `read_seeds` does.
    """
    folder = None if rules.pictures is None else Path(rules.pictures)
    kept: list[Seed] = []
    rejected: list[Rejection] = []
    entered = 0
    with _opened(fetch=rules.fetch) as open_urls:
        for name in rules.files:
            left = None if first is None else first - entered
            if left is not None and left <= 0:
                break
            found = read_seeds(Path(name), images, pictures=folder, open_urls=open_urls, first=left)
            entered += found.entered
            kept += found.kept
            rejected += found.rejected
    return Staged(entered, tuple(kept), tuple(rejected))


def count_rows(rules: ImportedConfig) -> int:
    """How many rows the files hold; no picture is looked at. Raises as `read_seeds` does."""
    return sum(_rows(Path(name)) for name in rules.files)


def _rows(path: Path) -> int:
    if path.suffix.casefold() == ".parquet":
        with storage_errors(path):
            return parquet_count(path)
    return sum(1 for _ in rows_of(path, _NO_ROLES, _USUAL, every=True))


@contextmanager
def _opened(*, fetch: bool) -> Iterator[OpenUrls | None]:
    """What fetches pictures, where that is asked for."""
    if not fetch:
        yield None
        return
    with web_pictures(Fetcher()) as open_urls:
        yield open_urls
