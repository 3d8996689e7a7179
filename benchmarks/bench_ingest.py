"""Ingest: the link scan against bare bz2 and mwparserfromhell, and the mini world's snapshot.

The scan reads the file that HOPSIGHT_ENWIKI_EXCERPT names (an export of English Wikipedia, .bz2 or
plain), else the mini world; either is repeated under new titles until it is long enough.
"""

import bz2
import os
import re
import tempfile
import time
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Final

import mwparserfromhell

from benchmarks.report import Figure, Times, alternate, figure, finish
from benchmarks.world import mini_files
from hopsight.store import ImageStore
from hopsight.wiki.build import build_snapshot
from hopsight.wiki.dump import SiteInfo, parts_of, read_dump
from hopsight.wiki.scan.links import LinkScanner
from hopsight.wiki.scan.run import scan_files
from hopsight.wiki.tables import SnapshotTables
from hopsight.wiki.titles import ARTICLE, Namespaces

EXCERPT: Final = "HOPSIGHT_ENWIKI_EXCERPT"
SCANNED_BYTES: Final = 36_000_000
PARSED_BYTES: Final = 500_000
SLOW: Final = "mwparserfromhell, links of the scanned pages"
HOSTILE: Final = ("{{", "[[A|", "[[File:a|[[b]]", "<ref>", "<ref", "<!--", "{|\n", "{{a|{{b}}", "=")


def build(*, pictures: bool) -> SnapshotTables:
    """Pages, links, facts, aliases and, where wanted, pictures."""
    files = mini_files()
    with tempfile.TemporaryDirectory() as folder:
        images = ImageStore(Path(folder))
        if pictures:
            return build_snapshot(files.dump, files.pictures, files.sidecar, images)
        return build_snapshot(files.dump, None, None, images)


def articles_of(dump: Path | Sequence[Path]) -> list[str]:
    """The wikitext of every article."""
    return [
        page.text for page in read_dump(dump) if page.namespace == ARTICLE and page.redirect is None
    ]


def parsed_links(texts: list[str]) -> int:
    """What a script of five lines does: parse every article and list its links."""
    return sum(len(mwparserfromhell.parse(text).filter_wikilinks()) for text in texts)


def repeated(dump: Path) -> bytes:
    """The pages of an export again and again, with titles and ids of their own."""
    data = dump.read_bytes()
    data = bz2.decompress(data) if dump.suffix == ".bz2" else data
    start, end = data.index(b"<page>"), data.rindex(b"</page>") + len(b"</page>")
    parts = [data[:start]]
    for copy in range(-(-SCANNED_BYTES // (end - start))):
        pages = re.sub(rb"</title>", b" (%d)</title>" % copy, data[start:end])
        pages = re.sub(rb"(</ns>\s*<id>)(\d+)", rb"\g<1>%d\2" % (copy + 1), pages)
        parts.append(pages + b"\n  ")
    return b"".join([*parts, data[end:]])


def unpack(path: Path) -> None:
    """Bare decompression, a megabyte at a time."""
    with bz2.open(path) as stream:
        while stream.read(1 << 20):
            pass


def scan_figures() -> tuple[list[tuple[object, ...]], list[Figure]]:
    """The scan beside bare bz2 on the same bytes and beside mwparserfromhell, per megabyte."""
    source = Path(os.environ.get(EXCERPT) or parts_of(mini_files().dump)[0])
    texts: list[str] = []
    for text in articles_of(source):
        if sum(map(len, texts)) < PARSED_BYTES:
            texts.append(text)
    parsed_mb = sum(len(text.encode()) for text in texts) / 1e6
    with tempfile.TemporaryDirectory() as folder:
        data = repeated(source)
        packed, plain = Path(folder) / "dump.xml.bz2", Path(folder) / "dump.xml"
        packed.write_bytes(bz2.compress(data))
        plain.write_bytes(data)
        mb = len(data) / 1e6
        fresh = (Path(folder) / f"scan-{number}" for number in count())
        times = alternate(
            {
                "bz2 alone": lambda: unpack(packed),
                "scan of bz2": lambda: scan_files([packed], next(fresh)),
                "scan of plain XML": lambda: scan_files([plain], next(fresh)),
                SLOW: lambda: parsed_links(texts),
            }
        )
    sizes = dict.fromkeys(times, mb) | {SLOW: parsed_mb}
    rows: list[tuple[object, ...]] = [
        (name, sizes[name] / each.cpu, "", each.cpu, each.wall) for name, each in times.items()
    ]
    per_mb = {name: each.cpu / sizes[name] for name, each in times.items()}
    slow = per_mb[SLOW]
    return rows, [
        figure(
            "scan_of_bz2_cpu_over_bare_bz2",
            _median_ratio(times["scan of bz2"], times["bz2 alone"]),
            "<=",
            1.25,
        ),
        figure("scan_of_bz2_over_mwparserfromhell", slow / per_mb["scan of bz2"], ">=", 8),
        figure("scan_of_plain_xml_over_mwparserfromhell", slow / per_mb["scan of plain XML"]),
        figure("scan_of_plain_xml_mb_per_cpu_s", 1 / per_mb["scan of plain XML"]),
    ]


def _median_ratio(one: Times, other: Times) -> float:
    """Median over the pairs that ran one after the other: load falls on both alike."""
    ratios = sorted(a / b for a, b in zip(one.cpu_each, other.cpu_each, strict=True))
    return ratios[len(ratios) // 2]


def hostile_growth() -> float:
    """How many times longer, at worst, a page of marks that fit nothing takes at 8× the length."""

    def seconds(mark: str, length: int) -> float:
        escaped = mark.replace("<", "&lt;").replace(">", "&gt;").encode()
        text = escaped * (length // len(escaped))
        start = time.process_time()
        LinkScanner(Namespaces(SiteInfo())).scan(text, 0, len(text))
        return time.process_time() - start

    return max(
        min(seconds(mark, 1_600_000) for _ in range(3))
        / min(seconds(mark, 200_000) for _ in range(5))
        for mark in HOSTILE
    )


def main() -> None:
    """Run the benchmark."""
    scan_rows, scan_figures_ = scan_figures()
    tables = build(pictures=True)
    texts = articles_of(mini_files().dump)
    times = alternate(
        {
            "snapshot with pictures": lambda: build(pictures=True),
            "snapshot without pictures": lambda: build(pictures=False),
            "mwparserfromhell, links alone": lambda: parsed_links(texts),
        },
        repeats=3,
    )
    articles = len(texts)
    per_thousand = 1000 / articles
    rows = [
        (name, "", each.cpu * per_thousand, each.cpu, each.wall) for name, each in times.items()
    ]
    bare = times["mwparserfromhell, links alone"].cpu
    whole, text = times["snapshot with pictures"].cpu, times["snapshot without pictures"].cpu
    finish(
        f"Link scan; ingest of {articles:,} articles, {len(tables.links):,} links, "
        f"{len(tables.facts):,} facts, {len(tables.images):,} pictures",
        ("side", "MB per CPU-s", "CPU-s per 1,000 pages", "CPU-s", "wall s"),
        [*scan_rows, *rows],
        [
            *scan_figures_,
            figure("hostile_page_growth_at_8_times_the_length", hostile_growth(), "<=", 16),
            figure("ingest_cpu_s_per_1000_pages", whole * per_thousand),
            figure("ingest_cpu_s_per_1000_pages_without_pictures", text * per_thousand),
            figure("ingest_cpu_over_bare_link_parse", text / bare),
            figure("articles_left_out", articles - len(tables.pages), "<=", 0),
        ],
    )


if __name__ == "__main__":
    main()
