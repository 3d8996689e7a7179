"""Writing pages as a MediaWiki export, schema 0.11: the same shape as a `pages-articles` dump."""

import hashlib
from collections.abc import Sequence
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from hopsight.wiki.mini.render.page import Page

TIMESTAMP: Final = "2025-01-01T00:00:00Z"
"""Every revision has one fixed time: equal data, equal bytes."""
FIRST_PAGE_ID: Final = 1001
FIRST_REVISION_ID: Final = 500_001

_NAMESPACES = {
    0: "", 1: "Talk", 2: "User", 3: "User talk", 4: "Project", 5: "Project talk", 6: "File",
    7: "File talk", 8: "MediaWiki", 9: "MediaWiki talk", 10: "Template", 11: "Template talk",
    12: "Help", 13: "Help talk", 14: "Category", 15: "Category talk",
}  # fmt: skip
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_SHA1_DIGITS = 31


def export_xml(pages: Sequence[Page]) -> str:
    """The whole export. Ids follow from the order of the sorted titles."""
    ordered = sorted(pages, key=lambda page: page.title)
    body = "".join(_page_xml(page, at) for at, page in enumerate(ordered))
    return f"{_header()}{body}</mediawiki>\n"


def _header() -> str:
    space = "http://www.mediawiki.org/xml/export-0.11/"
    spaces = "".join(_namespace(key, name) for key, name in _NAMESPACES.items())
    return (
        f'<mediawiki xmlns="{space}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
        f'xsi:schemaLocation="{space} http://www.mediawiki.org/xml/export-0.11.xsd" '
        'version="0.11" xml:lang="en">\n'
        "  <siteinfo>\n    <sitename>Hopsight mini world</sitename>\n"
        "    <dbname>miniwiki</dbname>\n"
        "    <base>https://mini.hopsight.invalid/wiki/Main_Page</base>\n"
        "    <generator>hopsight.wiki.mini</generator>\n    <case>first-letter</case>\n"
        f"    <namespaces>\n{spaces}    </namespaces>\n  </siteinfo>\n"
    )


def _namespace(key: int, name: str) -> str:
    start = f'      <namespace key="{key}" case="first-letter"'
    return f"{start}>{name}</namespace>\n" if name else f"{start} />\n"


def _page_xml(page: Page, at: int) -> str:
    digest = sha1_base36(page.text)
    size = len(page.text.encode())
    redirect = f"    <redirect title={quoteattr(page.redirect)} />\n" if page.redirect else ""
    return (
        f"  <page>\n    <title>{escape(page.title)}</title>\n    <ns>{page.namespace}</ns>\n"
        f"    <id>{FIRST_PAGE_ID + at}</id>\n{redirect}"
        f"    <revision>\n      <id>{FIRST_REVISION_ID + at}</id>\n"
        f"      <timestamp>{TIMESTAMP}</timestamp>\n"
        "      <contributor>\n        <username>Mini world</username>\n        <id>1</id>\n"
        "      </contributor>\n"
        "      <model>wikitext</model>\n      <format>text/x-wiki</format>\n"
        f'      <text bytes="{size}" sha1="{digest}" xml:space="preserve">'
        f"{escape(page.text)}</text>\n"
        f"      <sha1>{digest}</sha1>\n    </revision>\n  </page>\n"
    )


def sha1_base36(text: str) -> str:
    """The SHA-1 of a text in base 36 with 31 digits, as MediaWiki writes it."""
    number = int.from_bytes(hashlib.sha1(text.encode(), usedforsecurity=False).digest(), "big")
    digits = ""
    while number:
        number, digit = divmod(number, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return digits.rjust(_SHA1_DIGITS, "0")
