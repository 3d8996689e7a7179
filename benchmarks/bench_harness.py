"""Harness: what an episode costs beside its searches and its policy, and 500 episodes at once.

Overhead: one side plays whole episodes against the real local backend; the other makes the same
calls of the backend and the same pictures by hand. The difference is the harness: arguments, bank,
limits, texts, records.

Crowd: 500 episodes in one process, journal included, by a policy that thinks for a second before
each turn, as a model does. A call's time is what the policy waits for its observation; `blocks` is
the longest part of a lone call in which the event loop can do nothing else.
"""

import asyncio
import gc
import json
import random
import statistics
import tempfile
import time
import tracemalloc
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.report import Figure, alternate, figure, finish, resident_bytes
from benchmarks.world import mini_backend, mini_tables
from hopsight.errors import Outcome
from hopsight.harness import (
    AssistantTurn,
    Episode,
    EpisodeView,
    Limits,
    RolloutJob,
    Stage,
    run_episode,
    run_rollouts,
)
from hopsight.harness.backends.local import LocalBackend
from hopsight.harness.bank import encode
from hopsight.harness.executors import InProcess
from hopsight.harness.setting import Setting
from hopsight.harness.tools.zoom_in import ZoomIn
from hopsight.harness.workbench import Workbench
from hopsight.llm.service import Models
from hopsight.search.pixels import open_picture
from hopsight.store import ImageStore, Journal
from hopsight.types import StopReason, Task, ToolCall, Trajectory

EPISODES = 60
CROWD = 500
THINK_S = 1.0
ALONE = 20
TICK_S = 0.01
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
    episodes = [await play(number) for number in range(CROWD)]
    gc.collect()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return held / len(episodes)


@dataclass(slots=True)
class Watch:
    """What the crowd went through: seconds of waiting by tool, and how late the loop was."""

    waited: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    late: list[float] = field(default_factory=list)
    resident: int = 0

    async def tick(self) -> None:
        """Measure the loop from inside until cancelled."""
        while True:
            due = time.perf_counter() + TICK_S
            await asyncio.sleep(TICK_S)
            self.late.append(time.perf_counter() - due)
            self.resident = max(self.resident, resident_bytes())


@dataclass(frozen=True, slots=True)
class Thinking:
    """Plays the script, but thinks before each turn and notes how long its calls took."""

    script: Scripted
    watch: Watch
    name: str = "thinking"

    def begin(self, seed: int) -> "ThinkingSession":
        """Start an episode."""
        return ThinkingSession(self, random.Random(seed))


@dataclass(slots=True)
class ThinkingSession:
    """One episode; the clock runs from a turn to the view of what it brought."""

    policy: Thinking
    rng: random.Random
    left_at: float = 0.0

    async def act(self, view: EpisodeView) -> AssistantTurn:
        """The next turn of the script, after a while."""
        if view.turns:
            name = view.turns[-1].calls[0].name
            self.policy.watch.waited[name].append(time.perf_counter() - self.left_at)
        await asyncio.sleep(THINK_S * self.rng.uniform(0.5, 1.5))
        self.left_at = time.perf_counter()
        return await self.policy.script.act(view)


@dataclass(frozen=True, slots=True)
class Crowd:
    """What playing all at once came to."""

    watch: Watch
    wall: float
    cpu: float
    trajectories: Sequence[Trajectory]
    grown: int


def crowd(scene: Scene, folder: Path) -> Crowd:
    """500 episodes at once in this process."""
    watch = Watch()

    @asynccontextmanager
    async def bench() -> AsyncIterator[Workbench]:
        ticking = asyncio.create_task(watch.tick())
        yield Workbench(scene.backend)
        ticking.cancel()

    def policy(name: str, models: Models) -> Thinking:
        return Thinking(script(scene), watch)

    stage = Stage(policy, bench, lambda: scene.images, LIMITS)
    jobs = [RolloutJob("q", scene.task, "thinking", n, n) for n in range(CROWD)]
    gc.collect()
    before, wall, cpu = resident_bytes(), time.perf_counter(), time.process_time()
    played = run_rollouts(jobs, stage, InProcess(CROWD), Journal(folder))
    return Crowd(
        watch,
        time.perf_counter() - wall,
        time.process_time() - cpu,
        played,
        watch.resident - before,
    )


async def alone(scene: Scene) -> dict[str, tuple[float, float]]:
    """For each tool, milliseconds of a lone call: in all, and the longest time in which the event
    loop could do nothing else."""
    found: dict[str, tuple[float, float]] = {}
    for turn in script(scene).turns[:-1]:
        whole, blocked = [], []
        for number in range(ALONE):
            episode = Episode(scene.task, setting_of(scene), number)
            gaps: list[float] = []
            spinning = asyncio.create_task(spin(gaps))
            await asyncio.sleep(0)
            begun = time.perf_counter()
            await episode.take(turn)
            whole.append(time.perf_counter() - begun)
            await asyncio.sleep(0)
            spinning.cancel()
            blocked.append(max(gaps))
        name = turn.calls[0].name
        found[name] = (1000 * statistics.median(whole), 1000 * statistics.median(blocked))
    return found


async def spin(gaps: list[float]) -> None:
    """Take every turn of the loop that there is, and note the time between them."""
    while True:
        left = time.perf_counter()
        await asyncio.sleep(0)
        gaps.append(time.perf_counter() - left)


def percentile(values: Sequence[float], part: float) -> float:
    """The value below which so large a part lies, in milliseconds for seconds given."""
    ordered = sorted(values)
    return 1000 * ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def make_scene(folder: Path) -> Scene:
    """The mini world with a few pictures, and a question about one of them."""
    images = ImageStore(folder / "store")
    tables = mini_tables(images)
    backend = mini_backend(tables, images, folder / "index", PICTURES)
    shown = tables.images[0]
    page = next(page for page in tables.pages if page.page_id == shown.page_id)
    task = Task(text="Where does it lie?", images=(shown.image,))
    return Scene(backend, images, task, page.title, page.url)


def crowd_rows(found: Crowd, lone: dict[str, tuple[float, float]]) -> list[tuple[object, ...]]:
    """One row for each tool."""
    waited = found.watch.waited
    return [
        (name, *lone[name], percentile(waited[name], 0.5), percentile(waited[name], 0.95))
        for name in lone
    ]


def crowd_figures(found: Crowd) -> list[Figure]:
    """What the crowd is told by."""
    assert all(each.stop_reason is StopReason.ANSWERED for each in found.trajectories)
    figures = [
        figure("crowd_episodes_per_s", CROWD / found.wall),
        figure("crowd_episodes_per_cpu_s", CROWD / found.cpu),
        figure("crowd_resident_kb_per_episode", found.grown / CROWD / 1000, "<=", 1000),
        figure("crowd_loop_late_ms_p50", percentile(found.watch.late, 0.5)),
        figure("crowd_loop_late_ms_p95", percentile(found.watch.late, 0.95)),
    ]
    for name, seconds in sorted(found.watch.waited.items()):
        figures.append(figure(f"crowd_{name}_ms_p50", percentile(seconds, 0.5)))
        figures.append(figure(f"crowd_{name}_ms_p95", percentile(seconds, 0.95)))
    return figures


def main() -> None:
    """Run the benchmark."""
    with tempfile.TemporaryDirectory() as name:
        scene = make_scene(Path(name))
        asyncio.run(check(scene))
        asyncio.run(by_harness(scene))
        turns = EPISODES * len(script(scene).turns)
        found = crowd(scene, Path(name) / "journal")
        times = alternate(
            {
                "episodes": lambda: asyncio.run(by_harness(scene)),
                "the same calls by hand": lambda: asyncio.run(by_hand(scene)),
            }
        )
        lone = asyncio.run(alone(scene))
        held = asyncio.run(held_bytes(scene))
    per_turn = {side: 1000 * each.cpu / turns for side, each in times.items()}
    overhead = per_turn["episodes"] - per_turn["the same calls by hand"]
    print(f"{EPISODES} episodes of {turns // EPISODES} turns with {ZoomIn.name} and four searches:")
    for side, cpu in per_turn.items():
        print(f"  {side}: {cpu:.3g} CPU ms per turn")
    finish(
        f"{CROWD} episodes at once, {THINK_S:g} s of thought before each turn",
        ("tool", "alone, ms", "blocks, ms", "in the crowd: p50, ms", "p95, ms"),
        crowd_rows(found, lone),
        [
            figure("harness_overhead_cpu_ms_per_turn", overhead, "<=", 1.0),
            figure("harness_episode_kb", held / 1000, "<=", 1000),
            figure("episode_cpu_ms_per_turn", per_turn["episodes"]),
            *crowd_figures(found),
        ],
    )


if __name__ == "__main__":
    main()
