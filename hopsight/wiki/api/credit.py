"""Licence and author of files: from what the API says, else from the pages that describe them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from lxml import etree, html

from hopsight.config.api import ApiSource
from hopsight.wiki.api.answers import FileInfo, PageInfo, askable, fits_xml
from hopsight.wiki.api.cache import Cache
from hopsight.wiki.api.pictures import Picture
from hopsight.wiki.api.rejected import Rejected
from hopsight.wiki.api.wiki import Wiki
from hopsight.wiki.images import NO_CREDIT, Credit, file_credit
from hopsight.wiki.titles import FILE, Namespaces

_LONGEST: Final = 500


FilePages = Mapping[str, tuple[PageInfo, str]]
"""The pages that describe files, and their wikitext, by the files' names."""


async def describe(
    pictures: Sequence[Picture], wiki: Wiki, cache: Cache, config: ApiSource, rejected: Rejected
) -> FilePages:
    """The files' own pages, of those of which the API does not tell licence and author."""
    lacking = [each.name for each in pictures if not _is_told(each.file)]
    infos = await wiki.infos([f"File:{name}" for name in lacking])
    pages = {
        name: page
        for name, page in zip(lacking, infos, strict=True)
        if page is not None and _is_description(page, config.max_page_bytes)
    }
    await wiki.revisions(list(pages.values()))
    found: dict[str, tuple[PageInfo, str]] = {}
    for name, page in pages.items():
        revision = cache.revision(page.lastrevid)
        if revision is None:
            rejected.add("file_page_unavailable", page.title, f"revision {page.lastrevid}")
        else:
            found[name] = page, revision.text
    return found


def credited(picture: Picture, pages: FilePages, namespaces: Namespaces) -> Picture:
    """The picture with the credit that the API tells, its gaps filled from the file's own page."""
    told = Credit(plain(picture.file.license_html), plain(picture.file.artist_html))
    _, text = pages.get(picture.name, (None, ""))
    own = file_credit(text, namespaces) if text else NO_CREDIT
    return replace(picture, credit=Credit(told.license or own.license, told.author or own.author))


def _is_told(file: FileInfo) -> bool:
    return bool(plain(file.license_html) and plain(file.artist_html))


def _is_description(page: PageInfo, max_bytes: int) -> bool:
    there = page.ns == FILE and page.pageid > 0 and page.lastrevid > 0
    return there and not page.redirect and page.length <= max_bytes and askable(page.title)


def plain(markup: str) -> str:
    """The words that a browser would show of some HTML, in one line, cut at 500 characters."""
    if not markup.strip() or not fits_xml(markup):
        return ""
    try:
        element = html.fragment_fromstring(markup, create_parent="div")
    except (etree.ParserError, ValueError):
        return ""
    for hidden in element.xpath(
        "//script | //style | //comment() | //*[contains(translate(@style, ' ', ''),"
        " 'display:none')]"
    ):
        hidden.drop_tree()
    return " ".join(str(element.text_content()).split())[:_LONGEST]
