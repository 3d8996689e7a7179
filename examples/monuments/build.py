"""Building the world: `python -m examples.monuments.build OUT [--packages DIR]`.

Writes `world.xml` (a MediaWiki export), `pictures/`, `pictures.jsonl` and `NOTICE.md`. Equal
packages give equal bytes.
"""

import argparse
import hashlib
import json
import logging
import sys
from collections.abc import Sequence
from pathlib import Path

from examples.monuments.export import export_xml
from examples.monuments.notice import notice
from examples.monuments.pictures import Picture
from examples.monuments.world import World, make_world
from hopsight.errors import HopsightError
from hopsight.store.files import write_atomic
from hopsight.wiki.mini.render.page import MAIN

LOG = logging.getLogger(__name__)
PACKAGES_DIR = Path(".services/monuments")
"""Where the packages are looked for if nothing is said."""


def build(packages: Path, out: Path) -> World:
    """Make the world of the packages and write it into `out`. Raises HopsightError."""
    world = make_world(packages)
    for picture in world.pictures:
        write_atomic(out / "pictures" / picture.file, picture.data, sync=False)
    rows = "".join(sidecar_line(picture) for picture in world.pictures)
    write_atomic(out / "pictures.jsonl", rows.encode(), sync=False)
    write_atomic(out / "NOTICE.md", notice(world.pictures).encode(), sync=False)
    write_atomic(out / "world.xml", export_xml(world.pages).encode(), sync=False)
    articles = sum(page.namespace == MAIN and page.redirect is None for page in world.pages)
    redirects = sum(page.redirect is not None for page in world.pages)
    LOG.info(
        "event=world_built articles=%d redirects=%d pictures=%d",
        articles,
        redirects,
        len(world.pictures),
    )
    return world


def sidecar_line(picture: Picture) -> str:
    """A picture's line of `pictures.jsonl`."""
    row = {
        "file": picture.file,
        "title": picture.page,
        "kind": picture.kind,
        "width": picture.width,
        "height": picture.height,
        "sha256": hashlib.sha256(picture.data).hexdigest(),
        "license": picture.license,
        "author": picture.author,
        "source": picture.source,
        "visual_facts": picture.visual_facts,
        "text": [],
    }
    return json.dumps(row, ensure_ascii=False) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m examples.monuments.build",
        description="Build the world of monuments from the packages that fetch.py gets.",
    )
    parser.add_argument("out", type=Path, help="the folder that is written to")
    parser.add_argument("--packages", type=Path, default=PACKAGES_DIR)
    given = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    try:
        build(given.packages, given.out)
    except HopsightError as error:
        LOG.error("%s", error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
