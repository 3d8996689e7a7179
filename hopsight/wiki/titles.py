"""Titles: namespaces, normal form, and what a link's target comes to in the end."""

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Protocol
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
_DECIMAL_COMMA: Final = frozenset("de fr es it pt nl sv da nb no fi pl cs ru uk tr id".split())
"""Languages that write 1.234,5 for 1,234.5."""

_ALIASES: Final = MappingProxyType(
    {
        "de": {"bild": FILE, "benutzerin": 2, "benutzerin diskussion": 3},
        "zh": {
            "文件": FILE, "档案": FILE, "檔案": FILE, "图像": FILE, "圖像": FILE, "圖片": FILE,
            "分类": CATEGORY, "分類": CATEGORY, "模板": 10, "樣板": 10, "用户": 2, "用戶": 2,
        },
    }
)  # fmt: skip
"""Further names of namespaces by language: an export's siteinfo has only one for each."""

FIRST_LINK: Final = re.compile(r"\s*#[^\[\n]*\[\[([^\[\]{}|\n]*)")
"""The link of a redirect: the first of its page."""

_LIST: Final = re.compile(
    r"(?:Lists? of|Outline of|Index of|Timeline of|Listen? (?=\S)|Zeittafel)\b"
    r"|.*(?:列表|一览|一覽|年表)\Z",
    re.IGNORECASE,
)
_DISAMBIGUATION: Final = re.compile(
    r"\{\{\s*(?:disambig(?:uation)?(?: page)?|dab|disamb|hndis|geodis|human name disambiguation"
    r"|place name disambiguation|begriffsklärung|surname|given name|消歧义|消歧義|消歧义页"
    r"|消歧義頁|人名消歧义|人名消歧義|地名消歧义|地名消歧義)\s*(?:\||\}\})",
    re.IGNORECASE,
)
_NAMESAKES: Final = (" (disambiguation)", " (Begriffsklärung)", " (消歧义)", " (消歧義)")


@dataclass(frozen=True, slots=True)
class Title:
    """A title in normal form: namespace number, name without prefix or fragment."""

    namespace: int
    name: str
    fragment: str


class Namespaces:
    """The namespaces of one wiki; turns what stands in a link into a Title.

    `decimal_comma` says how the wiki's language writes its numbers.
    """

    def __init__(self, site: SiteInfo) -> None:
        self._numbers = dict(_CANONICAL) | _ALIASES.get(site.language, {})
        self._numbers.update((name.lower(), n) for n, name in site.namespaces.items() if name)
        self._first_letter = site.case == "first-letter"
        self.decimal_comma = site.language in _DECIMAL_COMMA

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
    return title.endswith(_NAMESAKES) or _DISAMBIGUATION.search(wikitext) is not None


def redirect_target(target: str, written: str, namespaces: Namespaces) -> str:
    """The target of a redirect with its section, which an export gives in the wikitext alone.

    `written` is the first link of the page's wikitext; it counts where it names the same page.
    """
    if "#" in target:
        return target
    title = namespaces.title(written)
    same = title.name == namespaces.title(target).name
    return f"{target}#{title.fragment}" if same and title.fragment else target


@dataclass(frozen=True, slots=True)
class Resolved:
    """Where a title leads. `page_id` is None if it may not be linked; `reason` says why."""

    page_id: int | None
    reason: str
    to_section: bool = False


class Titles(Protocol):
    """All titles of a wiki, however they are kept."""

    @property
    def namespaces(self) -> Namespaces:
        """The namespaces of the wiki."""

    def resolve(self, target: str) -> Resolved:
        """Where a link to `target` leads."""

    def redirect_names(self) -> Iterable[tuple[str, Resolved]]:
        """Every redirect of the article namespace by its title, and where it leads."""


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
            link = FIRST_LINK.match(page.text)
            written = "" if link is None else link[1]
            self.redirects[page.title] = redirect_target(page.redirect, written, self.namespaces)
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

    def redirect_names(self) -> Iterator[tuple[str, Resolved]]:
        """Every redirect by its title, in the order of titles, and where it leads."""
        for title in sorted(self.redirects):
            yield title, self.resolve(title)
