"""Which files a configured source consists of, and what identifies their content."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from hopsight.config import SourceConfig
from hopsight.errors import SourceError
from hopsight.wiki.mini import PICTURES_DIR, PICTURES_JSONL, mini_world_files

SIDECAR = "pictures.jsonl"


@dataclass(frozen=True, slots=True)
class SourceFiles:
    """An export, and its pictures where it has some."""

    kind: str
    dump: Path
    pictures: Path | None
    sidecar: Path | None

    def hashes(self) -> tuple[str, str | None]:
        """Sha-256 of the export and of the pictures' sidecar. Raises SourceError."""
        return _sha256(self.dump), None if self.sidecar is None else _sha256(self.sidecar)


def source_files(source: SourceConfig) -> SourceFiles:
    """The files of a source. Raises SourceError where one is missing."""
    if source.kind == "mini":
        dump = mini_world_files()[0]
        return SourceFiles("mini", dump, PICTURES_DIR, PICTURES_JSONL)
    assert source.dump is not None  # the configuration refuses kind dump without one
    dump = source.dump.expanduser()
    if not dump.is_file():
        told = "is a folder" if dump.is_dir() else "does not exist"
        raise SourceError(f"the dump {dump} {told}", "set source.dump to an export's path")
    if source.pictures is None:
        return SourceFiles("dump", dump, None, None)
    pictures = source.pictures.expanduser()
    if not pictures.is_dir():
        raise SourceError(
            f"the folder of pictures {pictures} does not exist", "set source.pictures to a folder"
        )
    sidecar = pictures / SIDECAR
    return SourceFiles("dump", dump, pictures, sidecar if sidecar.is_file() else None)


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise SourceError(
            f"cannot read {path} ({error.strerror})", "check that it is there and readable"
        ) from error
