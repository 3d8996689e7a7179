"""The API source against a real MediaWiki that holds the mini world.

The wiki is filled from the mini world's own export and pictures; the crawl then must give what
reading that export gives. It is installed into a temporary folder and served on loopback.
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from hopsight.config import RoundConfig, SourceConfig
from hopsight.errors import SourceError
from hopsight.store import ImageStore
from hopsight.wiki import ingest
from hopsight.wiki.api import ApiSource, CrawlFiles, crawl
from hopsight.wiki.build import build_snapshot
from hopsight.wiki.images import read_sidecar
from hopsight.wiki.mini import mini_world_files
from hopsight.wiki.tables import SnapshotTables
from hopsight.workspace import Workspace
from tests.services.mediawiki.server import RealWiki
from tests.services.mediawiki.tables import by_title

CONTACT = "tests@hopsight.invalid"


@pytest.fixture(scope="module")
def wiki(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealWiki]:
    export, pictures, _ = mini_world_files()
    real = RealWiki(tmp_path_factory.mktemp("mediawiki"))
    # The export first: an upload keeps a description page that is there, and is younger.
    real.maintain("importDump", "--no-updates", stdin=export)
    real.maintain("importImages", str(pictures), "png")
    real.maintain("rebuildtextindex")
    real.start()
    yield real
    real.stop()


@pytest.fixture(scope="module")
def from_dump(tmp_path_factory: pytest.TempPathFactory) -> SnapshotTables:
    images = ImageStore(tmp_path_factory.mktemp("dump"))
    export, pictures, _ = mini_world_files()
    # Without the sidecar: licences and authors are then those of the pages of the files.
    return build_snapshot(export, pictures, None, images)


@pytest.fixture(scope="module")
def source(wiki: RealWiki, from_dump: SnapshotTables) -> ApiSource:
    seeds = tuple(starts(from_dump))
    return ApiSource(
        base_url=wiki.address,
        contact=CONTACT,
        seeds=seeds,
        hops=32,
        max_pages=100_000,
        max_picture_px=2_000,
    )


@pytest.fixture(scope="module")
def config(source: ApiSource) -> RoundConfig:
    return RoundConfig(source=SourceConfig(kind="api", api=source))


@pytest.fixture(scope="module")
def workspace(config: RoundConfig, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """The wiki crawled, scanned and linked as a round does it."""
    workspace = Workspace(tmp_path_factory.mktemp("round"))
    ingest.scan_source(config.source, workspace, workers=2)
    ingest.build_links(config.source, workspace, max_hub_in_degree=130)
    return workspace


@pytest.fixture(scope="module")
def crawled(workspace: Workspace) -> CrawlFiles:
    return CrawlFiles.of(workspace.crawl)


@pytest.fixture(scope="module")
def from_api(config: RoundConfig, workspace: Workspace) -> SnapshotTables:
    links = ingest.open_links(config.source, workspace)
    return ingest.read_selected(config, workspace, links).tables


def starts(tables: SnapshotTables) -> list[str]:
    """Few pages from which all others can be reached, found by trying in the order of titles."""
    titles = {page.page_id: page.title for page in tables.pages}
    ahead = defaultdict(list)
    for link in tables.links:
        ahead[link.source].append(link.target)
    seen: set[int] = set()
    found = []
    for page_id, title in sorted(titles.items(), key=lambda item: item[1]):
        if page_id in seen:
            continue
        found.append(title)
        stack = [page_id]
        while stack:
            here = stack.pop()
            if here not in seen:
                seen.add(here)
                stack += ahead[here]
    return found


@pytest.mark.parametrize("table", ["pages", "links", "aliases", "facts", "images"])
def test_the_api_gives_the_same_table_as_the_export(
    table: str, from_api: SnapshotTables, from_dump: SnapshotTables
) -> None:
    expected = by_title(from_dump)[table]
    assert by_title(from_api)[table] == expected
    assert len(expected) > 300


def test_nothing_of_the_mini_world_is_rejected(crawled: CrawlFiles, source: ApiSource) -> None:
    assert len(source.seeds) < 400
    rows = [json.loads(line) for line in crawled.rejections.read_text().splitlines()]
    assert rows == []


def test_a_finished_crawl_asks_nothing(
    crawled: CrawlFiles, source: ApiSource, wiki: RealWiki
) -> None:
    before = wiki.said.count("[200]")
    assert crawl(source, crawled.export.parent) == crawled
    assert wiki.said.count("[200]") == before > 100


def test_crawls_apart_write_the_same_bytes(wiki: RealWiki, tmp_path: Path) -> None:
    source = ApiSource(base_url=wiki.address, contact=CONTACT, seeds=("Vienna",), hops=1)
    one = crawl(source, tmp_path / "one")
    two = crawl(source.model_copy(update={"concurrency": 5}), tmp_path / "two")
    assert one.sidecar.read_bytes()
    for name in ("export", "sidecar", "rejections"):
        assert getattr(one, name).read_bytes() == getattr(two, name).read_bytes()


def test_a_large_picture_is_fetched_scaled_down(
    from_dump: SnapshotTables, wiki: RealWiki, tmp_path: Path
) -> None:
    widest = max(from_dump.images, key=lambda row: row.image.width)
    title = next(page.title for page in from_dump.pages if page.page_id == widest.page_id)
    source = ApiSource(
        base_url=wiki.address, contact=CONTACT, seeds=(title,), hops=0, max_picture_px=640
    )
    (row,) = read_sidecar(crawl(source, tmp_path).sidecar)
    assert row.width == 640 < widest.image.width


def test_links_that_the_wiki_lists_lead_outwards_too(wiki: RealWiki, tmp_path: Path) -> None:
    source = ApiSource(
        base_url=wiki.address,
        contact=CONTACT,
        seeds=("Vienna",),
        hops=1,
        links="listed",
        pictures=False,
    )
    # The import leaves the wiki's own tables of links empty.
    purge = {"action": "purge", "titles": "Vienna", "forcelinkupdate": 1, "format": "json"}
    httpx.post(wiki.address, data=purge, timeout=60).raise_for_status()
    files = crawl(source, tmp_path)
    listed = httpx.get(
        wiki.address,
        params={
            "action": "query",
            "titles": "Vienna",
            "prop": "links",
            "plnamespace": 0,
            "pllimit": "max",
            "format": "json",
            "formatversion": 2,
        },
    ).json()["query"]["pages"][0]["links"]
    text = files.export.read_text(encoding="utf-8")
    assert len(listed) > 5
    assert all(f"<title>{row['title']}</title>" in text for row in listed)


def test_a_search_finds_seeds(wiki: RealWiki, tmp_path: Path) -> None:
    source = ApiSource(
        base_url=wiki.address, contact=CONTACT, search=("Danube",), hops=0, pictures=False
    )
    text = crawl(source, tmp_path).export.read_text(encoding="utf-8")
    assert text.count("Danube") >= 5


def test_an_address_that_is_no_api_is_told(wiki: RealWiki, tmp_path: Path) -> None:
    wrong = wiki.address.replace("/api.php", "/w/api.php")
    source = ApiSource(base_url=wrong, contact=CONTACT, seeds=("Vienna",))
    with pytest.raises(SourceError, match="set base_url"):
        crawl(source, tmp_path)
