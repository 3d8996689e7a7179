"""A world in which every title is another and every picture is drawn in other colours."""

import hashlib
import html
import io
import json
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from hopsight.wiki.dump import read_dump

VOWELS, CONSONANTS = "aeiou", "bcdfghjklmnpqrstvwxz"
NEXT = {
    letter: row[(place + step) % len(row)]
    for row, step in ((VOWELS, 1), (CONSONANTS, 7))
    for place, letter in enumerate(row)
}
KEPT = frozenset("the of a an and in on to at by for from with de".split())
WORD = re.compile(r"[^\W_]+")


def new_name(name: str) -> str:
    """Each word by another of equal length; small words and what stands in brackets stay."""
    head, bracket, tail = name.partition(" (")
    return WORD.sub(lambda match: _new_word(match.group()), head) + bracket + tail


def _new_word(word: str) -> str:
    if word.lower() in KEPT:
        return word
    return "".join(
        NEXT[letter]
        if letter in NEXT
        else NEXT.get(letter.lower(), letter.lower()).upper()
        if letter.isupper()
        else letter
        for letter in word
    )


@dataclass(frozen=True)
class Renaming:
    """Which phrases become which; `starts` finds those that begin with a word."""

    starts: dict[str, list[tuple[str, str]]]
    kinds: tuple[str, ...]

    @classmethod
    def of(cls, dump: Path) -> "Renaming":
        """Every title of an export. Pages on common nouns ("Bird") are only renamed as titles."""
        pages = list(read_dump(dump))
        text = "\n".join(page.text for page in pages)
        anchors = re.findall(r"[|\[]([a-z][^\]|]*)\]", text)
        said_low = {anchor.removeprefix("the ") for anchor in anchors}
        phrases: set[str] = set()
        kinds = []
        for page in pages:
            low = page.title[0].lower() + page.title[1:]
            if low in said_low and page.redirect is None and "{{Infobox" not in page.text:
                kinds.append(page.title)
                continue
            phrases.add(page.title)
            if low in said_low:
                phrases.add(low)
        starts: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
        for phrase in sorted(phrases, key=lambda phrase: (-len(phrase), phrase)):
            first = WORD.search(phrase)
            if first is not None and first.start() == 0:
                escaped = html.escape(phrase, quote=False)
                starts[first.group()].append((escaped, html.escape(new_name(phrase), quote=False)))
        return cls(dict(starts), tuple(kinds))

    def text(self, text: str) -> str:
        """A text with every phrase renamed, longest first."""
        pieces, done = [], 0
        for match in WORD.finditer(text):
            if match.start() < done:
                continue
            for old, new in self.starts.get(match.group(), ()):
                end = match.start() + len(old)
                if text.startswith(old, match.start()) and not text[end : end + 1].isalnum():
                    pieces += [text[done : match.start()], new]
                    done = end
                    break
        return "".join([*pieces, text[done:]])

    def export(self, xml: str) -> str:
        """A whole export; its links, redirects and titles stay consistent."""
        renamed = self.text(xml)
        for kind in self.kinds:
            new = new_name(kind)
            renamed = renamed.replace(f"<title>{kind}</title>", f"<title>{new}</title>")
            renamed = renamed.replace(f'title="{kind}"', f'title="{new}"')
            low = kind[0].lower() + kind[1:]
            renamed = renamed.replace(f"[[{kind}|", f"[[{new}|")
            renamed = renamed.replace(f"[[{low}]]", f"[[{new}|{low}]]")
        return renamed


def write_renamed(
    dump: Path, pictures: Path, sidecar: Path, wanted: Iterable[str], out: Path
) -> Renaming:
    """Write dump.xml, pictures.jsonl and pictures/ (the `wanted` files alone) into `out`."""
    renaming = Renaming.of(dump)
    (out / "pictures").mkdir(parents=True)
    (out / "dump.xml").write_text(renaming.export(dump.read_text("utf-8")), "utf-8")
    kept = frozenset(wanted)
    lines = []
    for line in sidecar.read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["file"] in kept:
            redrawn = _redrawn((pictures / row["file"]).read_bytes())
            (out / "pictures" / row["file"]).write_bytes(redrawn)
            sha256 = hashlib.sha256(redrawn).hexdigest()
            lines.append(json.dumps(row | {"title": renaming.text(row["title"]), "sha256": sha256}))
    (out / "pictures.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    return renaming


def _redrawn(data: bytes) -> bytes:
    """Colours exchanged and a little noise, so that neither bytes nor colours stay."""
    pixels = np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(np.int16)
    noise = np.random.default_rng(len(data)).integers(-3, 4, pixels.shape)
    changed = np.clip(pixels[:, :, [1, 2, 0]] + noise, 0, 255).astype(np.uint8)
    out = io.BytesIO()
    Image.fromarray(changed).save(out, "PNG", compress_level=1)
    return out.getvalue()
