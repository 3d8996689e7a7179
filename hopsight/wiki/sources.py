"""Which files a configured source consists of, and what identifies their content."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hopsight.config import SourceConfig
from hopsight.errors import SourceError
from hopsight.types import content_hash
from hopsight.wiki.api import CrawlFiles
from hopsight.wiki.mini import PICTURES_DIR, PICTURES_JSONL, WORLD_XML, mini_world_files
from hopsight.wiki.scan import SourceFile

SIDECAR: Final = "pictures.jsonl"
_PARTS: Final = ("*.xml", "*.xml*.bz2", "*.xml*.zst", "*.xml-p*")


@dataclass(frozen=True, slots=True)
class SourceFiles:
    """An export's part files in order, its pictures and its SQL files where it has some."""

    kind: str
    dump: tuple[Path, ...]
    pictures: Path | None
    sidecar: Path | None
    sql: Path | None = None

    def hashes(self) -> tuple[str, str | None]:
        """Sha-256 of the export's parts, and of the pictures' sidecar. Raises SourceError."""
        parts = [_sha256(path) for path in self.dump]
        whole = parts[0] if len(parts) == 1 else hashlib.sha256("".join(parts).encode()).hexdigest()
        return whole, None if self.sidecar is None else _sha256(self.sidecar)


def check_source(source: SourceConfig) -> None:
    """Raises SourceError where a file that the source names is missing. A crawl has none yet."""
    if source.kind != "api":
        source_files(source, Path())


def source_name(source: SourceConfig) -> str:
    """What the source is called: its file, the folder of its parts, or the wiki's API."""
    if source.kind == "mini":
        return WORLD_XML.name
    return source.api.base_url if source.api is not None else str(source.dump and source.dump.name)


def source_identity(source: SourceConfig) -> str:
    """What tells apart two sources of one name, cheaply: sizes and ends of the files, or what the
    crawl of a wiki is asked for. Raises SourceError where a file is missing."""
    if source.api is not None:
        return content_hash(source.api.decides())
    files = source_files(source, Path())
    sidecar = [] if files.sidecar is None else [files.sidecar]
    found = [SourceFile.of(path) for path in (*files.dump, *sidecar)]
    return content_hash([[each.size, each.sha256] for each in found])


def source_files(source: SourceConfig, crawled: Path) -> SourceFiles:
    """The files of a source; those of a crawl lie in the folder `crawled`. Raises SourceError."""
    if source.kind == "mini":
        return SourceFiles("mini", (mini_world_files()[0],), PICTURES_DIR, PICTURES_JSONL)
    if source.kind == "api":
        files = CrawlFiles.of(crawled)
        if not files.export.is_file():
            raise SourceError(f"{crawled} holds no crawl", "materialize the asset wiki_scan")
        return SourceFiles("api", (files.export,), files.pictures, files.sidecar)
    assert source.dump is not None  # the configuration refuses kind dump without one
    dump = _parts(source.dump.expanduser())
    sql = None if source.sql is None else _folder(source.sql, "sql")
    if source.pictures is None:
        return SourceFiles("dump", dump, None, None, sql)
    pictures = _folder(source.pictures, "pictures")
    sidecar = pictures / SIDECAR
    return SourceFiles("dump", dump, pictures, sidecar if sidecar.is_file() else None, sql)


def _parts(path: Path) -> tuple[Path, ...]:
    if path.is_file():
        return (path,)
    if not path.is_dir():
        raise SourceError(f"the dump {path} does not exist", "set source.dump to an export's path")
    parts = sorted({part for pattern in _PARTS for part in path.glob(pattern)}, key=_part_order)
    if not parts:
        raise SourceError(
            f"the folder {path} holds no part of an export",
            "set source.dump to an XML file, or to a folder with *.xml, *.xml*.bz2 or *.xml*.zst",
        )
    return tuple(parts)


def _part_order(path: Path) -> tuple[tuple[int, str], ...]:
    """By the numbers in the name: articles2 comes before articles10."""
    digits = "".join(sign if sign.isdigit() else " " for sign in path.name).split()
    return (*((int(each), "") for each in digits), (0, path.name))


def _folder(path: Path, key: str) -> Path:
    folder = path.expanduser()
    if not folder.is_dir():
        raise SourceError(f"the folder {folder} does not exist", f"set source.{key} to a folder")
    return folder


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise SourceError(
            f"cannot read {path} ({error.strerror})", "check that it is there and readable"
        ) from error
