"""Refine: what each combination of operators keeps and why it rejects, solved independently.

Questions enter that the operators can be tried on: the answer of one that is expanded names a
page, and what is told by its picture at the end has one. Every kept question is exported as it is
for trainers and solved by `tests.checker`, which shares no code with the project.
"""

import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from time import process_time

from benchmarks.report import Figure, figure, finish
from benchmarks.world import mini_tables
from curation.canonical import canonical_questions
from curation.fuzz import fuzzed_questions
from curation.ground import grounded_questions
from curation.paths import enumerate_paths
from curation.recipe import draw_seeds, path_rules
from hopsight.chains import Framed
from hopsight.chains.walker import Walker
from hopsight.config import RoundConfig
from hopsight.store import ImageStore
from hopsight.types import LinkPath, Page
from hopsight.wiki.mini import mini_world_files
from hopsight.wiki.snapshot import Snapshot
from refine.blur import blurred_questions
from refine.expand import expanded_questions
from refine.visualize import visualized_questions
from tests.checker.checks import Report, check_rl
from tests.checker.world import World, read_world
from training.export.verl import export_rl

CONFIG = RoundConfig()
EXPAND, BLUR, VISUALIZE = "expand", "blur", "visualize"
ENTERED: dict[tuple[str, ...], int] = {
    (): 400,
    (EXPAND,): 250,
    (BLUR,): 250,
    (VISUALIZE,): 700,
    (EXPAND, BLUR): 250,
    (EXPAND, VISUALIZE): 1000,
    (BLUR, VISUALIZE): 1000,
    (EXPAND, BLUR, VISUALIZE): 1500,
}
"""Paths of each combination of operators that are made questions."""
WANTED = 100
"""Kept questions of each combination."""

Operator = Callable[[Framed], Framed]


@dataclass(frozen=True, slots=True)
class Refined:
    """What a combination made of the questions that entered, and what the checker says of it."""

    operators: tuple[str, ...]
    entered: int
    kept: Framed
    reasons: Counter[str]
    report: Report

    @property
    def name(self) -> str:
        """As a round's configuration writes it."""
        return "+".join(self.operators) or "none"


class Bench:
    """The mini world as the project reads it and as the checker does. Exports go to `folder`."""

    def __init__(self, snapshot: Snapshot, images: ImageStore, folder: Path) -> None:
        dump, pictures, _ = mini_world_files()
        self.images = images
        self.snapshot = snapshot
        self.walker = Walker(snapshot, path_rules(CONFIG))
        self.world: World = read_world(dump, pictures)
        self._folder = folder

    def seeds(self) -> Sequence[Page]:
        """Pages that a path of the default round may start from."""
        return draw_seeds(self.snapshot, CONFIG).kept

    def entering(self, paths: Iterable[LinkPath]) -> Framed:
        """Paths through all static gates before Refine."""
        canonical = canonical_questions(self.walker, list(paths), round=CONFIG.round)
        fuzzed = fuzzed_questions(self.walker, canonical, seed=CONFIG.seed)
        return grounded_questions(self.snapshot, fuzzed, self.images)

    def refined(self, entered: Framed, operators: tuple[str, ...]) -> Refined:
        """One operator after the other, with the default round's parameters; then the checker."""
        framed, reasons = entered, Counter[str]()
        for name in operators:
            framed = self._operators()[name](framed)
            reasons += Counter({f"{name}: {why}": n for why, n in reasons_of(framed).items()})
        folder = self._folder / ("+".join(operators) or "none")
        chains = {chain.id: chain for chain in framed.chains}
        export_rl(framed.questions.kept, chains, (), self.images, folder)
        report = check_rl(folder, self.world)
        return Refined(operators, len(entered.questions.kept), framed, reasons, report)

    def _operators(self) -> dict[str, Operator]:
        rules, walker, seed = CONFIG.refine, self.walker, CONFIG.seed
        blur = partial(blurred_questions, nodes=rules.blur.nodes, facts=rules.blur.facts)
        look = rules.visualize
        return {
            EXPAND: partial(expanded_questions, walker, hops=rules.expand.hops, seed=seed),
            BLUR: partial(blur, walker, seed=seed),
            VISUALIZE: partial(
                visualized_questions, walker, nodes=look.nodes, facts=look.facts, seed=seed
            ),
        }


def reasons_of(framed: Framed) -> Counter[str]:
    """Rejections by reason."""
    return Counter(framed.questions.reasons())


def suited(walker: Walker, path: LinkPath, operators: tuple[str, ...]) -> bool:
    """Whether the operators can be tried on a path at all."""
    ends = list(path.entities[1:])
    if EXPAND in operators:
        facts = walker.index.facts(path.entities[-1], path.attribute)
        named = facts[0].value_page if len(facts) == 1 else None
        if named is None:
            return False
        ends.append(named)
    if VISUALIZE in operators and not any(map(walker.index.looks, ends)):
        return False
    return len(path.hops) + (EXPAND in operators) >= 2 or BLUR not in operators


def chosen(
    walker: Walker, paths: Sequence[LinkPath], operators: tuple[str, ...], count: int
) -> list[LinkPath]:
    """Paths for a combination, drawn among those that suit it."""
    fit = [path for path in paths if suited(walker, path, operators)]
    Random(CONFIG.seed).shuffle(fit)
    return fit[:count]


def main() -> None:
    """Run the benchmark. Both sides read the same export: the project's gates, and the checker."""
    with tempfile.TemporaryDirectory() as name:
        images = ImageStore(Path(name) / "images")
        bench = Bench(Snapshot(mini_tables(images)), images, Path(name) / "exports")
        paths = list(enumerate_paths(bench.walker, bench.seeds(), (1, 2)))
        made = []
        for operators, count in ENTERED.items():
            began = process_time()
            entering = bench.entering(chosen(bench.walker, paths, operators, count))
            result = bench.refined(entering, operators)
            made.append((result, process_time() - began))
    finish(
        "Refine on the mini world, checked by an independent solver",
        ("operators", "entered", "kept", "failed", "CPU-s", "rejected by reason"),
        [_row(result, seconds) for result, seconds in made],
        [each for result, _ in made for each in _figures(result)],
    )


def _row(result: Refined, seconds: float) -> tuple[object, ...]:
    shares = (
        f"{reason} {count / result.entered:.1%}" for reason, count in result.reasons.most_common()
    )
    kept = len(result.kept.questions.kept)
    failed = len(result.report.failures)
    return (result.name, result.entered, kept, failed, seconds, "; ".join(shares))


def _figures(result: Refined) -> list[Figure]:
    kept = len(result.kept.questions.kept)
    return [
        figure(f"{result.name}: kept", kept, ">=", WANTED),
        figure(f"{result.name}: share kept", kept / result.entered),
        figure(f"{result.name}: failures", len(result.report.failures), "<=", 0),
    ]


if __name__ == "__main__":
    main()
