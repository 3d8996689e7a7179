"""Building the mini world from its fact tables: `python -m hopsight.wiki.mini.build`.

`--check` only compares; `--truth PATH` writes which sentence states which fact, and nothing else.
"""

import argparse
import filecmp
import json
import logging
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hopsight.errors import HopsightError, SourceError
from hopsight.wiki.mini import DATA_DIR
from hopsight.wiki.mini.draw import Picture, draw_all, picture_rows
from hopsight.wiki.mini.render import export_xml, load_tables, render_world, truth_lines

LOG = logging.getLogger(__name__)
HERE = Path(__file__).parent
BUILT = ("world.xml", "pictures.jsonl")

Draw = Callable[[Path, Path], Sequence[Picture]]


@dataclass(frozen=True, slots=True)
class Built:
    """How much was built."""

    articles: int
    pages: int
    pictures: int


def build(data_dir: Path, out_dir: Path, draw: Draw) -> Built:
    """Write world.xml, pictures.jsonl and pictures/ into `out_dir`."""
    tables = load_tables(data_dir)
    pictures_dir = out_dir / "pictures"
    pictures_dir.mkdir(parents=True, exist_ok=True)
    pictures = sorted(draw(data_dir, pictures_dir), key=lambda picture: picture.file)
    world = render_world(tables, pictures)
    _write(out_dir / "world.xml", export_xml(world.pages))
    _write(out_dir / "pictures.jsonl", "".join(map(_json_line, picture_rows(pictures))))
    return Built(len(world.articles), len(world.pages), len(pictures))


def write_truth(data_dir: Path, path: Path) -> int:
    """Write one JSON line for each fact that a sentence states; gives how many there are.

    The sentences do not depend on the pictures, so nothing is drawn.
    """
    lines = list(truth_lines(render_world(load_tables(data_dir), ())))
    _write(path, "".join(lines))
    return len(lines)


def _json_line(record: object) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


def differences(left: Path, right: Path) -> list[str]:
    """Names of built files that differ between two folders, or that one of them lacks."""
    names = [*BUILT, *(f"pictures/{name}" for name in _pictures(left) | _pictures(right))]
    return sorted(name for name in names if not _same(left / name, right / name))


def _pictures(folder: Path) -> set[str]:
    return {path.name for path in (folder / "pictures").glob("*.png")}


def _same(left: Path, right: Path) -> bool:
    return left.is_file() and right.is_file() and filecmp.cmp(left, right, shallow=False)


def check(data_dir: Path, committed: Path, draw: Draw) -> None:
    """Build into a temporary folder; `SourceError` if the committed files are others."""
    with tempfile.TemporaryDirectory() as folder:
        build(data_dir, Path(folder), draw)
        different = differences(committed, Path(folder))
    if different:
        cause = f"{len(different)} built files differ from the tables, first {different[0]}"
        raise SourceError(cause, "run `python -m hopsight.wiki.mini.build` and commit the result")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command. Returns the exit status."""
    parser = argparse.ArgumentParser(description="Build the mini world from its fact tables.")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--check", action="store_true", help="only compare with what is there")
    mode.add_argument(
        "--truth", type=Path, metavar="PATH", help="only write which sentence states which fact"
    )
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    try:
        _run(check_only=options.check, truth=options.truth)
    except HopsightError as error:
        LOG.error("%s", error)
        return 1
    return 0


def _run(*, check_only: bool, truth: Path | None) -> None:
    if check_only:
        check(DATA_DIR, HERE, draw_all)
        LOG.info("mini_world=unchanged")
    elif truth is not None:
        LOG.info("mini_world=truth path=%s facts=%d", truth, write_truth(DATA_DIR, truth))
    else:
        built = build(DATA_DIR, HERE, draw_all)
        LOG.info(
            "mini_world=built articles=%d pages=%d pictures=%d",
            built.articles, built.pages, built.pictures,
        )  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
