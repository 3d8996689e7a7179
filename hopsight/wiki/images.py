"""Pictures of pages: the sidecar that describes them, their licences, and the image store."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final, Protocol
from urllib.parse import quote

from mwparserfromhell.wikicode import Wikicode
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from hopsight.errors import PictureError, SourceError
from hopsight.types import ImageRef, PageImage, Sha256
from hopsight.wiki.infobox import members
from hopsight.wiki.templates import template_name
from hopsight.wiki.titles import Namespaces
from hopsight.wiki.wikitext import parse_wikitext

_DESCRIPTIONS: Final = frozenset({"information", "artwork", "photograph", "book", "bild-info"})
_AUTHOR_KEYS: Final = frozenset({"author", "artist", "photographer", "urheber", "autor", "作者"})
_PERMISSION_KEYS: Final = frozenset(
    {"permission", "license", "licence", "genehmigung", "lizenz", "许可", "許可", "授权", "授權"}
)
_LICENSES: Final = ("cc-", "cc0", "pd-", "gfdl", "bild-cc", "bild-pd", "bild-gfdl", "fal")

MAX_BYTES: Final = 64 * 1024 * 1024
"""A larger picture file is not read."""

MAX_PICTURES: Final = 8
"""Pictures of one page that are taken; no more are ever looked at [OpenSearch-VL]."""


class ImageSink(Protocol):
    """Where pictures are put; `put` raises PictureError for a picture that cannot be used."""

    def put(self, data: bytes, source_url: str, license: str, author: str) -> ImageRef:
        """Check and keep a picture."""


class PictureRow(BaseModel):
    """One line of the sidecar `pictures.jsonl`. Sizes in pixels; empty strings are unknown."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    file: str = Field(min_length=1)
    title: str = ""
    width: int | None = None
    height: int | None = None
    sha256: Sha256 | None = None
    license: str = ""
    author: str = ""
    visual_facts: tuple[str, ...] = ()
    text: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Credit:
    """Under which licence a file may be used and who made it; empty where unknown."""

    license: str
    author: str


NO_CREDIT: Final = Credit("", "")


@dataclass(frozen=True, slots=True)
class Unusable:
    """Why a page's picture is not taken."""

    reason: str
    detail: str


def read_sidecar(path: Path) -> tuple[PictureRow, ...]:
    """The rows of a sidecar. Raises SourceError naming the line that is wrong."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(
            f"{path} cannot be read: {error}", "give the pictures.jsonl that goes with the export"
        ) from error
    rows: list[PictureRow] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            rows.append(PictureRow.model_validate_json(line))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"]) or "the line"
            raise SourceError(
                f"{path}, line {number}: {where}: {first['msg']}",
                "mend that line: one JSON object a line with at least `file`",
            ) from error
    return tuple(rows)


def file_credit(wikitext: str, namespaces: Namespaces) -> Credit:
    """Licence and author as a file's own page gives them.

    A licence template says more than the field for permissions, which often holds prose.
    """
    author = permission = license_name = ""
    for template in parse_wikitext(wikitext).filter_templates(recursive=True):
        name = template_name(template)
        if name in _DESCRIPTIONS:
            for parameter in template.params:
                key = str(parameter.name).strip().lower()
                if key in _AUTHOR_KEYS:
                    author = author or _words(parameter.value, namespaces)
                elif key in _PERMISSION_KEYS:
                    permission = permission or _words(parameter.value, namespaces)
        elif name in {"self", "licensed"}:
            license_name = license_name or _first_unnamed(str(template))
        elif name.startswith("creator:"):
            author = author or name.removeprefix("creator:").title()
        elif name.startswith(_LICENSES) or name == "pd":
            license_name = license_name or name.removeprefix("bild-").upper()
    return Credit(license_name or permission, author)


def _words(value: Wikicode, namespaces: Namespaces) -> str:
    return ", ".join(member.text for member in members(value, namespaces))


def _first_unnamed(template: str) -> str:
    parts = [part.strip() for part in template.strip("{}").split("|")[1:]]
    return next((part.upper() for part in parts if part and "=" not in part), "")


def file_key(name: str) -> str:
    """What file names are compared by: a wiki writes `_` as a space and a large first letter."""
    spaced = " ".join(name.replace("_", " ").split())
    return spaced[:1].upper() + spaced[1:]


def picture_files(folder: Path) -> dict[str, Path]:
    """The files that lie in a folder itself, by `file_key`. Raises SourceError without one."""
    if not folder.is_dir():
        raise SourceError(f"{folder} is no folder", "give the folder of the export's pictures")
    return {file_key(path.name): path for path in sorted(folder.iterdir())}


@dataclass(frozen=True, slots=True)
class Pictures:
    """The pictures at hand, by `file_key`: their files and the sidecar's rows.

    `named` gives the files whose rows name a page by title, in the order of the rows.

    `credit_of` gives what the page of a file says, by `file_key`; it is asked only for pictures
    that are used.
    """

    files: Mapping[str, Path]
    rows: Mapping[str, PictureRow]
    credit_of: Callable[[str], Credit]
    base_url: str
    named: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of_folder(
        cls,
        folder: Path,
        rows: Iterable[PictureRow],
        credit_of: Callable[[str], Credit],
        base_url: str,
    ) -> "Pictures":
        """Only what lies in the folder itself is ever read. Raises SourceError without one."""
        described = tuple(rows)
        return cls(
            files=picture_files(folder),
            rows={file_key(row.file): row for row in described},
            credit_of=credit_of,
            base_url=base_url,
            named=_named(described),
        )

    def files_of(self, title: str, lead: str | None, files: Iterable[str]) -> tuple[str, ...]:
        """A page's files, each once: the one it leads with, then those of its text and of rows.

        `lead` None: the page's own text names none to lead with, so that a row's comes first.
        """
        named = self.named.get(title, ())
        names = (*named, *files) if lead is None else (lead, *files, *named)
        found: dict[str, str] = {}
        for name in names:
            found.setdefault(file_key(name), name)
        return tuple(found.values())

    def holds(self, file: str) -> bool:
        """Whether a file lies in the folder."""
        return file_key(file) in self.files

    def take(
        self, page_id: int, file: str, sink: ImageSink, *, place: int = 0
    ) -> PageImage | Unusable:
        """Put a page's picture into the store. An unusable picture is a reason, no exception."""
        key = file_key(file)
        path = self.files.get(key)
        if path is None:
            return Unusable("picture_missing", file)
        row = self.rows.get(key) or PictureRow(file=path.name)
        try:
            data = _read(path)
        except OSError as error:
            return Unusable("picture_unreadable", f"{path.name}: {error.strerror or error}")
        if row.sha256 is not None and sha256(data).hexdigest() != row.sha256:
            return Unusable("picture_changed", f"{path.name} is not the file its sha256 names")
        # Both known already: no need to parse the file's page.
        credit = NO_CREDIT if row.license and row.author else self.credit_of(key)
        license_name = row.license or credit.license
        if not license_name:
            return Unusable("picture_without_license", path.name)
        url = self.base_url + "File:" + quote(path.name.replace(" ", "_"))
        try:
            image = sink.put(data, url, license_name, row.author or credit.author)
        except PictureError as error:
            return Unusable("picture_unusable", f"{path.name}: {error.cause}")
        return PageImage(
            page_id=page_id,
            file=path.name,
            place=place,
            image=image,
            visual_facts=row.visual_facts,
            text=row.text,
        )


def _named(rows: Sequence[PictureRow]) -> dict[str, tuple[str, ...]]:
    """Files by the page that their rows name."""
    found: dict[str, list[str]] = {}
    for row in rows:
        if row.title:
            found.setdefault(row.title, []).append(row.file)
    return {title: tuple(files) for title, files in found.items()}


def _read(path: Path) -> bytes:
    if path.stat().st_size > MAX_BYTES:
        raise OSError(0, f"larger than {MAX_BYTES} bytes")
    return path.read_bytes()
