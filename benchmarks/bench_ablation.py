"""Ablation: what a short way solves of questions that were made without one part of the pipeline.

The same paths of the mini world are made into questions with everything, and without source
anchoring, fuzzing, hop necessity or the filter (the probes). Three agents take short ways: one
without tools that knows the 120 most linked pages by heart, those that search once (for the words
or for the picture), and the strong one without the picture. Questions that the filter kept are
tried with another seed than the filter's.
"""

import asyncio
import re
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.ablations import LEFT_OUT, Maker, chosen
from benchmarks.report import Figure, figure, finish
from benchmarks.world import mini_backend, mini_tables
from curation.probes import (
    DIRECT,
    PROBES,
    Ground,
    Probed,
    Probing,
    direct,
    play,
    probe_questions,
    sort_out,
)
from curation.verdicts import judge_all
from hopsight.budget import Budget
from hopsight.chains import Pair
from hopsight.config import DEFAULT_TOOLS, RoundConfig
from hopsight.config.rounds import ExploreConfig
from hopsight.harness.backends.local import LocalBackend
from hopsight.harness.executors import InProcess
from hopsight.harness.limits import limits_of
from hopsight.harness.policies import Sampling
from hopsight.harness.workbench import Workbench
from hopsight.llm.service import ModelSettings
from hopsight.reference.agents import DirectAnswerer
from hopsight.reference.agents.memory import remember
from hopsight.stats import wilson
from hopsight.store import ImageStore, Journal
from hopsight.types import Question
from hopsight.wiki.snapshot import Snapshot

PATHS, QUESTIONS = 130, 100
FULL, NECESSITY = "nothing", "hop necessity"
UNBOUND = ("filter", NECESSITY)
CONFIG = RoundConfig(explore=ExploreConfig(paths=PATHS))
FRESH = CONFIG.seed + 1
AGENTS = {
    "no tools": (DIRECT,),
    "one search": ("text_search", "image_search"),
    "text only": ("text_only",),
}


@dataclass(frozen=True, slots=True)
class Scene:
    """Where the agents try: index, pictures, what is known by heart, and a folder for journals."""

    backend: LocalBackend
    images: ImageStore
    answerer: DirectAnswerer
    folder: Path

    def probings(self, seed: int) -> dict[str, Probing]:
        """All probes by rule, under a seed."""
        tried: dict[str, Probing] = {name: partial(self._played, name, seed) for name in PROBES}
        return tried | {DIRECT: partial(self._answered, seed)}

    def _answered(self, seed: int, questions: Sequence[Question]) -> Probed:
        return asyncio.run(direct(questions, self.answerer, self.images, seed=seed))

    def _played(self, name: str, seed: int, questions: Sequence[Question]) -> Probed:
        ground = Ground(
            prober="reference",
            sampling=Sampling(),
            models=ModelSettings.of_rules(),
            open_bench=self._bench,
            make_images=lambda: self.images,
            limits=limits_of(CONFIG.harness),
            tools=DEFAULT_TOOLS,
            inputs="mini",
            seed=seed,
            executor=InProcess(),
            journal=lambda probe: Journal(self.folder / probe),
            budget=Budget(),
        )
        trajectories = play(PROBES[name], questions, ground)
        return sort_out(name, questions, trajectories, judge_all(questions, trajectories))

    @asynccontextmanager
    async def _bench(self) -> AsyncIterator[Workbench]:
        yield Workbench(self.backend)


@dataclass(frozen=True, slots=True)
class Row:
    """Questions made without one part: how many, and which of them each agent solves."""

    without: str
    questions: int
    solved: dict[str, int]
    any_agent: int
    idle: int | None

    @property
    def share(self) -> float:
        """The share that some agent solves."""
        return self.any_agent / max(1, self.questions)


def measured(scene: Scene, maker: Maker, without: str, pairs: Sequence[Pair]) -> Row:
    """Let every agent try every question, under a seed of its own."""
    questions = [question for question, _ in pairs]
    tried = scene.probings(FRESH)
    solved = {
        agent: {
            result.question_id
            for name in names
            for result in tried[name](questions).results
            if result.solved
        }
        for agent, names in AGENTS.items()
    }
    counts = {agent: len(found) for agent, found in solved.items()}
    some = len(set().union(*solved.values()))
    return Row(without, len(questions), counts, some, maker.idle(pairs))


def rows(scene: Scene, world: Snapshot) -> list[Row]:
    """The whole pipeline, and without each of its parts."""
    maker = Maker.of(CONFIG, world, scene.images)
    sound = maker.sound()
    kept = probe_questions([q for q, _ in sound], scene.probings(CONFIG.seed)).questions.kept
    ids = {question.id for question in kept}
    full = chosen([pair for pair in sound if pair[0].id in ids], QUESTIONS)
    found = [measured(scene, maker, FULL, full)]
    for without, making in LEFT_OUT.items():
        found.append(measured(scene, maker, without, chosen(making(maker), QUESTIONS)))
    loose = Maker.of(CONFIG, world, scene.images, hop_necessity=False)
    found.append(measured(scene, loose, NECESSITY, chosen(loose.sound(), QUESTIONS)))
    return found


def figures(found: Sequence[Row]) -> list[Figure]:
    """The shares; without anchoring or fuzzing, their lower bounds against the whole's upper one.

    What the filter and hop necessity add on top of the others is told without a goal.
    """
    full, *others = found
    top = wilson(full.any_agent, full.questions).high
    made = [
        figure("questions_of_the_whole_pipeline", full.questions, ">=", QUESTIONS),
        figure("solved_share_of_the_whole_pipeline", full.share),
        figure("idle_hops_of_the_whole_pipeline", full.idle or 0, "<=", 0),
    ]
    for row in others:
        name = "_".join(re.findall(r"\w+", row.without))
        low = wilson(row.any_agent, row.questions).low
        made.append(figure(f"solved_share_without_{name}", row.share))
        if row.without not in UNBOUND:
            made.append(figure(f"lower_bound_without_{name}", low, ">=", top))
    made.append(figure("idle_hops_without_hop_necessity", found[-1].idle or 0, ">=", 1))
    return made


def main() -> None:
    """Run the benchmark."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        images = ImageStore(folder)
        tables = mini_tables(images)
        world = Snapshot(tables)
        backend = mini_backend(tables, images, folder / "index", len(tables.images))
        memory = asyncio.run(remember(world, backend))
        scene = Scene(backend, images, DirectAnswerer(memory), folder / "journals")
        found = rows(scene, world)
    finish(
        "Solved by a short way, in percent, of questions made without …",
        ("without", "questions", *AGENTS, "any of them", "95 %", "with an idle hop"),
        [_told(row) for row in found],
        figures(found),
    )


def _told(row: Row) -> tuple[object, ...]:
    percent = [f"{100 * count / max(1, row.questions):.1f}" for count in row.solved.values()]
    low, high = wilson(row.any_agent, row.questions)
    interval = f"{100 * low:.1f}–{100 * high:.1f}"
    idle = "–" if row.idle is None else row.idle
    return (row.without, row.questions, *percent, f"{100 * row.share:.1f}", interval, idle)


if __name__ == "__main__":
    main()
