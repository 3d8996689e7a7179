import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hopsight.errors import LockedError, SourceError, StoreError
from hopsight.store.lock import file_lock
from hopsight.wiki.dump import read_dump
from hopsight.wiki.mini import __file__ as mini_module
from hopsight.wiki.scan import Scan, scan_dump
from hopsight.wiki.scan.records import ChunkDone
from hopsight.wiki.scan.run import _check_joins, scan_files
from hopsight.wiki.scan.streams import Chunk
from hopsight.wiki.titles import ARTICLE, Namespaces
from hopsight.wiki.wikitext import parse_page
from tests.hopsight.wiki.scan.conftest import files_of, links_of, pages_of

MINI = Path(mini_module).parent / "world.xml"
RUN = """
import sys
from pathlib import Path
from hopsight.wiki.scan.run import scan_files
if __name__ == "__main__":
    scan_files([Path(sys.argv[1])], Path(sys.argv[2]), workers=2, plain_chunk=200_000)
"""


@pytest.fixture(scope="module")
def mini_scan(tmp_path_factory):
    return scan_dump([MINI], tmp_path_factory.mktemp("scan"))


def test_the_mini_worlds_links_and_marks_are_those_of_the_full_parser(mini_scan):
    namespaces = Namespaces(mini_scan.site)
    links, rows = [], []
    # The full parser takes milliseconds a page: every twelfth article will do.
    articles = [
        page for page in read_dump(MINI) if page.namespace == ARTICLE and page.redirect is None
    ][::12]
    for page in articles:
        parsed = parse_page(page.title, page.text, namespaces)
        titles = [namespaces.title(link.target) for link in parsed.links]
        links += [(page.page_id, title.name) for title in titles if title.namespace == ARTICLE]
        kind = parsed.infobox.kind if parsed.infobox else None
        rows.append((page.page_id, kind, parsed.image, parsed.is_list, parsed.is_disambiguation))

    chosen = {page.page_id for page in articles}
    names = ("page_id", "infobox", "picture", "is_list", "is_disambiguation")
    assert len(links) > 800
    assert [link for link in links_of(mini_scan) if link[0] in chosen] == links
    assert [
        tuple(row[name] for name in names)
        for row in pages_of(mini_scan)
        if row["page_id"] in chosen
    ] == rows


def test_every_page_of_the_mini_world_is_accounted_for(mini_scan):
    whole = list(read_dump(MINI))

    kept = [row["page_id"] for row in pages_of(mini_scan)]

    assert mini_scan.entered == len(whole) == len(kept) + sum(mini_scan.left_out.values())
    assert list(mini_scan.read_pages(kept[::-1])) == [
        page for page in whole if page.page_id in set(kept)
    ]


def test_one_worker_and_two_write_the_same_bytes_and_report_progress(tmp_path):
    told = []
    scan_files([MINI], tmp_path / "one", plain_chunk=900_000)
    scan_files(
        [MINI],
        tmp_path / "two",
        workers=2,
        plain_chunk=900_000,
        progress=lambda done, owed: told.append((done, owed)),
    )

    assert files_of(tmp_path / "two") == files_of(tmp_path / "one")
    assert told == [(n, 5) for n in range(1, 6)]
    assert links_of(Scan.open(tmp_path / "two"))


def test_a_scan_killed_at_any_moment_goes_on_and_gives_the_same_bytes(tmp_path):
    script = tmp_path / "run.py"
    script.write_text(RUN)
    folder, whole = tmp_path / "killed", tmp_path / "whole"
    scan_files([MINI], whole, plain_chunk=200_000)
    draw = random.Random(5)
    kills = 0

    for notes in (1, 12):
        run = subprocess.Popen(
            [sys.executable, script, MINI, folder],
            env={**os.environ, "PYTHONPATH": str(Path.cwd())},
        )
        while run.poll() is None and len(list(folder.glob("chunks/*.json"))) < notes:
            time.sleep(0.002)
        time.sleep(draw.random() * 0.02)
        children = Path(f"/proc/{run.pid}/task/{run.pid}/children")
        workers = children.read_text().split() if run.poll() is None else []
        run.send_signal(signal.SIGKILL)
        kills += run.wait() == -signal.SIGKILL
        while any(Path(f"/proc/{worker}").exists() for worker in workers):
            time.sleep(0.002)  # without their parent they end by themselves

    assert kills
    done = [path.stat().st_mtime_ns for path in sorted(folder.glob("chunks/*.json"))]
    scan_files([MINI], folder, plain_chunk=200_000)
    after = [path.stat().st_mtime_ns for path in sorted(folder.glob("chunks/*.json"))]
    assert files_of(folder) == files_of(whole)
    assert len(done) > 10
    assert set(done) <= set(after)


def test_an_error_in_a_worker_is_the_same_error(export, tmp_path):
    path = export(*((f"P{n}", "x" * 99) for n in range(40)))
    path.write_bytes(path.read_bytes().replace(b"<page><title>P35", b"junk<page><title>P35"))

    with pytest.raises(SourceError, match="stands there") as caught:
        scan_files([path], tmp_path / "scan", workers=2, plain_chunk=4000)

    assert caught.value.cause
    assert caught.value.remedy


def test_chunks_that_do_not_join_are_an_error(tmp_path):
    def note(chunk, lead, end):
        return ChunkDone(
            chunk=chunk, pieces=1, own=100, lead=lead, end=end, entered=1, rows=1, left_out={}
        )

    path = tmp_path / "dump.xml"
    chunks = [
        Chunk(0, path, "plain", 0, 100, first=True, last=False),
        Chunk(1, path, "plain", 100, 200, first=False, last=True),
    ]

    _check_joins(chunks, [note(0, 40, 110), note(1, 10, 90)])
    with pytest.raises(SourceError, match="do not follow each other"):
        _check_joins(chunks, [note(0, 40, 110), note(1, 12, 90)])


def test_a_folder_without_a_finished_scan_or_in_use_is_refused(export, tmp_path):
    with pytest.raises(StoreError, match="no finished scan"):
        Scan.open(tmp_path)
    path = export(("A", "x"))
    (tmp_path / "other" / "parts").mkdir(parents=True)
    with pytest.raises(StoreError, match="not made by a scan"):
        scan_dump([path], tmp_path / "other")
    with file_lock(tmp_path / "scan" / "scan.lock", "it"), pytest.raises(LockedError):
        scan_dump([path], tmp_path / "scan")


def _peak_growth(path, folder):
    """Bytes by which a scan raises the peak of a fresh process."""
    script = (
        "import sys, resource\nfrom pathlib import Path\n"
        "from hopsight.wiki.scan.run import scan_files\n"
        "peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024\n"
        "before = peak()\n"
        "scan_files([Path(sys.argv[1])], Path(sys.argv[2]), piece_bytes=4 << 20)\n"
        "print(peak() - before)\n"
    )
    out = subprocess.run(
        [sys.executable, "-c", script, path, folder],
        capture_output=True, check=True, text=True, cwd=Path.cwd(),
    )  # fmt: skip
    return int(out.stdout)


def test_memory_does_not_grow_with_the_length_of_the_file(export, tmp_path):
    def dump(pages):
        text = [
            (f"P{n}", " ".join(f"[[Target {n} of {m}]] words" for m in range(60)) + "word " * 400)
            for n in range(pages)
        ]
        return export(*text, name=f"{pages}.xml")

    short = _peak_growth(dump(3000), tmp_path / "short")
    long = _peak_growth(dump(14000), tmp_path / "long")

    assert (tmp_path / "14000.xml").stat().st_size > 40_000_000
    assert long - short < 25_000_000
