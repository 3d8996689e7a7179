"""Walking a wiki breadth first from seed titles, in an order that only the wiki decides."""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from hopsight.config.api import ApiSource
from hopsight.errors import SourceError
from hopsight.wiki.api.answers import PageInfo, askable
from hopsight.wiki.api.cache import Cache
from hopsight.wiki.api.rejected import Rejected
from hopsight.wiki.api.wiki import Wiki
from hopsight.wiki.images import MAX_PICTURES
from hopsight.wiki.inventory import counted
from hopsight.wiki.titles import ARTICLE, Namespaces
from hopsight.wiki.wikitext import ParsedPage, UnreadablePageError, parse_page

_WINDOW: Final = 200
"""Titles asked for before the next decision. Fixed, so that concurrency changes nothing."""

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Found:
    """Articles and redirects by title, and the files of pictures that each article's text names.

    `pictures` are those that the articles lead with, `others` what else they show, in order.
    """

    articles: dict[str, PageInfo] = field(default_factory=dict)
    redirects: dict[str, PageInfo] = field(default_factory=dict)
    pictures: dict[str, str] = field(default_factory=dict)
    others: dict[str, tuple[str, ...]] = field(default_factory=dict)


class Explorer:
    """One walk. What it finds is in `found`, with every revision in the cache."""

    def __init__(
        self,
        wiki: Wiki,
        cache: Cache,
        config: ApiSource,
        namespaces: Namespaces,
        rejected: Rejected,
    ) -> None:
        self.found = Found()
        self._wiki = wiki
        self._cache = cache
        self._config = config
        self._namespaces = namespaces
        self._rejected = rejected
        self._asked: set[str] = set()
        self._left: set[str] = set()

    async def walk(self) -> None:
        """From the seeds outwards, level by level. Raises SourceError if no seed is there."""
        level = list(self._config.seeds)
        for text in self._config.search:
            level += await self._wiki.search(text)
        for depth in range(self._config.hops + 1):
            entered = await self._enter(level)
            _log.info(
                "event=api_level depth=%d titles=%d entered=%d", depth, len(level), len(entered)
            )
            if depth == 0 and not entered:
                raise SourceError(
                    f"none of the {len(level)} seeds is an article of the wiki",
                    "check seeds and search for spelling",
                )
            level = await self._next_level(entered, follow=depth < self._config.hops)
            if not level:
                break

    async def add_names(self) -> None:
        """Fetch the redirects that lead to what was found, and those that lead to them."""
        pending = [*self.found.articles, *self.found.redirects]
        while pending:
            new: list[str] = []
            for title, names in zip(pending, await self._wiki.redirects_to(pending), strict=True):
                most = self._config.redirects_per_page
                new += names[:most]
                if len(names) > most:
                    left = f"{len(names) - most} of {len(names)} redirects"
                    self._rejected.add("redirects_beyond_limit", title, left)
            titles = self._fresh(new)
            redirects: list[PageInfo] = []
            for title, page in zip(titles, await self._wiki.infos(titles), strict=True):
                placed = self._place(title, page)
                if placed is not None and not placed.redirect:
                    self._rejected.add("redirect_became_article", title)
                elif placed is not None:
                    redirects.append(placed)
            kept = {page.title: page for page in await self._have_texts(redirects)}
            self.found.redirects.update(kept)
            pending = list(kept)
        unasked = len(self._left - self.found.redirects.keys())
        if unasked:
            self._rejected.add("page_beyond_max_pages", "", f"{unasked} titles not asked for")

    async def _enter(self, titles: Sequence[str]) -> list[PageInfo]:
        """Take articles in the order of their titles, redirects followed; gives the new ones."""
        queue = self._fresh(titles)
        entered: list[PageInfo] = []
        while queue and len(self.found.articles) < self._config.max_pages:
            window, queue = queue[:_WINDOW], queue[_WINDOW:]
            new: list[PageInfo] = []
            for title, page in zip(window, await self._wiki.infos(window), strict=True):
                placed = self._place(title, page)
                if placed is not None:
                    new.append(placed)
            queue = await self._take(new, entered) + queue
        # They may still turn out to be names of what was found.
        self._asked.difference_update(queue)
        self._left.update(queue)
        return entered

    async def _take(self, new: Iterable[PageInfo], entered: list[PageInfo]) -> list[str]:
        """Take pages whose text the wiki gives; gives the titles that redirects among them name."""
        ahead: list[str] = []
        for page in await self._have_texts(self._within_bounds(new)):
            if page.redirect:
                self.found.redirects[page.title] = page
                ahead.append(page.title)
            else:
                self.found.articles[page.title] = page
                entered.append(page)
        steps = await self._wiki.redirects(ahead)
        return self._fresh(step.to for step in steps if step and not step.tointerwiki)

    def _within_bounds(self, pages: Iterable[PageInfo]) -> list[PageInfo]:
        """Pages not taken yet, as many as there is room for."""
        room = self._config.max_pages - len(self.found.articles)
        kept: dict[str, PageInfo] = {}
        for page in pages:
            if page.title in self.found.articles or page.title in self.found.redirects:
                continue
            if page.title not in kept and not page.redirect:
                room -= 1
            if room < 0 and not page.redirect:
                self._rejected.add("page_beyond_max_pages", page.title)
            else:
                kept[page.title] = page
        return list(kept.values())

    def _fresh(self, titles: Iterable[str]) -> list[str]:
        """The titles nobody asked for yet, in their order."""
        fresh = []
        for title in titles:
            if title in self._asked:
                continue
            self._asked.add(title)
            if askable(title):
                fresh.append(title)
            else:
                self._rejected.add("title_invalid", title)
        return fresh

    def _place(self, title: str, page: PageInfo | None) -> PageInfo | None:
        """The page if it can be taken, else None and a reason."""
        if page is None:
            self._rejected.add("title_of_other_wiki", title)
            return None
        self._asked.add(page.title)
        reason, detail = _unfit(page, self._config.max_page_bytes)
        if reason:
            self._rejected.add(reason, title, detail)
            return None
        return page

    async def _have_texts(self, pages: Sequence[PageInfo]) -> list[PageInfo]:
        """The pages whose revision is in the cache after all."""
        await self._wiki.revisions(pages)
        kept = []
        for page in pages:
            gone = self._cache.known("gone", str(page.lastrevid))
            if gone is None:
                kept.append(page)
            else:
                self._rejected.add(str(gone[0]), page.title, f"revision {page.lastrevid}")
        return kept

    async def _next_level(self, entered: Sequence[PageInfo], *, follow: bool) -> list[str]:
        """Note the articles' pictures; gives the titles they link to, if links are followed."""
        level: dict[str, None] = {}
        for page in entered if follow or self._config.pictures else ():
            parsed = self._parsed(page)
            if parsed is not None and self._config.pictures:
                self._note_pictures(page.title, parsed)
            if parsed is not None and follow:
                level.update(dict.fromkeys(self._targets(parsed)))
        if follow and self._config.links == "listed":
            for titles in await self._wiki.listed_links([page.title for page in entered]):
                level.update(dict.fromkeys(titles))
        return list(level)

    def _note_pictures(self, title: str, parsed: ParsedPage) -> None:
        if parsed.image is not None:
            self.found.pictures[title] = parsed.image
        others = [name for name in parsed.files if name != parsed.image]
        self.found.others[title] = tuple(others[: MAX_PICTURES - 1])
        left = others[MAX_PICTURES - 1 :]
        if left:
            self._rejected.add("picture_beyond_limit", title, counted("files", left))

    def _parsed(self, page: PageInfo) -> ParsedPage | None:
        revision = self._cache.revision(page.lastrevid)
        assert revision is not None  # only pages whose text is there are entered
        try:
            return parse_page(page.title, revision.text, self._namespaces)
        except UnreadablePageError as error:
            self._rejected.add("page_unparsable", page.title, str(error))
            return None

    def _targets(self, parsed: ParsedPage) -> Iterable[str]:
        """Titles of the articles that prose links to, then those that the infobox names."""
        written = [link.target for link in parsed.links]
        for _, members in parsed.infobox.parameters if parsed.infobox else ():
            written += [target for member in members for target in member.targets]
        for target in written:
            title = self._namespaces.title(target)
            if title.namespace == ARTICLE and title.name:
                yield title.name


def _unfit(page: PageInfo, max_bytes: int) -> tuple[str, str]:
    """Why a page cannot be taken, or two empty strings."""
    if page.invalid:
        return "title_invalid", page.invalidreason
    if page.special or page.ns != ARTICLE:
        return "page_of_other_namespace", f"namespace {page.ns}"
    if page.missing:
        return "page_missing", ""
    if not askable(page.title):
        return "title_invalid", "control characters"
    if page.contentmodel != "wikitext":
        return "page_not_wikitext", page.contentmodel
    if page.length > max_bytes:
        return "page_too_large", f"{page.length} bytes"
    if page.pageid <= 0 or page.lastrevid <= 0:
        return "page_without_revision", ""
    return "", ""
