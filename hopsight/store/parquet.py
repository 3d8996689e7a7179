"""Data sets on disk: Parquet parts and a manifest for each name and round.

    <root>/datasets/<name>/round=<round>/part-0000-<hash>.parquet  manifest.json

The rename of the manifest is the commit. Parts are named by their content, so a reader that holds
the manifest of before goes on undisturbed; what no manifest names is swept by the next write.
"""

import hashlib
import logging
import re
from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TypeVar

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import ValidationError

from hopsight.datasets import asset_of
from hopsight.errors import StoreError
from hopsight.store.encode import decode, encode_parts, sorted_unique
from hopsight.store.files import storage_errors, write_atomic
from hopsight.store.lock import file_lock
from hopsight.store.manifest import Manifest
from hopsight.store.schema import arrow_schema
from hopsight.types import Record

log = logging.getLogger(__name__)

R = TypeVar("R", bound=Record)

MANIFEST = "manifest.json"
WAIT_S = 30.0
_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
_ROUND = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
_READ_TRIES = 5


class DataStore:
    """Sealed data sets under one folder. Snapshot-wide data use the round "all"."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(
        self, name: str, round: str, records: Iterable[R], *, record_type: type[R]
    ) -> Manifest:
        """Replace the data set by `records`, at once and as a whole.

        The order of `records` has no influence on the bytes. Raises StoreError (disk full, a
        record that has no columns) and LockedError; the version of before then stays.
        """
        folder = self._folder(name, round)
        unique, duplicates = sorted_unique(records, record_type)
        with self._lock(name, round):
            _sweep(folder, keep=self._committed_files(name, round))
            parts = []
            for part, data in encode_parts(unique, record_type):
                write_atomic(folder / part.file, data)
                parts.append(part)
            manifest = Manifest(
                name=name,
                round=round,
                kind=record_type.kind,
                schema_version=record_type.schema_version,
                rows=len(unique),
                duplicates=duplicates,
                parts=tuple(parts),
            )
            write_atomic(folder / MANIFEST, manifest.model_dump_json(indent=1).encode())
        log.info("event=written dataset=%s round=%s rows=%d", name, round, manifest.rows)
        if duplicates:
            log.warning("event=duplicates dataset=%s round=%s n=%d", name, round, duplicates)
        return manifest

    def read(self, name: str, round: str, record_type: type[R]) -> list[R]:
        """The records, sorted by id. Raises StoreError: missing, damaged, of another schema."""
        try:
            return decode(self.table(name, round, record_type), record_type)
        except ValueError as error:
            raise self._damaged(name, round, str(error)) from error

    def table(self, name: str, round: str, record_type: type[R]) -> pa.Table:
        """The same rows as columns, for bulk work; hashes of parts are checked, ids are not."""
        manifest = self.manifest(name, round)
        for _ in range(_READ_TRIES):
            _check_schema(manifest, record_type)
            try:
                return pa.concat_tables(self._parts(manifest, record_type))
            except FileNotFoundError as error:
                # Two commits went by since the manifest was read: follow the newest one.
                newest = self.manifest(name, round)
                if newest == manifest:
                    raise self._damaged(name, round, f"{error.filename} is missing") from error
                manifest = newest
        raise StoreError(
            f"data set {name} of round {round} is rewritten faster than it can be read",
            "wait until the run that writes it has ended",
        )

    def exists(self, name: str, round: str) -> bool:
        """Whether a version has been committed."""
        return (self._folder(name, round) / MANIFEST).is_file()

    def rounds(self, name: str) -> list[str]:
        """The rounds in which `name` has been committed, sorted."""
        folder = self._folder(name, "all").parent
        found = (path.parent.name for path in folder.glob(f"round=*/{MANIFEST}"))
        rounds = (folder_name.removeprefix("round=") for folder_name in found)
        return sorted(round_name for round_name in rounds if _ROUND.fullmatch(round_name))

    def names(self) -> list[str]:
        """The names of all data sets that have a committed round, sorted."""
        found = (self.root / "datasets").glob(f"*/round=*/{MANIFEST}")
        names = {path.parent.parent.name for path in found}
        return sorted(name for name in names if _NAME.fullmatch(name))

    def manifest(self, name: str, round: str) -> Manifest:
        """What was committed last. Raises StoreError where nothing was, or it is unreadable."""
        path = self._folder(name, round) / MANIFEST
        try:
            with storage_errors(path):
                return Manifest.model_validate_json(path.read_bytes())
        except StoreError as error:
            if isinstance(error.__cause__, FileNotFoundError):
                raise self._missing(name, round) from error
            raise
        except ValidationError as error:
            raise self._damaged(name, round, f"{path} is no manifest") from error

    def part_paths(self, manifest: Manifest) -> list[Path]:
        """Where the parts of a manifest lie."""
        folder = self._folder(manifest.name, manifest.round)
        return [folder / part.file for part in manifest.parts]

    def _parts(self, manifest: Manifest, record_type: type[R]) -> list[pa.Table]:
        expected = arrow_schema(record_type)
        tables = []
        for path, part in zip(self.part_paths(manifest), manifest.parts, strict=True):
            data = path.read_bytes()
            if hashlib.sha256(data).hexdigest() != part.sha256:
                raise self._damaged(manifest.name, manifest.round, f"{path} has other bytes")
            table = pq.read_table(pa.BufferReader(data))
            if not table.schema.equals(expected, check_metadata=False):
                raise _other_columns(manifest, record_type)
            tables.append(table)
        return tables

    def _folder(self, name: str, round: str) -> Path:
        if not _NAME.fullmatch(name):
            raise StoreError(
                f"{name!r} is no name of a data set", "use small letters, digits and _"
            )
        if not _ROUND.fullmatch(round):
            raise StoreError(f"{round!r} is no name of a round", 'use four digits, or "all"')
        return self.root / "datasets" / name / f"round={round}"

    def _lock(self, name: str, round: str) -> AbstractContextManager[None]:
        path = self.root / "locks" / f"dataset-{name}-{round}.lock"
        return file_lock(path, f"data set {name} of round {round}", wait_s=WAIT_S)

    def _committed_files(self, name: str, round: str) -> frozenset[str]:
        """Parts that must stay. A manifest nobody can read protects nothing."""
        try:
            return frozenset(part.file for part in self.manifest(name, round).parts)
        except StoreError:
            return frozenset()

    def _missing(self, name: str, round: str) -> StoreError:
        known = ", ".join(self.rounds(name)) or "none"
        return StoreError(
            f"data set {name} of round {round} does not exist (rounds that do: {known})",
            f"materialize the asset {asset_of(name)} for round {round} first",
        )

    def _damaged(self, name: str, round: str, detail: str) -> StoreError:
        return StoreError(
            f"data set {name} of round {round} is damaged: {detail}",
            f"materialize it again from the asset {asset_of(name)}",
        )


def _check_schema(manifest: Manifest, record_type: type[Record]) -> None:
    if manifest.kind != record_type.kind:
        raise StoreError(
            f"data set {manifest.name} holds records of kind {manifest.kind}, not "
            f"{record_type.kind}",
            "read it as the record type it was written with",
        )
    if manifest.schema_version == record_type.schema_version:
        return
    age = "older" if manifest.schema_version < record_type.schema_version else "newer"
    remedy = f"materialize it again from the asset {asset_of(manifest.name)}"
    if age == "newer":
        remedy += ", or use the version of Hopsight that wrote it"
    raise StoreError(
        f"data set {manifest.name} of round {manifest.round} has the {age} schema version "
        f"{manifest.schema_version}; this version of Hopsight reads {record_type.schema_version}",
        remedy,
    )


def _other_columns(manifest: Manifest, record_type: type[Record]) -> StoreError:
    return StoreError(
        f"data set {manifest.name} of round {manifest.round} has other columns than "
        f"{record_type.__name__} has now",
        f"materialize it again from the asset {asset_of(manifest.name)}",
    )


def _sweep(folder: Path, keep: frozenset[str]) -> None:
    """Remove what writes that did not end, and versions before the current one, left behind."""
    with storage_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for path in folder.iterdir():
            if path.name != MANIFEST and path.name not in keep:
                path.unlink()
