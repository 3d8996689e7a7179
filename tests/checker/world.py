"""An encyclopedia read from its XML export: a table of facts, names, redirects and pictures."""

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lxml import etree

from tests.checker.looks import Look, read_looks
from tests.checker.wikitext import LINK, NOT_FACTS, read_source, shown, split
from tests.checker.words import bare

YEARS = frozenset("founded started completed first_ascent year".split())
UNITS = frozenset("km km2 m cm kg".split())
LIES_IN = {
    "building": ("city", "country"),
    "settlement": ("country",),
    "country": ("continent",),
}
_NUMBER = re.compile(r"([-\u2212]?)(\d+(?:,\d{3})*(?:\.\d+)?)(?: (BCE?))?")


@dataclass(frozen=True, slots=True)
class Value:
    """One member of an infobox value; `page` is the article it links to, redirects followed."""

    text: str
    page: str | None
    number: float | None


@dataclass(slots=True)
class Article:
    """A page with what its infobox says. `names` holds its title and every other name of its own,
    `shared` those under which a disambiguation page lists it: "Paris" for a university there.

    `prose` holds the pages that its prose links to, `look` what its picture shows.
    """

    title: str
    kind: str | None = None
    facts: dict[str, tuple[Value, ...]] = field(default_factory=dict)
    picture: str | None = None
    names: set[str] = field(default_factory=set)
    shared: set[str] = field(default_factory=set)
    prose: set[str] = field(default_factory=set)
    look: Look = field(default_factory=Look)


@dataclass(slots=True)
class World:
    """Articles by title, and titles by the hash of the picture that their infobox shows."""

    articles: dict[str, Article]
    pictured: dict[str, list[str]]
    holders: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    """(attribute, title) → the articles whose attribute has that article as a value."""
    linked: dict[str, set[str]] = field(default_factory=dict)
    """Title → the articles that a fact or a link in prose joins with it, whichever way."""
    _around: dict[str, frozenset[str]] = field(default_factory=dict)
    _by_kind: dict[str | None, list[str]] = field(default_factory=dict)

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

    def by_kind(self, kind: str | None) -> list[str]:
        """The articles with an infobox."""
        if kind not in self._by_kind:
            found = (each.title for each in self.articles.values() if each.kind == kind)
            self._by_kind[kind] = list(found)
        return self._by_kind[kind]

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
    looks = read_looks(pictures)
    world = World(articles, _pictured(articles.values(), pictures))
    for article in articles.values():
        article.look = looks.get(article.picture or "", Look())
        for attribute, values in article.facts.items():
            for value in values:
                if value.page is not None:
                    world.holders.setdefault((attribute, value.page), set()).add(article.title)
    _join(world)
    return world


def _join(world: World) -> None:
    """Fill in what is linked. By prose alone, a page without an infobox has to do with nothing."""
    found: dict[str, set[str]] = defaultdict(set)
    for article in world.articles.values():
        for page in set().union(*(world.pages(article.title, name) for name in article.facts)):
            found[article.title].add(page)
            found[page].add(article.title)
        for page in article.prose:
            if world.articles[page].kind is not None:
                found[article.title].add(page)
            if article.kind is not None:
                found[page].add(article.title)
    world.linked = {title: others - {title} for title, others in found.items()}


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
    source = read_source(text)
    article = Article(title, kind=source.kind, names={title, bare(title), *source.bold})
    article.prose = {page for target in source.linked if (page := resolve(target)) is not None}
    for name, value in source.parameters:
        if name == "image" and value:
            article.picture = value.replace("_", " ").removeprefix("File:")
        elif name == "name" and value:
            article.names.add(value)
        elif name not in NOT_FACTS and value:
            article.facts[name] = tuple(_values(name, value, resolve))
    return article


def _values(attribute: str, written: str, resolve: _Resolver) -> Iterator[Value]:
    for part in split(written, ","):
        text = shown(part)
        if text:
            link = LINK.search(part)
            page = None if link is None else resolve(link.group(1))
            yield Value(text, page, number_of(text) if unit_of(attribute) else None)


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
                    articles[final].shared.add(bare(title))


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
