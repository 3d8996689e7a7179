"""Building the tables of a snapshot from a MediaWiki export and its pictures.

Two passes over the export: the first learns titles, redirects and file credits, the second
parses the articles one by one. Only the tables stay in memory.
"""

import logging
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Final
from urllib.parse import quote

from mwparserfromhell.parser import ParserError

from hopsight.errors import SourceError
from hopsight.types import Alias, Fact, Link, Page, PageImage, Rejection
from hopsight.wiki.domains import domain_of
from hopsight.wiki.dump import RawPage, SiteInfo, read_dump, read_site
from hopsight.wiki.facts import PageContext, Resolver, read_facts
from hopsight.wiki.images import ImageSink, Pictures, Unusable, read_sidecar
from hopsight.wiki.inventory import STAGE, counted, page_rejection, take_inventory
from hopsight.wiki.tables import SnapshotTables, link_order
from hopsight.wiki.titles import ARTICLE, Namespaces, TitleIndex
from hopsight.wiki.wikitext import ParsedPage, parse_page

MAX_WIKITEXT: Final = 4_000_000
"""Characters; MediaWiki itself stores no page above 2 MiB."""

_log = logging.getLogger(__name__)


def build_snapshot(
    dump: Path,
    pictures_dir: Path | None,
    pictures_jsonl: Path | None,
    images: ImageSink,
) -> SnapshotTables:
    """Read an export into tables; the same input gives the same tables.

    Pages that are articles become `pages`; redirects become `aliases`; whatever is left out is a
    row of `rejected` with its reason and how often it happened. `Page.in_degree` counts prose
    links alone. Raises SourceError for an export or sidecar that cannot be used.
    """
    site = read_site(dump)
    titles = TitleIndex(Namespaces(site))
    first = take_inventory(dump, titles, with_credits=pictures_dir is not None)
    pictures = None
    if pictures_dir is not None:
        rows = () if pictures_jsonl is None else read_sidecar(pictures_jsonl)
        pictures = Pictures.of_folder(pictures_dir, rows, first.credits, site.base)
    builder = _Builder(site, titles, pictures, images, first.rejected)
    owed = dict(titles.articles)
    for page in read_dump(dump):
        if page.namespace == ARTICLE and owed.get(page.title) == page.page_id:
            del owed[page.title]
            builder.add(page)
    tables = builder.tables(first.entered)
    if not tables.pages:
        raise SourceError(
            f"{dump} holds no article: {first.entered} pages, all redirects or other namespaces",
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
        self,
        site: SiteInfo,
        titles: TitleIndex,
        pictures: Pictures | None,
        images: ImageSink,
        rejected: list[Rejection],
    ) -> None:
        self._site = site
        self._titles = titles
        self._pictures = pictures
        self._images = images
        self._rejected = rejected
        self._resolve: Resolver = lru_cache(maxsize=1 << 18)(titles.resolve)
        self._links: dict[tuple[int, int, int, str], Link] = {}
        self._names: list[Alias] = []
        self._facts: list[Fact] = []
        self._page_images: list[PageImage] = []
        self._sources: dict[int, set[int]] = defaultdict(set)
        self._pages: list[Page] = []

    def add(self, page: RawPage) -> None:
        """Parse one article and take its links, names, facts and picture."""
        if len(page.text) > MAX_WIKITEXT:
            self._reject(page, "page_too_large", f"{len(page.text)} characters of wikitext")
            return
        try:
            parsed = parse_page(page.title, page.text, self._titles.namespaces)
        except ParserError as error:
            self._reject(page, "page_unparsable", str(error))
            return
        self._pages.append(_page(page, parsed, self._site.base))
        self._add_links(page, parsed)
        if parsed.is_list or parsed.is_disambiguation:
            return
        self._add_bold_names(page, parsed)
        context = PageContext(page.page_id, page.title, page.revision)
        read = read_facts(context, parsed, self._resolve)
        self._facts.extend(read.facts)
        for reason, names in sorted(read.left_out.items()):
            self._reject(page, reason, counted("values", names))
        self._add_picture(page, parsed)

    def tables(self, entered: int) -> SnapshotTables:
        """Everything collected, sorted, with in-degrees and redirects."""
        aliases = {(alias.page_id, alias.name): alias for alias in self._names}
        for alias in self._redirect_names():
            aliases[(alias.page_id, alias.name)] = alias
        pages = (
            page.model_copy(update={"in_degree": len(self._sources[page.page_id])})
            for page in self._pages
        )
        return SnapshotTables(
            pages=tuple(sorted(pages, key=lambda page: page.page_id)),
            links=tuple(sorted(self._links.values(), key=link_order)),
            aliases=tuple(alias for _, alias in sorted(aliases.items())),
            facts=tuple(
                sorted(self._facts, key=lambda fact: (fact.page_id, fact.attribute, fact.value))
            ),
            images=tuple(sorted(self._page_images, key=lambda image: image.page_id)),
            rejected=tuple(
                sorted(self._rejected, key=lambda row: (row.reason, row.record_id, row.detail))
            ),
            entered=entered,
        )

    def _reject(self, page: RawPage, reason: str, detail: str) -> None:
        self._rejected.append(page_rejection(page.page_id, reason, detail))

    def _add_links(self, page: RawPage, parsed: ParsedPage) -> None:
        lost: dict[str, list[str]] = defaultdict(list)
        counts = page.page_id not in self._titles.barred
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

    def _add_picture(self, page: RawPage, parsed: ParsedPage) -> None:
        if self._pictures is None or parsed.image is None:
            return
        taken = self._pictures.take(page.page_id, parsed.image, self._images)
        if isinstance(taken, Unusable):
            self._reject(page, taken.reason, taken.detail)
        else:
            self._page_images.append(taken)

    def _redirect_names(self) -> Iterable[Alias]:
        for title in sorted(self._titles.redirects):
            resolved = self._titles.resolve(title)
            if resolved.page_id is not None and not resolved.to_section:
                yield Alias(page_id=resolved.page_id, name=title)
                continue
            # A redirect to a section leads links to the page but is no name of it.
            reason = "redirect_to_section" if resolved.page_id is not None else resolved.reason
            self._rejected.append(
                Rejection(
                    record_id=f"wiki:redirect:{title}",
                    stage=STAGE,
                    reason=reason.replace("link_", "redirect_"),
                    detail=f"{title} → {self._titles.redirects[title]}",
                )
            )


def _page(page: RawPage, parsed: ParsedPage, base: str) -> Page:
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
        is_disambiguation=parsed.is_disambiguation,
        is_list=parsed.is_list,
        in_degree=0,
    )
