"""Ingest: the snapshot of the mini world against bare link extraction by mwparserfromhell."""

import tempfile
from pathlib import Path

import mwparserfromhell

from benchmarks.report import alternate, figure, finish
from benchmarks.world import mini_files
from hopsight.store import ImageStore
from hopsight.wiki.build import build_snapshot
from hopsight.wiki.dump import read_dump
from hopsight.wiki.tables import SnapshotTables
from hopsight.wiki.titles import ARTICLE


def build(*, pictures: bool) -> SnapshotTables:
    """Pages, links, facts, aliases and, where wanted, pictures."""
    files = mini_files()
    with tempfile.TemporaryDirectory() as folder:
        images = ImageStore(Path(folder))
        if pictures:
            return build_snapshot(files.dump, files.pictures, files.sidecar, images)
        return build_snapshot(files.dump, None, None, images)


def bare_links() -> int:
    """What a script of five lines does: parse every article and list its links."""
    return sum(
        len(mwparserfromhell.parse(page.text).filter_wikilinks())
        for page in read_dump(mini_files().dump)
        if page.namespace == ARTICLE
    )


def main() -> None:
    """Run the benchmark."""
    tables = build(pictures=True)
    articles = sum(
        page.namespace == ARTICLE and page.redirect is None for page in read_dump(mini_files().dump)
    )
    times = alternate(
        {
            "snapshot with pictures": lambda: build(pictures=True),
            "snapshot without pictures": lambda: build(pictures=False),
            "mwparserfromhell, links alone": bare_links,
        }
    )
    per_thousand = 1000 / articles
    rows = [(name, each.cpu * per_thousand, each.cpu, each.wall) for name, each in times.items()]
    bare = times["mwparserfromhell, links alone"].cpu
    whole, text = times["snapshot with pictures"].cpu, times["snapshot without pictures"].cpu
    finish(
        f"Ingest of {articles:,} articles, {len(tables.links):,} links, "
        f"{len(tables.facts):,} facts, {len(tables.images):,} pictures",
        ("side", "CPU-s per 1,000 pages", "CPU-s", "wall s"),
        rows,
        [
            figure("ingest_cpu_s_per_1000_pages", whole * per_thousand),
            figure("ingest_cpu_s_per_1000_pages_without_pictures", text * per_thousand),
            figure("ingest_cpu_over_bare_link_parse", text / bare),
            figure("articles_left_out", articles - len(tables.pages), "<=", 0),
        ],
    )


if __name__ == "__main__":
    main()
