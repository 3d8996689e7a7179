"""A scan in memory, of the shape of hopsight.wiki.scan.Scan, from pages that a test writes down."""

from dataclasses import dataclass, field

import pyarrow as pa

from hopsight.wiki.dump import RawPage, SiteInfo
from hopsight.wiki.titles import ARTICLE, Namespaces, TitleIndex, is_disambiguation, is_list

SITE = SiteInfo(namespaces={0: "", 1: "Talk", 6: "File", 10: "Template", 14: "Category"})


@dataclass
class SmallPage:
    title: str
    links: tuple[str, ...] = ()
    redirect: str | None = None
    infobox: str | None = None
    picture: str | None = None
    text: str = ""
    namespace: int = 0


@dataclass
class SmallScan:
    """Pages get the ids 1 …; `size` of them make a part."""

    all_pages: list[SmallPage]
    size: int = 3
    site: SiteInfo = field(default_factory=lambda: SITE)

    @property
    def parts(self) -> int:
        return -(-len(self.all_pages) // self.size)

    def numbered(self, part):
        first = part * self.size
        return list(enumerate(self.all_pages[first : first + self.size], start=first + 1))

    def pages(self, part: int) -> pa.Table:
        rows = self.numbered(part)
        return pa.table(
            {
                "page_id": pa.array([number for number, _ in rows], pa.int64()),
                "namespace": pa.array([page.namespace for _, page in rows], pa.int32()),
                "title": pa.array([page.title for _, page in rows], pa.string()),
                "redirect": pa.array([page.redirect for _, page in rows], pa.string()),
                "is_list": pa.array([is_list(page.title) for _, page in rows], pa.bool_()),
                "is_disambiguation": pa.array(
                    [is_disambiguation(page.title, page.text) for _, page in rows], pa.bool_()
                ),
                "infobox": pa.array([page.infobox for _, page in rows], pa.string()),
                "picture": pa.array([page.picture for _, page in rows], pa.string()),
            }
        )

    def _article_links(self, part):
        namespaces = Namespaces(self.site)
        for number, page in self.numbered(part):
            for link in page.links:
                title = namespaces.title(link)
                if title.namespace == ARTICLE and page.namespace == ARTICLE:
                    yield number, title.name

    def _names(self, part):
        return list(dict.fromkeys(name for _, name in self._article_links(part)))

    def targets(self, part: int) -> pa.Table:
        names = self._names(part)
        return pa.table(
            {
                "target_id": pa.array(range(len(names)), pa.int32()),
                "title": pa.array(names, pa.string()),
            }
        )

    def links(self, part: int) -> pa.Table:
        names = self._names(part)
        links = list(self._article_links(part))
        return pa.table(
            {
                "source": pa.array([source for source, _ in links], pa.int64()),
                "target_id": pa.array([names.index(name) for _, name in links], pa.int32()),
                "offset": pa.array([0 for _ in links], pa.int32()),
            }
        )

    def index(self) -> TitleIndex:
        """The same titles as the small way holds them."""
        index = TitleIndex(Namespaces(self.site))
        for number, page in enumerate(self.all_pages, start=1):
            if page.namespace == ARTICLE:
                text = page.text
                index.add(RawPage(number, page.title, 0, number, page.redirect, text))
        return index
