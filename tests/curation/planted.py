"""Questions over the atlas that only one shortcut solves, and one that none does."""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from curation.probes import (
    DIRECT,
    PROBES,
    Ground,
    Probed,
    Probing,
    direct,
    play,
    sort_out,
)
from curation.verdicts import judge_all
from hopsight.budget import Budget
from hopsight.harness.backends.build import build_local_index
from hopsight.harness.backends.local import LocalBackend
from hopsight.harness.benches import local_bench
from hopsight.harness.executors import InProcess
from hopsight.harness.limits import Limits
from hopsight.harness.policies import Sampling
from hopsight.llm.service import ModelSettings
from hopsight.reference.agents import DirectAnswerer, Memory
from hopsight.store import ImageStore, Journal
from hopsight.types import Alias, PromptRef, Question
from hopsight.wiki.snapshot import Snapshot
from tests.worlds import Pictures, atlas

PICTURES = Pictures()
WORLD: Snapshot = atlas(PICTURES)
TOOLS = ("web_search", "image_search", "visual_search", "visit", "zoom_in", "rotate", "flip")
RIVER = (
    "The country in the image{} has a certain city as its capital. That city lies on a certain "
    "river. "
)


def asked(text: str, anchor: str, answer: str) -> Question:
    """A question with the picture of a page."""
    page_id = WORLD.by_title(anchor)
    assert page_id is not None
    picture = WORLD.image(page_id)
    assert picture is not None
    return Question(
        text=text,
        answer=answer,
        answer_aliases=(),
        images=(picture.image,),
        chain_id="chain_planted",
        parent_id=None,
        operator="ground",
        prompt=PromptRef(name="planted", version="1", sha256="0" * 64),
        round="0001",
    )


SOUND = asked(
    RIVER.format("") + "How long is that river in kilometres?", anchor="Gorvia", answer="540"
)
PLANTED: Mapping[str, Question] = {
    # Known by heart, where the memory holds its pages.
    DIRECT: asked(RIVER.format("") + "How long is that river in km?", "Gorvia", "540"),
    # It names the page that has the answer.
    "text_search": asked(
        "The country in the image has a certain city as its capital. Dunmark City lies on a "
        "certain river. In which year was Dunmark City founded?",
        "Dunmark",
        "1311",
    ),
    # The picture's own page has the answer.
    "image_search": asked(
        "What is the calling code of the country in the image?", "Gorvia", "+967"
    ),
    # It names what the picture shows.
    "text_only": asked(
        RIVER.format(", Gorvia,") + "Which sea does that river flow into?", "Gorvia", "Sunset Sea"
    ),
    # Whoever sees nothing and tries the words of the last sentence has luck.
    "blank_picture": asked(
        "The city in the image lies in a certain country. That country borders another country "
        "whose capital is not Boria City, Alund City or Cestan City. What is the calling code of "
        "that other country?",
        "Farlin City",
        "+967",
    ),
}


def home(folder: Path) -> Path:
    """A folder with the atlas's search index and pictures."""
    store = ImageStore(folder)
    for data in PICTURES.stored.values():
        store.put(data, "https://example.org/p.png", "CC0-1.0", "nobody")
    ids = WORLD.ids()
    build_local_index(
        [WORLD.page(each) for each in ids],
        [link for each in ids for link in WORLD.links(each)],
        [fact for each in ids for fact in WORLD.facts(each)],
        [Alias(page_id=each, name=name) for each in ids for name in WORLD.names(each)],
        [image for each in ids if (image := WORLD.image(each)) is not None],
        store.bytes,
        folder / "index",
    )
    return folder


def ground(folder: Path, **changes: object) -> Ground:
    """What probes are played with in such a folder."""
    settings: dict[str, object] = {
        "prober": "reference",
        "sampling": Sampling(),
        "models": ModelSettings.of_rules(),
        "open_bench": partial(local_bench, folder / "index"),
        "make_images": partial(ImageStore, folder),
        "limits": Limits(),
        "tools": TOOLS,
        "inputs": "atlas",
        "seed": 1,
        "executor": InProcess(),
        "journal": lambda name: Journal(folder / "journals" / name),
        "budget": Budget(),
    }
    return Ground(**(settings | changes))  # type: ignore[arg-type]


def remembering(folder: Path, *titles: str) -> DirectAnswerer:
    """Knows the pages of these titles by heart, and their pictures."""
    backend = LocalBackend(folder / "index")
    pages: dict[str, str] = {}
    pictures: dict[str, str] = {}
    for title in titles:
        page_id = WORLD.by_title(title)
        assert page_id is not None
        url = WORLD.page(page_id).url
        shown = asyncio.run(backend.visit(url))
        assert shown is not None
        pages[url] = shown.markdown
        pictures |= {image.sha256: url for image in shown.images}
    return DirectAnswerer(Memory(pages, pictures))


def probings(folder: Path, *known: str) -> dict[str, Probing]:
    """All probes over a folder, by rule; the direct one knows these pages by heart."""
    found: dict[str, Probing] = {name: partial(_played, folder, name) for name in PROBES}
    return found | {DIRECT: partial(_answered, folder, known)}


def _answered(folder: Path, known: Sequence[str], questions: Sequence[Question]) -> Probed:
    prober = remembering(folder, *known)
    return asyncio.run(direct(questions, prober, ImageStore(folder), seed=1))


def _played(folder: Path, name: str, questions: Sequence[Question]) -> Probed:
    trajectories = play(PROBES[name], questions, ground(folder))
    return sort_out(name, questions, trajectories, judge_all(questions, trajectories))
