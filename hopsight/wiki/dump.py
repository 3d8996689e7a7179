"""Reading a MediaWiki XML export, plain, bz2 or zstd, page by page in bounded memory."""

import bz2
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

import pyarrow as pa
from lxml import etree

from hopsight.errors import SourceError

DEFAULT_BASE: Final = "https://wiki.invalid/wiki/"
"""Where page addresses start if the export does not say."""

_LANGUAGE: Final = "{http://www.w3.org/XML/1998/namespace}lang"

_FETCH: Final = "give a MediaWiki export (pages-articles, plain XML, .bz2 or .zst)"
_AGAIN: Final = "fetch or build the file again and compare its size or checksum"


@dataclass(frozen=True, slots=True)
class SiteInfo:
    """What an export says about its wiki. `namespaces` holds the local names by number.

    `language` is its language code without a variant ("zh" for "zh-Hans").
    """

    name: str = ""
    base: str = DEFAULT_BASE
    case: str = "first-letter"
    namespaces: dict[int, str] = field(default_factory=dict)
    language: str = "en"


@dataclass(frozen=True, slots=True)
class RawPage:
    """A page as exported, latest revision. `redirect` is the target's title, or None."""

    page_id: int
    title: str
    namespace: int
    revision: int
    redirect: str | None
    text: str


def read_site(dump: Path | Sequence[Path]) -> SiteInfo:
    """The siteinfo of an export or of its first part; an English wiki's defaults without one.

    Raises SourceError if the file is missing or is no export.
    """
    for element in _elements(parts_of(dump)[0]):
        return _site(element) if _local(element) == "siteinfo" else SiteInfo()
    return SiteInfo()


def read_dump(dump: Path | Sequence[Path]) -> Iterator[RawPage]:
    """Every page of the export, or of its part files one after the other, of every namespace.

    Raises SourceError, naming cause and remedy, if a file is missing, is no MediaWiki export,
    ends early, is damaged, or holds no page. The damage shows only where it is reached: write
    nothing before the iterator has ended.
    """
    for path in parts_of(dump):
        count = 0
        for element in _elements(path):
            if _local(element) == "page":
                yield page_of(element, path)
                count += 1
        if count == 0:
            raise SourceError(f"{path} holds no pages", _FETCH)


def parts_of(dump: Path | Sequence[Path]) -> tuple[Path, ...]:
    """The files of an export in their order. Raises SourceError if there are none."""
    parts = (dump,) if isinstance(dump, Path) else tuple(dump)
    if not parts:
        raise SourceError("the export consists of no file", _FETCH)
    return parts


def _elements(path: Path) -> Iterator[etree._Element]:
    """`siteinfo` and `page` elements; each is freed when the next one is asked for."""
    done = ""
    with _opened(path) as stream:
        try:
            events = etree.iterparse(
                stream,
                events=("end",),
                tag=("{*}siteinfo", "{*}page"),
                resolve_entities=False,
                no_network=True,
            )
            for _, element in events:
                yield element
                done = element.findtext("{*}title") or done
                _free(element)
        except etree.XMLSyntaxError as error:
            where = f"after page {done!r}" if done else "before its first page"
            raise SourceError(
                f"{path} is not whole XML: it breaks off or is damaged {where} ({error.msg})",
                _AGAIN if done else _FETCH,
            ) from error
        except EOFError as error:
            raise SourceError(
                f"{path} ends inside its bz2 data, after page {done!r}", _AGAIN
            ) from error
        except OSError as error:
            raise SourceError(f"{path} cannot be read: {error}", _AGAIN) from error


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    if not path.is_file():
        raise SourceError(f"{path} is not there or is no file", _FETCH)
    if path.suffix == ".zst":
        with pa.input_stream(str(path), compression="zstd") as stream:
            yield stream
        return
    with bz2.open(path, "rb") if path.suffix == ".bz2" else path.open("rb") as stream:
        yield stream


def _free(element: etree._Element) -> None:
    """Drop an element and what stands before it, so that the tree never grows."""
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]


def _local(element: etree._Element) -> str:
    return str(etree.QName(element).localname)


def _site(element: etree._Element) -> SiteInfo:
    base = element.findtext("{*}base") or ""
    names = {
        int(space.get("key", "0")): space.text or ""
        for space in element.iterfind("{*}namespaces/{*}namespace")
    }
    return SiteInfo(
        name=element.findtext("{*}sitename") or "",
        base=base.rsplit("/", 1)[0] + "/" if "/" in base else DEFAULT_BASE,
        case=element.findtext("{*}case") or "first-letter",
        namespaces=names,
        language=_language(element),
    )


def _language(element: etree._Element) -> str:
    root = element.getparent()
    code = "" if root is None else root.get(_LANGUAGE, "")
    return code.partition("-")[0].lower() or "en"


def page_of(element: etree._Element, path: Path) -> RawPage:
    """A `page` element of an export. Raises SourceError, naming `path`, for one without ids."""
    title = element.findtext("{*}title") or ""
    revisions = element.findall("{*}revision")
    redirect = element.find("{*}redirect")
    try:
        if not title or not revisions:
            raise ValueError("no title or no revision")
        return RawPage(
            page_id=int(element.findtext("{*}id") or ""),
            title=title,
            namespace=int(element.findtext("{*}ns") or "0"),
            revision=int(revisions[-1].findtext("{*}id") or ""),
            redirect=None if redirect is None else redirect.get("title", ""),
            text=revisions[-1].findtext("{*}text") or "",
        )
    except ValueError as error:
        raise SourceError(f"{path}: page {title!r} has no usable id ({error})", _AGAIN) from error
