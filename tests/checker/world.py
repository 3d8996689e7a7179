"""An encyclopedia read from its XML export: a table of facts, names, redirects and pictures."""

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lxml import etree

from tests.checker.words import bare

YEARS = frozenset("founded started completed first_ascent year".split())
UNITS = frozenset("km km2 m cm kg".split())
LIES_IN = {
    "building": ("city", "country"),
    "settlement": ("country",),
    "country": ("continent",),
}
_NOT_FACTS = frozenset("name image caption alt".split())
_REFERENCE = re.compile(r"<ref\b[^>]*/>|<ref\b[^>]*>.*?</ref>|<!--.*?-->", re.DOTALL)
_LINK = re.compile(r"\[\[([^\[\]|]+)(?:\|([^\[\]]*))?\]\]")
_NUMBER = re.compile(r"([-\u2212]?)(\d+(?:,\d{3})*(?:\.\d+)?)(?: (BCE?))?")
_BOX = re.compile(r"\{\{\s*infobox\s+([^|{}\n]+)", re.IGNORECASE)
_BOLD = re.compile(r"'{3,5}(.+?)'{3,5}")


@dataclass(frozen=True, slots=True)
class Value:
    """One member of an infobox value; `page` is the article it links to, redirects followed."""

    text: str
    page: str | None
    number: float | None


@dataclass(slots=True)
class Article:
    """A page with what its infobox says. `names` holds its title and every other name."""

    title: str
    kind: str | None = None
    facts: dict[str, tuple[Value, ...]] = field(default_factory=dict)
    picture: str | None = None
    names: set[str] = field(default_factory=set)


@dataclass(slots=True)
class World:
    """Articles by title, and titles by the hash of the picture that their infobox shows."""

    articles: dict[str, Article]
    pictured: dict[str, list[str]]
    holders: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    """(attribute, title) → the articles whose attribute has that article as a value."""
    _around: dict[str, frozenset[str]] = field(default_factory=dict)

    def pages(self, title: str, attribute: str) -> set[str]:
        """The articles that an infobox gives as values of an attribute."""
        values = self.articles[title].facts.get(attribute, ())
        return {value.page for value in values if value.page is not None}

    def around(self, title: str) -> frozenset[str]:
        """The places that a place lies in, from the nearest to the continent."""
        if title not in self._around:
            self._around[title] = frozenset()  # a circle of places ends here
            near = {
                place
                for attribute in LIES_IN.get(self.articles[title].kind or "", ())
                for place in self.pages(title, attribute)
            }
            self._around[title] = frozenset(near).union(*(self.around(place) for place in near))
        return self._around[title]

    def kinds(self) -> dict[str, set[str]]:
        """Each value of a `kind` parameter with the infoboxes in which it stands."""
        found: dict[str, set[str]] = defaultdict(set)
        for article in self.articles.values():
            for value in article.facts.get("kind", ()):
                if article.kind is not None:
                    found[value.text].add(article.kind)
        return dict(found)


def unit_of(attribute: str) -> str | None:
    """The unit that an attribute's name carries; "year" for dates; None if it is no quantity."""
    if attribute in YEARS or attribute.endswith("_year"):
        return "year"
    suffix = attribute.rsplit("_", 1)[-1]
    return suffix if suffix in UNITS and suffix != attribute else None


def read_world(xml: Path, pictures: Path) -> World:
    """The world of an export. A page of another namespace than 0 is left out."""
    texts = dict(_pages(xml))
    redirects = {title: target for title, (target, _) in texts.items() if target is not None}
    resolve = _Resolver(redirects, {t for t, (target, _) in texts.items() if target is None})
    articles = {
        title: _article(title, text, resolve)
        for title, (target, text) in texts.items()
        if target is None
    }
    for title in redirects:
        final = resolve(title)
        if final is not None:
            articles[final].names |= {title, bare(title)}
    _add_shared_names(texts, articles, resolve)
    world = World(articles, _pictured(articles.values(), pictures))
    for article in articles.values():
        for attribute, values in article.facts.items():
            for value in values:
                if value.page is not None:
                    world.holders.setdefault((attribute, value.page), set()).add(article.title)
    return world


def _pages(xml: Path) -> Iterator[tuple[str, tuple[str | None, str]]]:
    """Title, the redirect's target if it is one, and the wikitext."""
    parser = etree.iterparse(str(xml), tag="{*}page", resolve_entities=False, no_network=True)
    for _, page in parser:
        if page.findtext("{*}ns") == "0":
            redirect = page.find("{*}redirect")
            target = None if redirect is None else redirect.get("title")
            yield page.findtext("{*}title"), (target, page.findtext("{*}revision/{*}text") or "")
        page.clear()


class _Resolver:
    """From a link's target as written to the title of an article."""

    def __init__(self, redirects: dict[str, str], titles: set[str]) -> None:
        self._redirects = redirects
        self._titles = titles

    def __call__(self, target: str) -> str | None:
        title = " ".join(target.partition("#")[0].replace("_", " ").split())
        title = title[:1].upper() + title[1:]
        seen: set[str] = set()
        while title in self._redirects and title not in seen:
            seen.add(title)
            title = self._redirects[title]
        return title if title in self._titles else None


def _article(title: str, text: str, resolve: _Resolver) -> Article:
    article = Article(title, names={title, bare(title)})
    text = _REFERENCE.sub("", text)
    box = _BOX.search(text)
    body = text
    if box is not None:
        inside, body = _balanced(text[box.start() :])
        article.kind = " ".join(box.group(1).split()).lower()
        for name, value in _parameters(inside):
            if name == "image" and value:
                article.picture = value.replace("_", " ").removeprefix("File:")
            elif name == "name" and value:
                article.names.add(value)
            elif name not in _NOT_FACTS and value:
                article.facts[name] = tuple(_values(name, value, resolve))
        lead = body.partition("\n==")[0]
        article.names |= {_shown(bold) for bold in _BOLD.findall(lead)}
    return article


def _balanced(text: str) -> tuple[str, str]:
    """A template at the start of `text` without its braces, and what follows it."""
    depth = 0
    for mark in re.finditer(r"\{\{|\}\}", text):
        depth += 1 if mark.group() == "{{" else -1
        if depth == 0:
            return text[2 : mark.start()], text[mark.end() :]
    return text[2:], ""


def _parameters(inside: str) -> Iterator[tuple[str, str]]:
    for part in _split(inside, "|")[1:]:
        name, equals, value = part.partition("=")
        if equals:
            yield name.strip().lower(), value.strip()


def _split(text: str, separator: str) -> list[str]:
    """Split where no link, template or parenthesis is open; a comma inside a number is no end."""
    parts, depth, start = [], 0, 0
    for place, char in enumerate(text):
        if char in "[{(":
            depth += 1
        elif char in "]})":
            depth -= 1
        elif char == separator and depth == 0:
            around = text[place - 1 : place] + text[place + 1 : place + 2]
            if separator != "," or not (len(around) == 2 and around.isdigit()):
                parts.append(text[start:place])
                start = place + 1
    return [*parts, text[start:]]


def _values(attribute: str, written: str, resolve: _Resolver) -> Iterator[Value]:
    for part in _split(written, ","):
        text = _shown(part)
        if text:
            link = _LINK.search(part)
            page = None if link is None else resolve(link.group(1))
            yield Value(text, page, number_of(text) if unit_of(attribute) else None)


def _shown(text: str) -> str:
    """Wikitext as a reader sees it."""
    text = _LINK.sub(lambda link: link.group(2) or link.group(1), text)
    return " ".join(text.replace("''", "").split())


def number_of(text: str) -> float | None:
    """A number as written, years before our era negative; None if it is something else."""
    found = _NUMBER.fullmatch(text.strip())
    if found is None:
        return None
    size = float(found.group(2).replace(",", ""))
    return -size if found.group(1) or found.group(3) else size


def _add_shared_names(
    texts: dict[str, tuple[str | None, str]], articles: dict[str, Article], resolve: _Resolver
) -> None:
    """A disambiguation page's title is a name of every article that its list begins with."""
    for title, (target, text) in texts.items():
        if target is None and re.search(r"\{\{\s*disambiguation", text, re.IGNORECASE):
            for entry in re.findall(r"^\*\s*\[\[([^\[\]|]+)", text, re.MULTILINE):
                final = resolve(entry)
                if final is not None:
                    articles[final].names.add(bare(title))


def _pictured(articles: Iterable[Article], pictures: Path) -> dict[str, list[str]]:
    """Hash of a picture's bytes → the titles of the articles that show it."""
    hashes = {
        path.name.replace("_", " "): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(pictures.iterdir())
        if path.is_file()
    }
    found: dict[str, list[str]] = defaultdict(list)
    for article in articles:
        if article.picture in hashes:
            found[hashes[article.picture]].append(article.title)
    return dict(found)
