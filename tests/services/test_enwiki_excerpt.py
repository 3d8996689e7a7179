"""A real excerpt of English Wikipedia, counted by a reader of its own that shares no code with us.

HOPSIGHT_ENWIKI_EXCERPT names the bz2 file of the excerpt.
"""

import bz2
import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path

import pytest

from hopsight.store.images import ImageStore
from hopsight.wiki.build import build_snapshot
from hopsight.wiki.dump import read_dump, read_site
from hopsight.wiki.titles import Namespaces
from hopsight.wiki.wikitext import parse_page

VARIABLE = "HOPSIGHT_ENWIKI_EXCERPT"

PAGE = re.compile(r"<page>.*?</page>", re.DOTALL)
TEXT = re.compile(r"<text[^>]*>(.*?)</text>", re.DOTALL)
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
NO_PROSE = re.compile(
    r"<(ref|gallery|math|timeline|score|imagemap|syntaxhighlight|source|nowiki|pre|poem)\b"
    r"[^>]*?(?:/>|>.*?</\1\s*>)",
    re.DOTALL | re.IGNORECASE,
)
TOKEN = re.compile(
    r"\{\{|\}\}|\[\[|\]\]|^[:;*# \t]*\{\||^[ \t]*\|\}(?!\})|^(=+)[ \t]*(.+?)[ \t]*\1[ \t]*$",
    re.MULTILINE,
)
CLOSES = {"}}": "{{", "]]": "[[", "|}": "{|"}
APPENDICES = {
    "see also", "references", "notes", "external links", "further reading", "bibliography",
    "sources", "citations", "footnotes", "notes and references",
}  # fmt: skip
OTHER_PREFIX = re.compile(
    r":?(?:file|image|category|wikipedia|wp|help|portal|template|user|special|talk|media|draft"
    r"|book|module|mediawiki|wiktionary|wikt|commons|s|[a-z]{2,3}(?:-[a-z]+)*)\s*:\s*\S",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Found:
    """One page as the reader of this test sees it: its prose links by title, with counts."""

    title: str
    namespace: int
    redirect: str | None
    links: Counter[str]


def title_of(target: str) -> str:
    name = " ".join(target.partition("#")[0].replace("_", " ").split()).removeprefix(":")
    return name[:1].upper() + name[1:]


def prose_targets(text: str) -> Iterator[str]:
    """Targets of the links that stand in no template, table, reference, file or appendix."""
    text = NO_PROSE.sub(" ", COMMENT.sub("", text))
    opened: list[tuple[str, int]] = []
    muted = 0
    for token in TOKEN.finditer(text):
        mark = token.group().strip(":;*# \t")
        if token.group(1):
            opened.clear()  # no template or table goes on past a heading
            level = len(token.group(1))
            if not muted or level <= muted:
                muted = level if token.group(2).strip().lower() in APPENDICES else 0
        elif mark not in CLOSES:
            opened.append((mark, token.end()))
        else:
            same = [at for at, (mark_of, _) in enumerate(opened) if mark_of == CLOSES[mark]]
            if not same:
                continue
            at = same[-1]
            start = opened[at][1]
            del opened[at:]
            if mark == "]]" and not opened and not muted:
                yield text[start : token.start()].partition("|")[0]


@pytest.fixture(scope="session")
def excerpt() -> Path:
    given = os.environ.get(VARIABLE)
    assert given is not None, f"{VARIABLE} is not set: run tests/services/run, which fetches it"
    path = Path(given)
    assert path.is_file(), f"{path} is missing: run tests/services/run, which fetches it"
    return path


@pytest.fixture(scope="session")
def found(excerpt: Path) -> list[Found]:
    return [_found(match.group()) for match in PAGE.finditer(_decompressed(excerpt))]


def _decompressed(path: Path) -> str:
    return bz2.decompress(path.read_bytes()).decode("utf-8")


def _found(page: str) -> Found:
    text = TEXT.search(page)
    wikitext = unescape(text.group(1)) if text else ""
    target = re.search(r'<redirect title="([^"]*)"', page)
    names = (
        title_of(unescape(written)) for written in prose_targets(wikitext)
        if "\n" not in written and not OTHER_PREFIX.match(written.strip())
    )  # fmt: skip
    return Found(
        title=unescape(_first(r"<title>([^<]*)</title>", page)),
        namespace=int(_first(r"<ns>(-?\d+)</ns>", page)),
        redirect=None if target is None else unescape(target.group(1)),
        links=Counter(name for name in names if name),
    )


def _first(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    assert match is not None
    return match.group(1)


def test_the_excerpt_holds_what_it_is_known_to_hold(found: list[Found]) -> None:
    articles = [page for page in found if page.namespace == 0]

    assert len(found) == 206
    assert sum(page.redirect is None for page in articles) == 106
    assert sum(page.redirect is not None for page in articles) == 99


def test_articles_redirects_and_links_are_those_of_the_other_reader(
    excerpt: Path, found: list[Found], tmp_path: Path
) -> None:
    tables = build_snapshot(excerpt, None, None, ImageStore(tmp_path / "store"))
    articles = {page.title: page for page in found if page.namespace == 0 and not page.redirect}
    leads_to = {page.title: page.redirect for page in found if page.redirect is not None}
    titles = {page.page_id: page.title for page in tables.pages}
    barred = {page.title for page in tables.pages if page.is_list or page.is_disambiguation}

    assert tables.entered == len(found)
    assert set(titles.values()) == set(articles)
    expected = {
        (page.title, target)
        for page in articles.values()
        for name in page.links
        if (target := title_of(leads_to.get(name) or name)) in articles
        and target not in barred | {page.title}
    }
    got = {(titles[link.source], titles[link.target]) for link in tables.links}
    assert len(expected) > 50
    assert len(got & expected) / len(expected) >= 0.99
    assert len(got & expected) / len(got) >= 0.99
    redirects = {alias.name for alias in tables.aliases} & set(leads_to)
    lost = sum(_number(row.detail) for row in tables.rejected if row.record_id == "wiki:redirects")
    assert len(redirects) + lost == sum(page.namespace == 0 for page in found if page.redirect)


def _number(detail: str) -> int:
    return int(detail.partition(" ")[0])


def test_nearly_every_link_in_prose_is_found_and_none_is_made_up(
    excerpt: Path, found: list[Found]
) -> None:
    namespaces = Namespaces(read_site(excerpt))
    expected = {page.title: page.links for page in found}
    hits = wanted = got = 0
    for page in read_dump(excerpt):
        if page.namespace or page.redirect is not None:
            continue
        parsed = parse_page(page.title, page.text, namespaces)
        named = (namespaces.title(link.target) for link in parsed.links)
        ours = Counter(title.name for title in named if title.namespace == 0 and title.name)
        page_hits = (ours & expected[page.title]).total()
        assert page_hits >= 0.9 * expected[page.title].total(), f"{page.title} lost a section"
        hits, wanted, got = (
            hits + page_hits, wanted + expected[page.title].total(), got + ours.total()
        )  # fmt: skip

    assert wanted > 21_000
    assert hits / wanted >= 0.97
    assert hits / got >= 0.97


def test_no_markup_is_left_in_the_text(excerpt: Path) -> None:
    namespaces = Namespaces(read_site(excerpt))
    left = Counter[str]()
    for page in read_dump(excerpt):
        if page.namespace == 0 and page.redirect is None:
            text = parse_page(page.title, page.text, namespaces).text
            left.update(re.findall(r"\{\{|\}\}|\{\||\[\[|\]\]|</?ref\b|<!--|'{3}", text))

    assert left.total() <= 20, left
