"""A dump of its own, cut from the mini world: small enough to run the whole loop in seconds."""

import json
import re
import shutil
from pathlib import Path

from hopsight.wiki.mini import mini_world_files

KINDS = ("country", "settlement", "river", "continent", "body of water")
PICTURED = 24

_PAGE = re.compile(r"  <page>.*?</page>\n", re.DOTALL)
_KIND = re.compile(rf"\{{\{{Infobox (?:{'|'.join(KINDS)})\b")


def write_small_world(folder: Path) -> Path:
    """Write `dump.xml`, and `pictures/` with flags and their sidecar; gives the dump's path."""
    world, pictures, sidecar = mini_world_files()
    text = world.read_text(encoding="utf-8")
    first, last = text.index("  <page>"), text.rindex("</page>\n") + len("</page>\n")
    pages = [page for page in _PAGE.findall(text) if _KIND.search(page)]
    (folder / "pictures").mkdir(parents=True)
    dump = folder / "dump.xml"
    dump.write_text(text[:first] + "".join(pages) + text[last:], encoding="utf-8")
    lines = sidecar.read_text(encoding="utf-8").splitlines()
    flags = [line for line in lines if json.loads(line)["kind"] == "flag"][:PICTURED]
    for line in flags:
        name = json.loads(line)["file"]
        shutil.copy(pictures / name, folder / "pictures" / name)
    (folder / "pictures" / sidecar.name).write_text("\n".join(flags) + "\n", encoding="utf-8")
    return dump
