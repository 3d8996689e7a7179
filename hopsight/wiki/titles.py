"""Titles: namespaces, normal form, and what a link's target comes to in the end."""

import html
import re
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final
from urllib.parse import unquote

from hopsight.wiki.dump import RawPage, SiteInfo

ARTICLE: Final = 0
FILE: Final = 6
CATEGORY: Final = 14
FOREIGN: Final = -100
"""The pseudo-namespace of links to other wikis (`[[de:Donau]]`)."""

_CANONICAL: Final = MappingProxyType(
    {
        "media": -2, "special": -1, "talk": 1, "user": 2, "user talk": 3, "project": 4,
        "wikipedia": 4, "wp": 4, "project talk": 5, "wikipedia talk": 5, "file": FILE,
        "image": FILE, "file talk": 7, "mediawiki": 8, "mediawiki talk": 9, "template": 10,
        "template talk": 11, "help": 12, "help talk": 13, "category": CATEGORY,
        "category talk": 15, "portal": 100, "draft": 118, "timedtext": 710, "module": 828,
    }
)  # fmt: skip
"""English names work on every wiki, whatever its language."""

_FOREIGN: Final = re.compile(
    r"(?:[a-z]{2,3}(?:-[a-z]+)*|simple|wikt|wiktionary|commons|wikidata|wikisource|species|mw"
    r"|wikiquote|wikibooks|doi|meta)$"
)
_LIST: Final = re.compile(r"(?:Lists? of|Outline of|Index of|Timeline of)\b", re.IGNORECASE)
_DISAMBIGUATION: Final = re.compile(
    r"\{\{\s*(?:disambig(?:uation)?(?: page)?|dab|disamb|hndis|geodis|human name disambiguation"
    r"|place name disambiguation|begriffsklärung|surname|given name)\s*(?:\||\}\})",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Title:
    """A title in normal form: namespace number, name without prefix or fragment."""

    namespace: int
    name: str
    fragment: str


class Namespaces:
    """The namespaces of one wiki; turns what stands in a link into a Title."""

    def __init__(self, site: SiteInfo) -> None:
        self._numbers = dict(_CANONICAL)
        self._numbers.update((name.lower(), n) for n, name in site.namespaces.items() if name)
        self._first_letter = site.case == "first-letter"

    def title(self, target: str) -> Title:
        """`_danube#Course` → Title(0, "Danube", "Course"). An empty name means this very page."""
        text = html.unescape(target)
        text = unquote(text) if "%" in text else text
        name, _, fragment = text.replace("_", " ").partition("#")
        namespace, name = self._split(" ".join(name.split()).removeprefix(":").strip())
        if self._first_letter and name and namespace != FOREIGN:
            name = name[0].upper() + name[1:]
        return Title(namespace, name, fragment.strip())

    def _split(self, name: str) -> tuple[int, str]:
        prefix, colon, rest = name.partition(":")
        if not colon:
            return ARTICLE, name
        number = self._numbers.get(prefix.strip().lower())
        if number is not None:
            return number, rest.strip()
        if _FOREIGN.match(prefix.strip()):
            return FOREIGN, rest.strip()
        return ARTICLE, name


def is_list(title: str) -> bool:
    """Whether the title is that of a list, outline, index or timeline."""
    return _LIST.match(title) is not None


def is_disambiguation(title: str, wikitext: str) -> bool:
    """Whether the page only tells namesakes apart: by its title or by its template."""
    return title.endswith(" (disambiguation)") or _DISAMBIGUATION.search(wikitext) is not None


@dataclass(frozen=True, slots=True)
class Resolved:
    """Where a title leads. `page_id` is None if it may not be linked; `reason` says why."""

    page_id: int | None
    reason: str
    to_section: bool = False


@dataclass(slots=True)
class TitleIndex:
    """All articles and redirects of a snapshot, filled in the first pass over the export."""

    namespaces: Namespaces
    articles: dict[str, int] = field(default_factory=dict)
    redirects: dict[str, str] = field(default_factory=dict)
    barred: dict[int, str] = field(default_factory=dict)

    def add(self, page: RawPage) -> bool:
        """Enter a page of the article namespace. False if its title is there already."""
        if page.title in self.articles or page.title in self.redirects:
            return False
        if page.redirect is not None:
            self.redirects[page.title] = page.redirect
            return True
        self.articles[page.title] = page.page_id
        if is_list(page.title):
            self.barred[page.page_id] = "link_to_list"
        elif is_disambiguation(page.title, page.text):
            self.barred[page.page_id] = "link_to_disambiguation"
        return True

    def resolve(self, target: str) -> Resolved:
        """Follow redirects to the end and apply the skip rules to what stands there."""
        title = self.namespaces.title(target)
        seen = {title.name}
        to_section = bool(title.fragment)
        while title.namespace == ARTICLE and title.name in self.redirects:
            title = self.namespaces.title(self.redirects[title.name])
            to_section = to_section or bool(title.fragment)
            if title.name in seen:
                return Resolved(None, "redirect_cycle")
            seen.add(title.name)
        if title.namespace == FOREIGN:
            return Resolved(None, "link_to_other_wiki")
        if title.namespace != ARTICLE:
            return Resolved(None, "link_to_other_namespace")
        page_id = self.articles.get(title.name)
        if page_id is None:
            return Resolved(None, "link_to_nowhere")
        reason = self.barred.get(page_id, "")
        return Resolved(None if reason else page_id, reason, to_section)
