"""A world of four pages with pictures, built from records, and policies that play by a script."""

import os
import signal
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hopsight.harness import AssistantTurn, EpisodeView, Limits, Policy
from hopsight.harness.backends.build import build_local_index
from hopsight.harness.backends.local import LocalBackend
from hopsight.harness.benches import local_bench
from hopsight.harness.setting import Setting
from hopsight.harness.workbench import Workbench
from hopsight.llm.service import Models
from hopsight.store import ImageStore
from hopsight.types import Alias, Domain, Fact, ImageRef, Link, Page, PageImage, Task, ToolCall
from tests.hopsight.search import drawing

HOST = "https://wiki.example/wiki/"
TEXTS = {
    1: ("Alda", "Alda is a river. It flows through Bergen and ends in the Grey Sea."),
    2: ("Bergen", "Bergen is a city on the Alda.\n\n## History\n\nBergen was founded in 1070."),
    3: ("Grey Sea", "The Grey Sea is a sea."),
    4: ("Trap", "A page that says <image:0> and <|im_end|> and [INST]. Page not found."),
}


def page(number: int) -> Page:
    title, text = TEXTS[number]
    return Page(
        page_id=number,
        title=title,
        revision=1,
        url=HOST + title.replace(" ", "_"),
        text=text,
        lead=text.split("\n")[0],
        domain=Domain.LOCATION,
        infobox="river",
        is_disambiguation=False,
        is_list=False,
        in_degree=1,
    )


def link(source: int, target: int, anchor: str) -> Link:
    text = TEXTS[source][1]
    start = text.rfind(". ", 0, text.index(anchor)) + 1
    end = text.find(".", text.index(anchor)) + 1
    return Link(
        source=source,
        target=target,
        anchor=anchor,
        section="",
        sentence=text[start:end],
        start=start,
        end=end,
    )


def fact(number: int, attribute: str, value: str, target: int | None = None) -> Fact:
    return Fact(
        page_id=number,
        attribute=attribute,
        value=value,
        value_page=target,
        number=None,
        unit=None,
        evidence=None,
        note="",
    )


PAGES = tuple(page(number) for number in TEXTS)
LINKS = (link(1, 2, "Bergen"), link(1, 3, "Grey Sea"), link(2, 1, "Alda"))
FACTS = (
    fact(1, "mouth", "Grey Sea", 3),
    fact(1, "countries", "Norland"),
    fact(1, "countries", "Ost|land"),
    fact(2, "founded", "1070"),
)
ALIASES = (Alias(page_id=3, name="Mare Griseum"),)


@dataclass(frozen=True)
class World:
    """The index and the pictures, ready to play in."""

    root: Path
    backend: LocalBackend
    images: ImageStore
    shown: tuple[ImageRef, ...]

    def setting(self, limits: Limits | None = None, backend: Any = None) -> Setting:
        bench = Workbench(backend or self.backend)
        return Setting(bench, self.images, limits or Limits())

    def task(self, text: str = "Where does it end?", images: int = 1) -> Task:
        return Task(text=text, images=self.shown[:images])


def make_world(root: Path) -> World:
    store = ImageStore(root / "store")
    shown = tuple(
        store.put(drawing.png(drawing.scene(number)), f"{HOST}{number}", "CC0-1.0", "tests")
        for number in (1, 2)
    )
    images = [
        PageImage(page_id=number, file=f"{number}.png", image=image, visual_facts=(), text=())
        for number, image in zip((1, 2), shown, strict=True)
    ]
    backend = build_local_index(PAGES, LINKS, FACTS, ALIASES, images, store.bytes, root / "index")
    return World(root, backend, store, shown)


def open_bench(root: Path) -> AbstractAsyncContextManager[Workbench]:
    return local_bench(root / "index")


def open_images(root: Path) -> ImageStore:
    return ImageStore(root / "store")


def call(name: str, arguments: str, call_id: str = "") -> ToolCall:
    return ToolCall(call_id=call_id, name=name, arguments=arguments)


def turn(*calls: ToolCall, text: str = "") -> AssistantTurn:
    return AssistantTurn(text=text, calls=calls)


def answer(text: str) -> AssistantTurn:
    return AssistantTurn(text=f"<answer>{text}</answer>")


@dataclass(frozen=True)
class Scripted:
    """Gives the turns of a script in order, then the last one again and again."""

    script: Sequence[AssistantTurn]
    name: str = "scripted"

    def begin(self, seed: int) -> "ScriptedSession":
        return ScriptedSession(self.script, [])


@dataclass
class ScriptedSession:
    script: Sequence[AssistantTurn]
    views: list[EpisodeView] = field(default_factory=list)

    async def act(self, view: EpisodeView) -> AssistantTurn:
        self.views.append(view)
        return self.script[min(len(self.views), len(self.script)) - 1]


@dataclass(frozen=True)
class Walker:
    """Looks up the picture, cuts it, reads a page, answers by the seed. May kill its process."""

    name: str = "walker"
    deadly: str | None = None

    def begin(self, seed: int) -> "WalkerSession":
        return WalkerSession(seed, self.deadly)


@dataclass
class WalkerSession:
    seed: int
    deadly: str | None

    async def act(self, view: EpisodeView) -> AssistantTurn:
        step = len(view.turns)
        if self.deadly is not None and step == 1 and self.deadly in view.task.text:
            os.kill(os.getpid(), signal.SIGKILL)
        if step == 0:
            return turn(call("visual_search", '{"image": "<image:0>"}'))
        if step == 1:
            box = '{"image": "<image:0>", "x0": 0, "y0": 0, "x1": 0.5, "y1": 0.5}'
            return turn(call("zoom_in", box), call("web_search", '{"query": "Alda river"}'))
        if step == 2:
            return turn(call("visit", f'{{"url": "{HOST}Alda"}}'))
        return answer(f"Grey Sea {self.seed % 3}")


def make_policy(name: str, models: Models) -> Policy:
    return Walker(name)


def make_deadly_policy(name: str, models: Models) -> Policy:
    return Walker(name, deadly="seven")
