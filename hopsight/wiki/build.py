"""Building the tables of a snapshot: the full parser on every page that is given.

`build_snapshot` takes a whole export in two passes: the first learns titles, redirects and which
pages of files there are, the second parses the articles one by one. `build_tables` takes pages
that something else selected. Only the tables stay in memory.
"""

import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final
from urllib.parse import quote

from hopsight.errors import SourceError
from hopsight.types import Alias, Fact, Link, Page, PageImage, Rejection
from hopsight.wiki.domains import domain_of
from hopsight.wiki.dump import RawPage, SiteInfo, read_dump, read_site
from hopsight.wiki.facts import PageContext, Resolver, read_facts
from hopsight.wiki.images import (
    MAX_PICTURES,
    NO_CREDIT,
    Credit,
    ImageSink,
    Pictures,
    Unusable,
    file_credit,
    picture_files,
    read_sidecar,
)
from hopsight.wiki.inventory import (
    Tally,
    aliases_within,
    counted,
    facts_within,
    links_within,
    page_rejection,
    take_inventory,
    tallied,
)
from hopsight.wiki.tables import SnapshotTables, image_order, rejection_order
from hopsight.wiki.titles import ARTICLE, Namespaces, Resolved, TitleIndex, Titles
from hopsight.wiki.wikitext import ParsedPage, UnreadablePageError, parse_page

MAX_WIKITEXT: Final = 4_000_000
"""Characters; MediaWiki itself stores no page above 2 MiB."""

_log = logging.getLogger(__name__)


def build_snapshot(
    dump: Path | Sequence[Path],
    pictures_dir: Path | None,
    pictures_jsonl: Path | None,
    images: ImageSink,
) -> SnapshotTables:
    """Read an export, or its part files, into tables; the same input gives the same tables.

    Pages that are articles become `pages`; redirects become `aliases`; whatever is left out is a
    row of `rejected` with its reason and how often it happened. `Page.in_degree` counts prose
    links alone. Raises SourceError for an export or sidecar that cannot be used.
    """
    site = read_site(dump)
    titles = TitleIndex(Namespaces(site))
    files = {} if pictures_dir is None else picture_files(pictures_dir)
    first = take_inventory(dump, titles, files=files.keys())
    pictures = None
    if pictures_dir is not None:
        rows = () if pictures_jsonl is None else read_sidecar(pictures_jsonl)
        credit_of = _credits(first.file_pages, titles.namespaces)
        pictures = Pictures.of_folder(pictures_dir, rows, credit_of, site.base)
    tables = build_tables(
        _articles(dump, titles),
        site,
        titles,
        in_degree=None,
        closed=lambda _: True,
        pictures=pictures,
        images=images,
        entered=first.entered,
    )
    return tables.with_rejected(first.rejected)


def _credits(file_pages: dict[str, str], namespaces: Namespaces) -> Callable[[str], Credit]:
    def credit_of(key: str) -> Credit:
        wikitext = file_pages.get(key)
        return NO_CREDIT if wikitext is None else file_credit(wikitext, namespaces)

    return credit_of


def _articles(dump: Path | Sequence[Path], titles: TitleIndex) -> Iterator[RawPage]:
    """The articles of an export, each once."""
    owed = dict(titles.articles)
    for page in read_dump(dump):
        if page.namespace == ARTICLE and owed.get(page.title) == page.page_id:
            del owed[page.title]
            yield page


def build_tables(
    pages: Iterable[RawPage],
    site: SiteInfo,
    titles: Titles,
    *,
    in_degree: Callable[[int], int] | None,
    closed: Callable[[int], bool],
    pictures: Pictures | None,
    images: ImageSink,
    entered: int,
    in_degree_counts: str = "prose",
) -> SnapshotTables:
    """Parse articles into tables. `titles` knows the whole wiki, `pages` may be a part of it.

    `in_degree` and `closed` are asked with a page's id; without `in_degree` it is counted from
    the prose of the pages given. `in_degree_counts` says what is counted (see SnapshotTables).
    Links and values that lead to pages not given are counted as rejections. Raises SourceError
    if there is no article at all.
    """
    builder = _Builder(site, titles, pictures, images)
    for page in pages:
        builder.add(page)
    tables = builder.tables(entered, in_degree, closed, in_degree_counts)
    if not tables.pages:
        raise SourceError(
            f"the wiki {site.name!r} holds no article: {entered} pages, all of them redirects,"
            " of other namespaces, or rejected",
            "give an export that holds pages of the article namespace",
        )
    _report(tables)
    return tables


def _report(tables: SnapshotTables) -> None:
    _log.info(
        "event=snapshot_built entered=%d pages=%d links=%d aliases=%d facts=%d images=%d"
        " rejected=%d in_degree_counts=%s",
        tables.entered,
        len(tables.pages),
        len(tables.links),
        len(tables.aliases),
        len(tables.facts),
        len(tables.images),
        len(tables.rejected),
        tables.in_degree_counts,
    )


class _Builder:
    """The second pass: collects the rows of every table."""

    def __init__(
        self, site: SiteInfo, titles: Titles, pictures: Pictures | None, images: ImageSink
    ) -> None:
        self._site = site
        self._titles = titles
        self._pictures = pictures
        self._images = images
        self._rejected: list[Rejection] = []
        self._resolve: Resolver = lru_cache(maxsize=1 << 18)(titles.resolve)
        self._links: dict[tuple[int, int, int, str], Link] = {}
        self._names: list[Alias] = []
        self._facts: list[Fact] = []
        self._page_images: list[PageImage] = []
        self._sources: dict[int, set[int]] = defaultdict(set)
        self._pages: list[Page] = []
        self._given: set[int] = set()

    def add(self, page: RawPage) -> None:
        """Parse one article and take its links, names, facts and pictures."""
        if len(page.text) > MAX_WIKITEXT:
            self._reject(page, "page_too_large", f"{len(page.text)} characters of wikitext")
            return
        try:
            parsed = parse_page(page.title, page.text, self._titles.namespaces)
        except UnreadablePageError as error:
            self._reject(page, "page_unparsable", str(error))
            return
        flags = _flags(parsed, self._resolve(page.title))
        self._given.add(page.page_id)
        self._pages.append(_page(page, parsed, flags, self._site.base))
        self._add_links(page, parsed, counts=not any(flags))
        if any(flags):
            return
        self._add_bold_names(page, parsed)
        context = PageContext(page.page_id, page.title, page.revision)
        read = read_facts(context, parsed, self._resolve)
        self._facts.extend(read.facts)
        for reason, names in sorted(read.left_out.items()):
            self._reject(page, reason, counted("values", names))
        self._add_pictures(page, parsed)

    def tables(
        self,
        entered: int,
        in_degree: Callable[[int], int] | None,
        closed: Callable[[int], bool],
        in_degree_counts: str,
    ) -> SnapshotTables:
        """Everything collected, sorted, with in-degrees and redirects."""
        degree = in_degree or (lambda page_id: len(self._sources[page_id]))
        pages = (
            page.model_copy(
                update={"in_degree": degree(page.page_id), "closed": closed(page.page_id)}
            )
            for page in self._pages
        )
        out: dict[tuple[str, str], Tally] = defaultdict(Tally)
        links = links_within(self._links.values(), self._given, out)
        facts = facts_within(self._facts, self._given, out)
        aliases = aliases_within(self._names, self._titles.redirect_names(), self._given, out)
        self._rejected.extend(tallied(out))
        return SnapshotTables(
            pages=tuple(sorted(pages, key=lambda page: page.page_id)),
            links=links,
            aliases=aliases,
            facts=facts,
            images=tuple(sorted(self._page_images, key=image_order)),
            rejected=rejection_order(self._rejected),
            entered=entered,
            in_degree_counts=in_degree_counts,
        )

    def _reject(self, page: RawPage, reason: str, detail: str) -> None:
        self._rejected.append(page_rejection(page.page_id, reason, detail))

    def _add_links(self, page: RawPage, parsed: ParsedPage, *, counts: bool) -> None:
        lost: dict[str, list[str]] = defaultdict(list)
        for link in parsed.links:
            resolved = self._resolve(link.target)
            target = resolved.page_id
            if target is None:
                lost[resolved.reason].append(link.target)
            elif target == page.page_id:
                lost["link_to_itself"].append(link.target)
            else:
                key = (page.page_id, link.start, target, link.anchor)
                self._links[key] = Link(
                    source=page.page_id,
                    target=target,
                    anchor=link.anchor,
                    section=link.section,
                    sentence=parsed.text[link.start : link.end],
                    start=link.start,
                    end=link.end,
                )
                if counts:
                    self._sources[target].add(page.page_id)
        for reason, targets in sorted(lost.items()):
            self._reject(page, reason, counted("links", targets))

    def _add_bold_names(self, page: RawPage, parsed: ParsedPage) -> None:
        for name in parsed.bold_names:
            if name.casefold() != page.title.casefold():
                self._names.append(Alias(page_id=page.page_id, name=name))

    def _add_pictures(self, page: RawPage, parsed: ParsedPage) -> None:
        if self._pictures is None:
            return
        files = self._pictures.files_of(page.title, parsed.image, parsed.files)
        if not files:
            return
        # What the page leads with shows what it is about. Where that is lost nothing stands in.
        is_led = self._take(page, files[0], 0)
        there = [file for file in files[1:] if self._pictures.holds(file)]
        left: dict[str, list[str]] = defaultdict(list)
        if is_led:
            for place, file in enumerate(there[: MAX_PICTURES - 1], start=1):
                self._take(page, file, place)
            left["picture_beyond_limit"] = there[MAX_PICTURES - 1 :]
        else:
            left["picture_without_lead"] = there
        left["picture_missing"] = [file for file in files[1:] if not self._pictures.holds(file)]
        for reason, names in left.items():
            if names:
                self._reject(page, reason, counted("files", names))

    def _take(self, page: RawPage, file: str, place: int) -> bool:
        """Take one picture of a page; whether it could be taken."""
        assert self._pictures is not None  # only then are there any
        taken = self._pictures.take(page.page_id, file, self._images, place=place)
        if isinstance(taken, Unusable):
            self._reject(page, taken.reason, taken.detail)
            return False
        self._page_images.append(taken)
        return True


def _flags(parsed: ParsedPage, own: Resolved) -> tuple[bool, bool]:
    """Whether a page is a list and whether it is a disambiguation page.

    `own` is what its own title comes to: the titles may know from a table what the text hides.
    """
    return (
        parsed.is_list or own.reason == "link_to_list",
        parsed.is_disambiguation or own.reason == "link_to_disambiguation",
    )


def _page(page: RawPage, parsed: ParsedPage, flags: tuple[bool, bool], base: str) -> Page:
    infobox = None if parsed.infobox is None else parsed.infobox.kind
    return Page(
        page_id=page.page_id,
        title=page.title,
        revision=page.revision,
        url=base + quote(page.title.replace(" ", "_"), safe="/:(),'!*;@&="),
        text=parsed.text,
        lead=parsed.lead,
        domain=domain_of(infobox),
        infobox=infobox,
        is_list=flags[0],
        is_disambiguation=flags[1],
        in_degree=0,
    )
