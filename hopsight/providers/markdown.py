"""Pages as Markdown without pictures; the pictures' addresses beside it."""

import re
from typing import Any, Final
from urllib.parse import urljoin

from lxml import etree

from hopsight.providers.markdown_writer import MAX_CHARS, MarkdownWriter

_PICTURE: Final = re.compile(
    r"!\[([^\]\n]{0,300})\]"
    r"\(([^()\s]{1,8000}(?:\([^()\s]{0,200}\)[^()\s]{0,400})?)(?:\s+\"[^\"\n]{0,300}\")?\)"
)
_EMPTY_LINK: Final = re.compile(r"\[\s*\]\([^()\s]{0,8000}(?:\([^()\s]{0,200}\)[^()\s]{0,400})?\)")
_BLANKS: Final = re.compile(r"[ \t]+$", re.MULTILINE)
_GAPS: Final = re.compile(r"\n{3,}")


def page_of_html(text: str, url: str) -> tuple[str, str, tuple[str, ...]]:
    """Title, Markdown and addresses of the pictures of an HTML page that came from `url`.

    Navigation, footers, scripts and what is hidden are left out; links are absolute. At most
    MAX_CHARS characters are written.
    """
    parser = etree.HTMLParser(
        encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError:
        root = None  # nothing in it is an element
    if root is None:
        return "", "", ()
    title = " ".join("".join(root.xpath("string(//title[1])")).split())
    writer = MarkdownWriter(_base(root, url))
    writer.walk(_content(root))
    return title, writer.text(), tuple(writer.pictures)


def without_pictures(markdown: str, url: str) -> tuple[str, tuple[str, ...]]:
    """Markdown without its pictures, and their addresses in order, each once."""
    found = (urljoin(url, match[2]) for match in _PICTURE.finditer(markdown))
    pictures = dict.fromkeys(each for each in found if each.startswith(("http://", "https://")))
    bare = _EMPTY_LINK.sub("", _PICTURE.sub("", markdown[:MAX_CHARS]))
    return _GAPS.sub("\n\n", _BLANKS.sub("", bare)).strip(), tuple(pictures)


def _base(root: Any, url: str) -> str:
    named = str(root.xpath("string(//base[@href][1]/@href)")).strip()
    try:
        return urljoin(url, named)
    except ValueError:
        return url


def _content(root: Any) -> Any:
    """The page's one <main>, where it says so; else all of it."""
    mains = root.xpath("//main | //*[@role='main']")
    return mains[0] if len(mains) == 1 else root
