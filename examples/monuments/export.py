"""The world as a MediaWiki export, schema 0.11."""

from collections.abc import Sequence
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from hopsight.wiki.mini.render.export import sha1_base36
from hopsight.wiki.mini.render.page import Page

BASE: Final = "https://monuments.hopsight.invalid/wiki/"
_TIMESTAMP: Final = "2025-01-01T00:00:00Z"
"""Every revision has one fixed time: equal data, equal bytes."""
_SPACE: Final = "http://www.mediawiki.org/xml/export-0.11/"
_NAMESPACES: Final = {0: "", 1: "Talk", 6: "File", 7: "File talk", 10: "Template", 14: "Category"}


def export_xml(pages: Sequence[Page]) -> str:
    """The whole export. Ids follow from the order of the sorted titles."""
    ordered = sorted(pages, key=lambda page: page.title)
    body = "".join(_page_xml(page, number) for number, page in enumerate(ordered, start=1))
    return f"{_header()}{body}</mediawiki>\n"


def _header() -> str:
    spaces = "".join(
        f'      <namespace key="{key}" case="first-letter">{name}</namespace>\n'
        for key, name in _NAMESPACES.items()
    )
    return (
        f'<mediawiki xmlns="{_SPACE}" version="0.11" xml:lang="en">\n'
        "  <siteinfo>\n    <sitename>Monuments</sitename>\n    <dbname>monuments</dbname>\n"
        f"    <base>{BASE}Main_Page</base>\n    <generator>examples.monuments</generator>\n"
        f"    <case>first-letter</case>\n    <namespaces>\n{spaces}    </namespaces>\n"
        "  </siteinfo>\n"
    )


def _page_xml(page: Page, number: int) -> str:
    redirect = f"    <redirect title={quoteattr(page.redirect)} />\n" if page.redirect else ""
    size, digest = len(page.text.encode()), sha1_base36(page.text)
    return (
        f"  <page>\n    <title>{escape(page.title)}</title>\n    <ns>{page.namespace}</ns>\n"
        f"    <id>{number}</id>\n{redirect}    <revision>\n      <id>{100_000 + number}</id>\n"
        f"      <timestamp>{_TIMESTAMP}</timestamp>\n"
        "      <contributor>\n        <username>Monuments</username>\n        <id>1</id>\n"
        "      </contributor>\n      <model>wikitext</model>\n      <format>text/x-wiki</format>\n"
        f'      <text bytes="{size}" sha1="{digest}" xml:space="preserve">{escape(page.text)}'
        f"</text>\n      <sha1>{digest}</sha1>\n    </revision>\n  </page>\n"
    )
