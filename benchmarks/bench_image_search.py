"""Search by picture on examples/monuments: found again, unknown ones refused, and what it costs.

The index holds 1,000 pictures: photographs, flags and outlines of the monuments, the mini world's
pictures and drawn ones. Unknown are the photographs and flags that an index of the rest does not
hold. The changes are those of image_queries.py.

`--quick` asks two variants of each picture and kind instead of ten: for trying a change.
"""

import argparse
import io
import multiprocessing
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path

import cv2
from PIL import Image

from benchmarks.image_queries import CHANGES, png, scene, variants
from benchmarks.report import Figure, figure, finish
from benchmarks.world import mini_tables
from examples.monuments.world import make_world
from hopsight.search import ImageIndex
from hopsight.search.candidates import FILE as CODES
from hopsight.store import ImageStore
from hopsight.types import ImageRef, PageImage

PACKAGES = Path(".services/monuments")
PICTURES = 1_000
VARIANTS = 10
UNKNOWN_VARIANTS = 3
QUICK_VARIANTS = 2
GOALS = {
    "resize_jpeg": 0.98,
    "crop_70": 0.98,
    "crop_40": 0.93,
    "turn_15": 0.97,
    "brightness": 0.97,
    "screenshot": 0.80,
}
# What verifies is memory-mapped and read for a few candidates only; the rest is the index.
VERIFYING = ("descriptors.npy", "points.npy", "checks.npy")

Row = tuple[PageImage, bytes, str, str]


@dataclass(frozen=True, slots=True)
class Asked:
    """A picture, a change, and the titles that a search found, with its CPU seconds."""

    title: str
    kind: str
    found: tuple[str, ...]
    cpu: float


def row(data: bytes, title: str, kind: str, mime: str = "image/png") -> Row:
    """A picture as the index takes it; its page bears the kind and the picture's name."""
    with Image.open(io.BytesIO(data)) as image:
        width, height = image.size
    ref = ImageRef.model_validate(
        {
            "sha256": sha256(data).hexdigest(),
            "mime": mime,
            "width": width,
            "height": height,
            "source_url": f"https://pictures.invalid/{title}",
            "license": "",
            "author": "",
        }
    )
    shown = PageImage(page_id=1, file=title, image=ref, visual_facts=(), text=())
    return shown, data, title, f"https://{kind}.invalid/{title}"


def monuments() -> dict[str, list[Row]]:
    """The example's pictures by kind."""
    mimes = {"png": "image/png", "webp": "image/webp", "jpg": "image/jpeg"}
    rows: dict[str, list[Row]] = {}
    for picture in make_world(PACKAGES).pictures:
        mime = mimes[picture.file.rsplit(".", 1)[1]]
        rows.setdefault(picture.kind, []).append(
            row(picture.data, picture.file, picture.kind, mime)
        )
    return rows


def others(count: int, folder: Path) -> list[Row]:
    """The mini world's pictures, then drawn ones, `count` in all."""
    store = ImageStore(folder / "store")
    images = mini_tables(store).images
    hashes = sorted({image.image.sha256 for image in images})[:count]
    rows = [row(store.bytes(each), each, "mini") for each in hashes]
    for number in range(count - len(rows)):
        data = png(scene(random.Random(f"drawn {number}"), 720, 512))
        rows.append(row(data, f"drawn-{number}", "drawn"))
    return rows


def ask(folder: Path, count: int, work: tuple[Row, str]) -> list[Asked]:
    """Search with the variants of one picture and kind."""
    (_, data, title, _), kind = work
    index = ImageIndex.open(folder)
    with Image.open(io.BytesIO(data)) as opened:
        image = opened.convert("RGB")
    answers = []
    for query in variants(kind, title, image, count) if kind in CHANGES else [data]:
        start = time.process_time()
        hits = index.search_pixels(query, 3)
        spent = time.process_time() - start
        answers.append(Asked(title, kind, tuple(hit.page_title for hit in hits), spent))
    return answers


def all_asked(
    folder: Path, count: int, work: Sequence[tuple[Row, str]], processes: int
) -> list[Asked]:
    """Everything, in so many processes."""
    one: Callable[[tuple[Row, str]], list[Asked]] = partial(ask, folder, count)
    context = multiprocessing.get_context("spawn")
    with context.Pool(processes, partial(cv2.setNumThreads, 1)) as pool:
        return [each for part in pool.imap(one, work, chunksize=4) for each in part]


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.bench_image_search", description=__doc__
    )
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    count = QUICK_VARIANTS if options.quick else VARIANTS
    unknown_count = 1 if options.quick else UNKNOWN_VARIANTS
    asking = partial(all_asked, processes=options.processes)
    known = monuments()
    photographs, flags, outlines = (known[kind] for kind in ("photograph", "flag", "outline"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = [*photographs, *flags, *outlines]
        rows += others(PICTURES - len(rows), folder)
        start = time.process_time()
        ImageIndex.build(rows, folder / "all")
        build = (time.process_time() - start) / len(rows)
        work = [(each, kind) for kind in CHANGES for each in photographs]
        asked = asking(folder / "all", count, work)
        ImageIndex.build([*photographs[::2], *flags[::2], *outlines], folder / "half")
        unknown = [(each, kind) for kind in CHANGES for each in photographs[1::2]]
        refused = asking(folder / "half", unknown_count, unknown)
        flagged = asking(folder / "half", 1, [(each, "as it is") for each in flags[1::2]])
        bytes_each = index_bytes(folder / "all") / len(rows)
    _tell(len(rows), build, bytes_each, asked, refused, flagged)


def index_bytes(folder: Path) -> int:
    """Bytes of an index beside what verifies."""
    assert (folder / CODES).is_file()
    return sum(each.stat().st_size for each in folder.iterdir() if each.name not in VERIFYING)


def _tell(
    pictures: int,
    build: float,
    bytes_each: float,
    asked: Sequence[Asked],
    refused: Sequence[Asked],
    flagged: Sequence[Asked],
) -> None:
    rows: list[tuple[object, ...]] = []
    figures: list[Figure] = [figure("image_index_pictures", pictures)]
    for kind in CHANGES:
        of_kind = [each for each in asked if each.kind == kind]
        top = statistics.fmean(each.found[:1] == (each.title,) for each in of_kind)
        wrong = sum(bool(each.found) and each.found[0] != each.title for each in of_kind)
        cpu = sorted(each.cpu for each in of_kind)
        mean, slow = statistics.fmean(cpu), cpu[int(0.95 * len(cpu))]
        rows.append((kind, len(of_kind), top, wrong, mean * 1e3, slow * 1e3))
        figures.append(figure(f"image_top1_{kind}", top, ">=", GOALS[kind]))
    ordinary = [each.cpu for each in asked if each.kind != "screenshot"]
    pages = [each.cpu for each in asked if each.kind == "screenshot"]
    accepted = statistics.fmean(bool(each.found) for each in refused)
    figures += [
        figure("image_unknown_queries", len(refused)),
        figure("image_false_accepts", accepted, "<=", 0.01),
        figure("image_unknown_flags", len(flagged)),
        figure("image_false_accepts_flags", statistics.fmean(bool(e.found) for e in flagged)),
        figure("image_query_cpu_ms", statistics.fmean(ordinary) * 1e3, "<=", 300),
        figure("image_page_query_cpu_ms", statistics.fmean(pages) * 1e3, "<=", 600),
        figure("image_unknown_cpu_ms", statistics.fmean(e.cpu for e in refused) * 1e3),
        figure("image_index_kb_per_picture", bytes_each / 1e3, "<=", 12),
        figure("image_build_cpu_ms_per_picture", build * 1e3),
    ]
    columns = ("", "queries", "top-1", "another found", "CPU ms", "p95")
    finish(f"Search by picture among {pictures:,}", columns, rows, figures)


if __name__ == "__main__":
    main()
