"""A page's wikitext, fully parsed: for pages that are selected, not for a whole dump."""

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

import mwparserfromhell
from mwparserfromhell.wikicode import Wikicode

from hopsight.wiki.infobox import Infobox, read_infobox
from hopsight.wiki.markup import PlainText, plain_text
from hopsight.wiki.sentences import split_sentences
from hopsight.wiki.titles import FILE, Namespaces, is_disambiguation, is_list

_HEADING: Final = re.compile(r"^##+ (.*)$", re.MULTILINE)
_IMAGE_PARAMETERS: Final = (
    "image",
    "image_name",
    "image_file",
    "photo",
    "image_skyline",
    "picture",
)
_PICTURE_NAME: Final = re.compile(
    r"[^\[\]{}|<>\n]+\.(?:png|jpe?g|webp|gif|svg|tiff?)", re.IGNORECASE
)


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
    """What a page says. Offsets are into `text`; its heading lines read `## Title`."""

    text: str
    lead: str
    sentences: tuple[tuple[int, int], ...]
    links: tuple[ProseLink, ...]
    bold_names: tuple[str, ...]
    infobox: Infobox | None
    image: str | None
    categories: tuple[str, ...]
    is_disambiguation: bool
    is_list: bool


def parse_page(title: str, wikitext: str, namespaces: Namespaces) -> ParsedPage:
    """Parse one page. Links in templates, references, files, tables and appendices are not prose.

    Raises mwparserfromhell.parser.ParserError if the parser itself gives up.
    """
    code = mwparserfromhell.parse(wikitext)
    plain = plain_text(code, namespaces)
    infobox = read_infobox(code, namespaces)
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
        categories=tuple(plain.categories),
        is_disambiguation=is_disambiguation(title, wikitext),
        is_list=is_list(title),
    )


def parse_wikitext(wikitext: str) -> Wikicode:
    """The parsed code of a page that is no article (a file's description page)."""
    return mwparserfromhell.parse(wikitext)


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
    for name in _IMAGE_PARAMETERS if infobox else ():
        match = _PICTURE_NAME.search(infobox.raw.get(name, "")) if infobox else None
        if match:
            title = namespaces.title(match.group().strip())
            return title.name if title.namespace in (0, FILE) else None
    return plain.files[0] if plain.files else None
