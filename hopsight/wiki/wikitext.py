"""A page's wikitext, fully parsed: for pages that are selected, not for a whole dump."""

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

import mwparserfromhell
from mwparserfromhell.parser import ParserError
from mwparserfromhell.wikicode import Wikicode

from hopsight.wiki.infobox import BOX_START, Infobox, read_infobox
from hopsight.wiki.markup import PlainText, plain_text
from hopsight.wiki.sentences import split_sentences
from hopsight.wiki.titles import FILE, Namespaces, is_disambiguation, is_list

_HEADING: Final = re.compile(r"^##+ (.*)$", re.MULTILINE)
_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_REFERENCE: Final = re.compile(
    r"<ref\b[^<>]*/>"
    r"|<ref\b[^<>]*>(?:(?!<ref\b|\n=).)*?</ref\s*>"
    r"|<ref\b[^<>]*>[^\n<]*"  # never closed: its own line is all that can be taken for it
    r"|</ref\s*>",
    re.DOTALL | re.IGNORECASE,
)
_TABLE: Final = re.compile(
    r"^[ \t:;*#]*(?P<open>\{\|)|^[ \t]*(?P<close>\|\})(?!\})|^(?P<row>[ \t]*[|!].*)$"
    r"|^(?P<heading>=+[^\n]+=+)[ \t]*$",
    re.MULTILINE,
)
_OPENED: Final = re.compile(r"\[\[|\{\{|<(?!(?:br|hr|li|p|wbr)\b)[a-z]", re.IGNORECASE)
_CLOSED: Final = re.compile(r"\]\]|\}\}|</[a-z]|/>", re.IGNORECASE)
_MOST_UNCLOSED: Final = 2000
"""Marks that a page may leave open: what the parser spends on them grows with their square."""

_MOST_BOXES: Final = 20
"""Infoboxes that are looked for; more would cost a malicious page's length for each."""

_BRACES: Final = re.compile(r"\{\{|\}\}")
_BOX_BREAK: Final = re.compile(r"\n(?=\s*\n|'{3}|=)")
PICTURE_PARAMETERS: Final = (
    "image",
    "image_name",
    "image_file",
    "photo",
    "image_skyline",
    "picture",
    "bild",
    "图像",
    "圖像",
    "图片",
    "圖片",
)
PICTURE_NAME: Final = re.compile(
    r"[^\[\]{}|<>\n]+\.(?:png|jpe?g|webp|gif|svg|tiff?)", re.IGNORECASE
)


class UnreadablePageError(Exception):
    """The wikitext of one page cannot be parsed, or not in bearable time."""


@dataclass(frozen=True, slots=True)
class ProseLink:
    """A link in prose. `start`/`end` are its sentence's offsets, `anchor_start` the anchor's."""

    target: str
    anchor: str
    anchor_start: int
    section: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """What a page says. Offsets are into `text`; its heading lines read `## Title`.

    `image` is the picture that it leads with, `files` are those that its text shows, in order.
    """

    text: str
    lead: str
    sentences: tuple[tuple[int, int], ...]
    links: tuple[ProseLink, ...]
    bold_names: tuple[str, ...]
    infobox: Infobox | None
    image: str | None
    files: tuple[str, ...]
    categories: tuple[str, ...]
    is_disambiguation: bool
    is_list: bool


def parse_page(title: str, wikitext: str, namespaces: Namespaces) -> ParsedPage:
    """Parse one page. Links in templates, references, files, tables and appendices are not prose.

    Raises UnreadablePageError for a page that the parser gives up or that would take it hours.
    """
    boxes, prose = _parted(wikitext)
    unclosed = len(_OPENED.findall(wikitext)) - len(_CLOSED.findall(wikitext))
    if unclosed > _MOST_UNCLOSED:
        raise UnreadablePageError(f"{unclosed} links, templates or tags are never closed")
    try:
        box_code, code = mwparserfromhell.parse(boxes), mwparserfromhell.parse(prose)
    except ParserError as error:
        raise UnreadablePageError(str(error)) from error
    infobox = read_infobox(box_code, namespaces)
    plain = plain_text(code, namespaces)
    text = plain.text()
    first_heading = _HEADING.search(text)
    lead = text[: first_heading.start()].rstrip() if first_heading else text
    sentences = split_sentences(text, plain.whole)
    return ParsedPage(
        text=text,
        lead=lead,
        sentences=sentences,
        links=_prose_links(plain, text, sentences),
        bold_names=_bold_names(plain, lead),
        infobox=infobox,
        image=_image(infobox, plain, namespaces),
        files=tuple(dict.fromkeys(plain.files)),
        categories=tuple(plain.categories),
        is_disambiguation=is_disambiguation(title, wikitext),
        is_list=is_list(title),
    )


def parse_wikitext(wikitext: str) -> Wikicode:
    """The parsed code of a page that is no article (a file's description page)."""
    return mwparserfromhell.parse(wikitext)


def _parted(wikitext: str) -> tuple[str, str]:
    """The infoboxes of a page and the rest without comments, tables and references.

    These break the parser where they are odd. One that was never closed ends where a reader sees
    that it must: an infobox with its paragraph, a table with its last row before the next
    section, a reference with its line.
    """
    text = _COMMENT.sub("", wikitext)
    boxes: list[str] = []
    prose: list[str] = []
    at = 0
    while len(boxes) < _MOST_BOXES and (box := BOX_START.search(text, at)):
        end, missing = _box_end(text, box.start())
        prose.append(text[at : box.start()])
        boxes.append(text[box.start() : end] + "}}" * missing)
        at = end
    prose.append(text[at:])
    return "\n".join(boxes), _without_tables(_REFERENCE.sub("", "".join(prose)))


def _box_end(text: str, start: int) -> tuple[int, int]:
    """Where the template that starts there ends, and how many pairs of braces it lacks."""
    depth = 0
    for brace in _BRACES.finditer(text, start):
        depth += 1 if brace.group() == "{{" else -1
        if depth == 0:
            return brace.end(), 0
    end = _BOX_BREAK.search(text, start)
    stop = len(text) if end is None else end.start()
    cut = text[start:stop]
    return stop, max(1, cut.count("{{") - cut.count("}}"))


def _without_tables(text: str) -> str:
    parts: list[str] = []
    kept = depth = start = end = 0
    for match in _TABLE.finditer(text):
        kind = match.lastgroup
        if kind == "open":
            start = start if depth else match.start()
            depth, end = depth + 1, match.end()
        elif depth and kind in {"row", "close"}:
            depth, end = depth - (kind == "close"), match.end()
        if start < end and (kind == "heading" or not depth):
            parts.append(text[kept:start])
            kept, start, depth = end, end, 0
    if depth:
        parts.append(text[kept:start])
        kept = end
    return "".join((*parts, text[kept:]))


def _prose_links(
    plain: PlainText, text: str, sentences: tuple[tuple[int, int], ...]
) -> tuple[ProseLink, ...]:
    starts = [start for start, _ in sentences]
    headings = [(match.start(), match.group(1)) for match in _HEADING.finditer(text)]
    heading_starts = [start for start, _ in headings]
    links = []
    for link in plain.links:
        index = bisect_right(starts, link.start) - 1
        if index < 0 or link.start >= sentences[index][1]:
            continue  # a link in a heading
        # A link that spans a wrongly cut sentence keeps its words: its sentence is widened.
        last = max(index, bisect_right(starts, link.end - 1) - 1)
        section = bisect_right(heading_starts, link.start) - 1
        links.append(
            ProseLink(
                target=link.target,
                anchor=text[link.start : link.end],
                anchor_start=link.start,
                section=headings[section][1] if section >= 0 else "",
                start=sentences[index][0],
                end=sentences[last][1],
            )
        )
    return tuple(links)


def _bold_names(plain: PlainText, lead: str) -> tuple[str, ...]:
    """Bold names in the first paragraph, in order, each once."""
    paragraph = len(lead.split("\n", 1)[0])
    names = (name for start, name in plain.bold if start < paragraph and 1 < len(name) <= 100)
    return tuple(dict.fromkeys(names))


def _image(infobox: Infobox | None, plain: PlainText, namespaces: Namespaces) -> str | None:
    for name in PICTURE_PARAMETERS if infobox else ():
        match = PICTURE_NAME.search(infobox.raw.get(name, "")) if infobox else None
        if match:
            title = namespaces.title(match.group().strip())
            return title.name if title.namespace in (0, FILE) else None
    return plain.files[0] if plain.files else None
