"""Writing what was fetched as a MediaWiki XML export, page by page, in the order of page ids."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from xml.sax.saxutils import quoteattr

from lxml import etree

from hopsight.store.files import TEMPORARY_PREFIX, storage_errors
from hopsight.wiki.api.answers import SiteAnswer

_SCHEMA: Final = "http://www.mediawiki.org/xml/export-0.11/"


@dataclass(frozen=True, slots=True)
class ExportPage:
    """A page as it is written. `redirect` is the target's title, or None."""

    page_id: int
    title: str
    namespace: int
    revision: int
    timestamp: str
    redirect: str | None
    text: str


def write_export(path: Path, site: SiteAnswer, pages: Iterable[ExportPage]) -> None:
    """Write an export that appears whole or not at all. Raises StoreError."""
    temporary = path.with_name(TEMPORARY_PREFIX + path.name)
    with storage_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("wb") as file:
            for piece in _pieces(site, pages):
                file.write(piece.encode())
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)


def _pieces(site: SiteAnswer, pages: Iterable[ExportPage]) -> Iterator[str]:
    lang = quoteattr(site.general.lang)
    yield f'<mediawiki xmlns="{_SCHEMA}" version="0.11" xml:lang={lang}>\n'
    yield _indented(_site(site))
    for page in pages:
        yield _indented(_page(page))
    yield "</mediawiki>\n"


def _site(site: SiteAnswer) -> etree._Element:
    element = etree.Element("siteinfo")
    general = site.general
    for name, value in (
        ("sitename", general.sitename),
        ("dbname", general.wikiid),
        ("base", general.base),
        ("generator", general.generator),
        ("case", general.case),
    ):
        etree.SubElement(element, name).text = value
    spaces = etree.SubElement(element, "namespaces")
    for number, name in sorted(site.namespaces.items()):
        space = etree.SubElement(spaces, "namespace", key=str(number), case=general.case)
        space.text = name or None
    return element


def _page(page: ExportPage) -> etree._Element:
    element = etree.Element("page")
    etree.SubElement(element, "title").text = page.title
    etree.SubElement(element, "ns").text = str(page.namespace)
    etree.SubElement(element, "id").text = str(page.page_id)
    if page.redirect is not None:
        etree.SubElement(element, "redirect", title=page.redirect)
    revision = etree.SubElement(element, "revision")
    etree.SubElement(revision, "id").text = str(page.revision)
    etree.SubElement(revision, "timestamp").text = page.timestamp
    etree.SubElement(revision, "model").text = "wikitext"
    etree.SubElement(revision, "format").text = "text/x-wiki"
    text = etree.SubElement(revision, "text", bytes=str(len(page.text.encode())))
    text.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
    text.text = page.text
    return element


def _indented(element: etree._Element) -> str:
    etree.indent(element, space="  ", level=1)
    return f"  {etree.tostring(element, encoding='unicode')}\n"
