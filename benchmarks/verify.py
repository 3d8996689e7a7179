"""`make verify`: what takes hours. Kills, ten seeds, determinism, every benchmark, and a small
model in the loop (its file is that of HOPSIGHT_TEST_MODEL).

Each part can be run alone (`--only`) and rewrites its own section of RESULTS.md.
"""

import argparse
import ast
import json
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from time import perf_counter

from benchmarks.judge_models import judge_figures
from benchmarks.model_calls import kill_figures
from benchmarks.model_loop import QUESTIONS, SEEDS
from benchmarks.model_loop import run as run_loop
from benchmarks.report import Figure, figure
from benchmarks.results import write_section
from benchmarks.rounds import PROJECT, check_exports, make_round, run

KILL_TESTS = (
    "tests/hopsight/store/test_kill.py",
    "tests/hopsight/store/test_journal.py",
    "tests/hopsight/harness/test_rollout.py",
)
WORKERS_AND_HASH_SEEDS = ((1, 0), (2, 1), (3, 2))


def kills(times: int) -> list[Figure]:
    """The tests that kill processes, again and again: store, journal, rollouts."""
    failed = 0
    for number in range(times):
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *KILL_TESTS]
        done = run(command, PROJECT, os.environ.copy())
        failed += done.returncode != 0
        tell(f"kills {number + 1}/{times}: {done.stdout.strip().splitlines()[-1]}")
    return [figure("kill_suites_run", times), figure("kill_suites_failed", failed, "<=", 0)]


def seeds(times: int) -> list[Figure]:
    """Rounds under several seeds, each solved by the independent checker."""
    texts, figures = [], []
    worst: dict[str, list[float]] = {}
    failed = 0
    for seed in range(1, times + 1):
        with tempfile.TemporaryDirectory() as folder:
            made = make_round(Path(folder) / "round", seed=seed)
            right, said = check_exports(made)
            weak, strong, difference, low = made.difference()
            measured = {
                "sft_rows": made.rows("sft_rows"),
                "rl_rows": made.rows("rl_rows"),
                "weak_pass_rate": weak,
                "strong_pass_rate": strong,
                "difference": difference,
                "difference_lower_bound": low,
                "wall_s": made.seconds,
            }
            texts.append(made.questions())
        failed += not right
        for name, value in measured.items():
            worst.setdefault(name, []).append(value)
        told = ", ".join(f"{name} {value:.4g}" for name, value in measured.items())
        tell(f"seed {seed}/{times}: {told}; {said}")
    overlap = max(
        (len(one & two) / len(one | two) for one, two in combinations(texts, 2)), default=0.0
    )
    figures += [
        figure("seeds_run", times),
        figure("seeds_the_checker_refused", failed, "<=", 0),
        figure("fewest_sft_rows", min(worst["sft_rows"]), ">=", 60),
        figure("fewest_rl_rows", min(worst["rl_rows"]), ">=", 60),
        figure("lowest_weak_pass_rate", min(worst["weak_pass_rate"]), ">=", 0.1),
        figure("highest_strong_pass_rate", max(worst["strong_pass_rate"]), "<=", 0.9),
        figure("smallest_difference", min(worst["difference"]), ">=", 0.25),
        figure(
            "smallest_lower_bound_of_difference", min(worst["difference_lower_bound"]), ">=", 0.15
        ),
        figure("longest_round_wall_s", max(worst["wall_s"])),
    ]
    if times > 1:
        figures.append(figure("largest_question_overlap_jaccard", overlap, "<=", 0.5))
    return figures


def determinism(_: int) -> list[Figure]:
    """One configuration with 1, 2 and 3 workers, each under another hash seed: equal bytes?"""
    found = []
    for workers, hash_seed in WORKERS_AND_HASH_SEEDS:
        with tempfile.TemporaryDirectory() as folder:
            made = make_round(Path(folder) / "round", workers=workers, hash_seed=hash_seed)
            found.append(made.digests())
        tell(f"determinism: {workers} workers, hash seed {hash_seed}: {len(found[-1])} files")
    names = sorted(set().union(*found))
    unequal = [name for name in names if len({each.get(name) for each in found}) > 1]
    for name in unequal:
        tell(f"determinism: not equal: {name}")
    return [
        figure("files_compared", len(names), ">=", 1),
        figure("files_that_differ", len(unequal), "<=", 0),
    ]


def bench(path: Path, _: int) -> list[Figure]:
    """One benchmark in a process of its own; one that fails is a figure that is not met."""
    began = perf_counter()
    done = run([sys.executable, "-m", f"benchmarks.{path.stem}"], PROJECT, os.environ.copy())
    tell(f"{path.stem}: ended with {done.returncode} after {perf_counter() - began:.0f} s")
    if done.returncode:
        tell(done.stdout[-2000:])
        return [figure(f"{path.stem}_failed", 1, "<=", 0)]
    *table, last = done.stdout.strip().splitlines()
    tell("\n".join(table))
    return [Figure(**each) for each in json.loads(last)]


def model_calls(kills: int) -> list[Figure]:
    """Kills in the middle of 500 paid calls: what is lost, paid twice, or different after it."""
    return kill_figures(kills)


def judge(_: int) -> list[Figure]:
    """Rules, and rules with the small model, over all labelled answers."""
    return judge_figures()


def model_loop(seeds: int) -> list[Figure]:
    """The mini world's loop with the small model in every role that reads no picture."""
    with tempfile.TemporaryDirectory() as folder:
        return run_loop(seeds, QUESTIONS, Path(folder))


@dataclass(frozen=True, slots=True)
class Part:
    """What can be verified by itself: `run` is given how often to repeat, `times` by default."""

    run: Callable[[int], list[Figure]]
    times: int
    about: str


def parts() -> dict[str, Part]:
    """All parts by name: those above, and each benchmark."""
    repeated = {
        "kills": (kills, 20),
        "seeds": (seeds, 10),
        "determinism": (determinism, 1),
        "model_calls": (model_calls, 20),
        "judge": (judge, 1),
        "model_loop": (model_loop, SEEDS),
    }
    found = {name: Part(run, times, run.__doc__ or "") for name, (run, times) in repeated.items()}
    for path in sorted((PROJECT / "benchmarks").glob("bench_*.py")):
        about = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        found[path.stem] = Part(partial(bench, path), 1, about.partition("\n\n")[0])
    return found


def tell(line: str) -> None:
    """Say at once how far it is."""
    print(line, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the parts asked for; 1 if a goal was missed."""
    known = parts()
    parser = argparse.ArgumentParser(prog="python -m benchmarks.verify", description=__doc__)
    parser.add_argument("--only", choices=known, action="append", help="this part alone")
    parser.add_argument(
        "--times", type=int, help="repeats of kills or seeds, instead of the default"
    )
    given = parser.parse_args(arguments)
    missed = 0
    for name in given.only or known:
        part = known[name]
        figures = part.run(given.times or part.times)
        write_section(PROJECT / "benchmarks" / "RESULTS.md", name, part.about, figures)
        missed += sum(each.met is False for each in figures)
        for each in figures:
            tell(f"  {each.name} {each.value:.4g} {each.goal or ''} {_met(each)}")
    return 1 if missed else 0


def _met(each: Figure) -> str:
    return {True: "met", False: "MISSED", None: ""}[each.met]


if __name__ == "__main__":
    sys.exit(main())
