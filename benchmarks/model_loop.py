"""The mini world's loop with a small language model in every role that reads no picture.

`python -m benchmarks.model_loop [--seeds N] [--questions N] [--folder F]` needs the model's file
in HOPSIGHT_TEST_MODEL. Seeds are added until enough questions are kept before Pass@k. Whatever the
model writes badly is rejected with reasons; what is kept is solved by the independent checker.
"""

import argparse
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from rich.console import Console
from rich.table import Table

from benchmarks.report import Figure, figure, finish
from benchmarks.rounds import LONGEST_S, ROUND, Made, check_exports, make_round
from curation.funnel import read_funnel
from hopsight.config import RoundConfig
from hopsight.types import Domain, PassRate, Question
from tests.services.llama import llama

SEEDS, QUESTIONS, PATHS = 8, 5, 8

MODELS = """
roles: {{generator: local, verifier: local, prober: local, judge: local, policy: local}}
endpoints:
  local:
    base_url: {url}
    model: qwen2.5-coder-1.5b
    capabilities: [json_schema, seed]
    concurrency: {slots}
    timeout_s: 900
"""
"""The teacher stays the strong agent by rules; a text model is given no picture-reading role."""


@dataclass(frozen=True, slots=True)
class Loop:
    """One round by the model: questions that were probed and kept, and what the checker said."""

    made: Made
    kept: int
    sound: bool
    told: str


def loop_config(paths: int, *, policy_samples: int = 2, max_turns: int = 6) -> RoundConfig:
    """Few short paths, short episodes: the model writes about ten tokens a second."""
    return RoundConfig.model_validate(
        {
            "explore": {"paths": paths, "hops": {2: 1.0}},
            "curate": {
                "policy_samples": policy_samples,
                "teacher_samples": 1,
                "eval_share": 0.0,
                "probes": ["direct", "text_search"],
            },
            "harness": {
                "max_turns": max_turns,
                "wall_clock_s": 3_600,
                "sampling": {"max_tokens": 300},
            },
            "seed_entities": {"per_domain": dict.fromkeys(map(str, Domain), 1.0)},
        }
    )


def make_loop(folder: Path, url: str, config: RoundConfig, seed: int, slots: int = 1) -> Loop:
    """One round, checked."""
    made = make_round(
        folder, seed=seed, workers=1, config=config, models=MODELS.format(url=url, slots=slots)
    )
    kept = len(made.workspace.store.read("probed_questions", ROUND, Question))
    # A round of few questions may export none of one kind, so only what failed counts.
    _, told = check_exports(made, worded=True)
    return Loop(made, kept, told.endswith(" 0 failed"), told)


def funnel(loop: Loop) -> Counter[str]:
    """What each stage kept and rejected, by reason."""
    counts: Counter[str] = Counter()
    for row in read_funnel(loop.made.workspace.store, ROUND):
        counts[f"{row.stage}: kept"] += row.kept
        for reason in row.reasons:
            counts[f"{row.stage}: {reason.reason}"] += reason.count
    return counts


def rates(loop: Loop) -> dict[str, tuple[int, int]]:
    """Right and graded rollouts by policy."""
    found: dict[str, tuple[int, int]] = {}
    for rate in loop.made.workspace.store.read("pass_rates", ROUND, PassRate):
        right, graded = found.get(rate.policy, (0, 0))
        found[rate.policy] = (right + rate.correct, graded + rate.graded)
    return found


def run(seeds: int, questions: int, folder: Path) -> list[Figure]:
    """Rounds under seed after seed until `questions` are kept; prints the funnel of all."""
    counts: Counter[str] = Counter()
    passed: dict[str, tuple[int, int]] = {}
    kept = refused = seed = 0
    began = perf_counter()
    with llama(folder / "llama.log", threads=1, slots=1) as server:
        while seed < seeds and kept < questions:
            seed += 1
            loop = make_loop(folder / f"seed-{seed}", server.url, loop_config(PATHS), seed)
            kept += loop.kept
            refused += not loop.sound
            counts += funnel(loop)
            for policy, (right, graded) in rates(loop).items():
                before = passed.get(policy, (0, 0))
                passed[policy] = (before[0] + right, before[1] + graded)
            sys.stderr.write(f"seed {seed}: {loop.kept} kept; {loop.told}\n")
    table = Table("stage: reason", "records", title="Funnel of all seeds", box=None)
    for name, count in counts.items():
        table.add_row(name, str(count))
    Console(width=110).print(table)
    figures = [
        figure("model_loop_seeds", seed),
        figure("model_loop_questions_before_pass_at_k", kept, ">=", questions),
        figure("model_loop_rounds_the_checker_refused", refused, "<=", 0),
        figure("model_loop_wall_s", perf_counter() - began, "<=", LONGEST_S),
    ]
    figures += [
        figure(f"model_loop_pass_rate_of_{policy}", right / max(1, graded))
        for policy, (right, graded) in sorted(passed.items())
    ]
    return figures


def main() -> None:
    """Run the loop."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.model_loop", description=__doc__)
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--questions", type=int, default=QUESTIONS)
    parser.add_argument("--folder", type=Path, default=None)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        figures = run(given.seeds, given.questions, folder)
    finish("The loop by a small language model", ("",), [], figures)


if __name__ == "__main__":
    main()
