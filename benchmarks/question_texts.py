"""Questions for the duplicate benchmark: frames of the mini world's generator, filled anew.

The world is small: a hundred thousand of its questions would say the same again and again. Its
canonical questions are taken as frames, and their names give way to made-up ones, of which some
come up often and most seldom, as in links of an encyclopedia.
"""

import random
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from benchmarks.bench_paths import CONFIG, anchors
from benchmarks.world import mini_tables
from curation.canonical import canonical_questions
from curation.paths import enumerate_paths
from curation.recipe import path_rules
from hopsight.chains.walker import Walker
from hopsight.store import ImageStore
from hopsight.wiki.snapshot import Snapshot

SHARE: Final = {2: 6, 3: 6}
"""Paths taken of each anchor, by hops."""

NAMES: Final = 30_000
_SYLLABLES: Final = (
    "ba be bor da den fa ga ka la lev li lo ma mer mi mon na ne no pa ra ren ri ro sa se sta ta "
    "te to tun va ve vi wy zo"
).split()


def frames(folder: Path) -> list[tuple[str, int]]:
    """Canonical questions with `{0}`, `{1}` … for names, and how many names each takes."""
    images = ImageStore(folder)
    snapshot = Snapshot(mini_tables(images))
    walker = Walker(snapshot, path_rules(CONFIG))
    paths = [
        path
        for page in anchors(snapshot)
        for hops, share in SHARE.items()
        for path in islice(enumerate_paths(walker, [page], (hops,)), share)
    ]
    made = canonical_questions(walker, paths, round=CONFIG.round)
    found = set()
    for question, chain in made.pairs:
        titles = sorted({node.title for node in chain.nodes}, key=lambda name: (-len(name), name))
        text = question.text
        for place, title in enumerate(titles):
            text = text.replace(title, f"{{{place}}}")
        found.add((text, len(titles)))
    return sorted(found)


def questions(count: int, frames: Sequence[tuple[str, int]], seed: int) -> list[str]:
    """Frames with names; the name of rank r comes up about 1/r as often as the first."""
    rng = random.Random(seed)
    names = [_name(rng) for _ in range(NAMES)]
    made = []
    for _ in range(count):
        text, slots = rng.choice(frames)
        ranks = (int(NAMES ** rng.random()) - 1 for _ in range(slots))
        made.append(text.format(*(names[rank] for rank in ranks)))
    return made


def reworded(text: str, edits: int, rng: random.Random) -> str:
    """A text with `edits` words left out, put in or exchanged."""
    words = text.split()
    for _ in range(edits):
        place = rng.randrange(len(words))
        kind = rng.randrange(3)
        if kind == 0 and len(words) > 1:
            del words[place]
        else:
            words[place : place + kind - 1] = [_word(rng)]
    return " ".join(words)


def _name(rng: random.Random) -> str:
    return " ".join(_word(rng).title() for _ in range(rng.choice((1, 1, 2, 2, 3))))


def _word(rng: random.Random) -> str:
    return "".join(rng.choice(_SYLLABLES) for _ in range(rng.randint(2, 4)))
