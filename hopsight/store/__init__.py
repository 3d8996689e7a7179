"""Storage: sealed data sets (Parquet), growing ones (journal), pictures, and locks."""

from hopsight.store.images import ImageStore
from hopsight.store.journal import Journal
from hopsight.store.lock import round_lock
from hopsight.store.manifest import Manifest, PartFile
from hopsight.store.parquet import DataStore
from hopsight.store.schema import arrow_schema

__all__ = [
    "DataStore",
    "ImageStore",
    "Journal",
    "Manifest",
    "PartFile",
    "arrow_schema",
    "round_lock",
]
