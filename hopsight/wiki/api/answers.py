"""What a MediaWiki answers to each kind of question, checked: titles, revisions, files, site."""

import re
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from hopsight.wiki.api.client import not_documented

_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NO_TITLE: Final = re.compile(r"[\x00-\x1f\x7f#<>\[\]|{}]|^\s*$")

M = TypeVar("M", bound=BaseModel)


class Answer(BaseModel):
    """A frozen piece of an answer; what is not read of it is not looked at."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class PageInfo(Answer):
    """What stands under a title: a page, or the reason why none does. Length in bytes."""

    title: str = Field(min_length=1)
    ns: int = 0
    pageid: int = 0
    lastrevid: int = 0
    length: int = 0
    contentmodel: str = "wikitext"
    redirect: bool = False
    missing: bool = False
    invalid: bool = False
    special: bool = False
    invalidreason: str = ""


class RedirectStep(Answer):
    """Where one redirect leads."""

    to: str = Field(min_length=1)
    tointerwiki: str = ""

    @property
    def target(self) -> str:
        """As an export has it: with the prefix of another wiki, without a section."""
        return f"{self.tointerwiki}:{self.to}" if self.tointerwiki else self.to


class Slot(Answer):
    """The content of a revision."""

    content: str | None = None


class RevisionRow(Answer):
    """One revision of a page."""

    revid: int
    timestamp: str = Field("", pattern=r"^[0-9TZ:.+-]{0,40}$")
    slots: dict[str, Slot] = Field(default_factory=dict)


class FileInfo(Answer):
    """A picture file: where it lies, its size in bytes and pixels, and what is told of it."""

    url: str
    size: int = 0
    width: int = 0
    height: int = 0
    sha1: str = Field("", pattern=r"^[0-9a-f]{0,40}$")
    mime: str = ""
    thumburl: str = ""
    thumbmime: str = ""
    license_html: str = ""
    artist_html: str = ""
    shared: bool = False


class General(Answer):
    """The part of a siteinfo that an export repeats."""

    sitename: str = ""
    base: str = ""
    generator: str = ""
    case: str = "first-letter"
    lang: str = "en"
    wikiid: str = ""


class SiteAnswer(Answer):
    """What a wiki says about itself. `namespaces` holds the local names by number."""

    general: General
    namespaces: dict[int, str]
    page_images: bool = False
    """Whether it names a leading picture for each page (extension PageImages)."""


def read(model: type[M], value: Any) -> M:
    """Check one piece of an answer. Raises SourceError."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise not_documented(f"{model.__name__}.{where}: {first['msg']}") from error


def rows(query: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """The list of objects under a name, empty where there is none. Raises SourceError."""
    found = query.get(name, [])
    if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
        raise not_documented(f"{name} is no list of objects")
    return found


def renamed(query: dict[str, Any], title: str) -> str:
    """Under which title an answer speaks of the one asked for: normalised, and a file's redirect
    followed.
    """
    for name in ("normalized", "redirects"):
        forms = {row.get("from"): row.get("to") for row in rows(query, name)}
        title = str(forms.get(title, title))
    return title


def askable(title: str) -> bool:
    """Whether a title may be put into a question: it cannot be taken for two, or break it off."""
    return fits_xml(title) and _NO_TITLE.search(title) is None and 0 < len(title.encode()) <= 300


def read_site(query: dict[str, Any]) -> SiteAnswer:
    """Check a siteinfo. Raises SourceError."""
    spaces = query.get("namespaces")
    if not isinstance(spaces, dict) or not all(isinstance(row, dict) for row in spaces.values()):
        raise not_documented("siteinfo names no namespaces")
    extensions = {row.get("name") for row in rows(query, "extensions")}
    site = read(
        SiteAnswer,
        {
            "general": query.get("general"),
            "namespaces": {key: row.get("name") for key, row in spaces.items()},
            "page_images": "PageImages" in extensions,
        },
    )
    told = (*site.general.model_dump().values(), *site.namespaces.values())
    if not all(map(fits_xml, told)):
        raise not_documented("siteinfo holds control characters")
    return site


def read_file(row: dict[str, Any], repository: str) -> FileInfo:
    """Check an `imageinfo`. Raises SourceError."""
    told = row.get("extmetadata")
    told = told if isinstance(told, dict) else {}
    flat = {
        "license_html": _told(told, "LicenseShortName"),
        "artist_html": _told(told, "Artist"),
        "shared": repository != "local",
    }
    return read(FileInfo, {**row, **flat})


def fits_xml(text: str) -> bool:
    """Whether an XML file can hold a text: no control characters, no half of a surrogate pair."""
    return _NOT_XML.search(text) is None


def _told(metadata: dict[str, Any], name: str) -> str:
    entry = metadata.get(name)
    value = entry.get("value", "") if isinstance(entry, dict) else ""
    return str(value)[:20_000]
