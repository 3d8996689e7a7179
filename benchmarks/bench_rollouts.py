"""Harness: what an episode costs beside its searches, its pictures and its policy.

One side plays whole episodes against the real local backend; the other makes the same calls of the
backend and the same pictures by hand. The difference is the harness: arguments, bank, limits,
texts, records.
"""

import asyncio
import gc
import json
import tempfile
import tracemalloc
from dataclasses import dataclass
from pathlib import Path

from benchmarks.report import alternate, figure, finish
from benchmarks.world import mini_backend, mini_tables
from hopsight.errors import Outcome
from hopsight.harness import AssistantTurn, Episode, EpisodeView, Limits, run_episode
from hopsight.harness.backends.local import LocalBackend
from hopsight.harness.bank import encode
from hopsight.harness.setting import Setting
from hopsight.harness.tools.zoom_in import ZoomIn
from hopsight.harness.workbench import Workbench
from hopsight.search.pixels import open_picture
from hopsight.store import ImageStore
from hopsight.types import StopReason, Task, ToolCall

EPISODES = 60
HELD = 200
PICTURES = 12
LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Scene:
    """Where the episodes play."""

    backend: LocalBackend
    images: ImageStore
    task: Task
    query: str
    url: str


@dataclass(frozen=True, slots=True)
class Scripted:
    """Plays the same turns in every episode."""

    turns: tuple[AssistantTurn, ...]
    name: str = "scripted"

    def begin(self, seed: int) -> "Scripted":
        """Start an episode; a script needs no memory."""
        return self

    async def act(self, view: EpisodeView) -> AssistantTurn:
        """The next turn."""
        return self.turns[len(view.turns)]


def script(scene: Scene) -> Scripted:
    """Six turns: five with a call, then an answer."""
    asked: tuple[tuple[str, dict[str, object]], ...] = (
        ("visual_search", {"image": "<image:0>"}),
        ("web_search", {"query": scene.query}),
        ("visit", {"url": scene.url}),
        ("image_search", {"query": scene.query}),
        ("zoom_in", {"image": "<image:0>", "x0": 0.1, "y0": 0.1, "x1": 0.6, "y1": 0.6}),
    )
    calls = [ToolCall(call_id="", name=name, arguments=json.dumps(args)) for name, args in asked]
    turns = [AssistantTurn(text="I look further.", calls=(call,)) for call in calls]
    return Scripted((*turns, AssistantTurn(text="<answer>Nowhere</answer>")))


def setting_of(scene: Scene) -> Setting:
    """Where the episodes play."""
    return Setting(Workbench(scene.backend), scene.images, LIMITS)


async def by_harness(scene: Scene) -> None:
    """Whole episodes."""
    policy, setting = script(scene), setting_of(scene)
    for number in range(EPISODES):
        await run_episode(scene.task, policy, setting, number, "q", number)


async def check(scene: Scene) -> None:
    """The script must do what it is measured for: every call answered, one answer."""
    played = await run_episode(scene.task, script(scene), setting_of(scene), 0, "q", 0)
    outcomes = [seen.outcome for turn in played.turns for seen in turn.observations]
    assert outcomes == [Outcome.OK] * 5, outcomes
    assert played.stop_reason is StopReason.ANSWERED


async def by_hand(scene: Scene) -> None:
    """The same searches, page and cut-out, without a harness."""
    for _ in range(EPISODES):
        await scene.backend.visual_search(scene.images.bytes(scene.task.images[0].sha256), 5)
        await scene.backend.web_search(scene.query, 5)
        await scene.backend.visit(scene.url)
        await scene.backend.image_search(scene.query, 5)
        image = open_picture(scene.images.bytes(scene.task.images[0].sha256))
        sides = (image.width, image.height, image.width, image.height)
        box = [round(part * side) for part, side in zip((0.1, 0.1, 0.6, 0.6), sides, strict=True)]
        cut = image.crop((box[0], box[1], box[2], box[3]))
        scene.images.put(encode(cut, "PNG"), "u", "CC0-1.0", "a")


async def held_bytes(scene: Scene) -> float:
    """Memory of one episode just before its answer, as many stand open at once."""
    policy = script(scene)

    async def play(number: int) -> Episode:
        episode = Episode(scene.task, setting_of(scene), number)
        for turn in policy.turns[:-1]:
            await episode.take(turn)
        return episode

    await play(0)
    gc.collect()
    tracemalloc.start()
    episodes = [await play(number) for number in range(HELD)]
    gc.collect()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return held / len(episodes)


def make_scene(folder: Path) -> Scene:
    """The mini world with a few pictures, and a question about one of them."""
    images = ImageStore(folder / "store")
    tables = mini_tables(images)
    backend = mini_backend(tables, images, folder / "index", PICTURES)
    shown = tables.images[0]
    page = next(page for page in tables.pages if page.page_id == shown.page_id)
    task = Task(text="Where does it lie?", images=(shown.image,))
    return Scene(backend, images, task, page.title, page.url)


def main() -> None:
    """Run the benchmark."""
    with tempfile.TemporaryDirectory() as name:
        scene = make_scene(Path(name))
        asyncio.run(check(scene))
        asyncio.run(by_harness(scene))
        turns = EPISODES * len(script(scene).turns)
        times = alternate(
            {
                "episodes": lambda: asyncio.run(by_harness(scene)),
                "the same calls by hand": lambda: asyncio.run(by_hand(scene)),
            }
        )
        held = asyncio.run(held_bytes(scene))
    per_turn = {side: 1000 * each.cpu / turns for side, each in times.items()}
    overhead = per_turn["episodes"] - per_turn["the same calls by hand"]
    rows = [
        *((side, cpu, times[side].wall / EPISODES * 1000) for side, cpu in per_turn.items()),
        ("harness alone", overhead, ""),
    ]
    finish(
        f"{EPISODES} episodes of {turns // EPISODES} turns with {ZoomIn.name} and four searches",
        ("side", "CPU ms per turn", "wall ms per episode"),
        rows,
        [
            figure("harness_overhead_cpu_ms_per_turn", overhead, "<=", 1.0),
            figure("harness_episode_kb", held / 1000, "<=", 1000),
            figure("episode_cpu_ms_per_turn", per_turn["episodes"]),
        ],
    )


if __name__ == "__main__":
    main()
