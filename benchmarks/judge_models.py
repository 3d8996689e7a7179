"""How often the judge is wrong on labelled answers: rules alone, and rules with a small real model.

`python -m benchmarks.judge_models` serves the model that HOPSIGHT_TEST_MODEL names, with
llama.cpp; `--url` asks a server that is up already. With `--calls FOLDER` an interrupted run goes
on where it was.
"""

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from itertools import count
from pathlib import Path
from time import perf_counter

from benchmarks.report import Figure, figure
from hopsight.judge import (
    JudgeModel,
    JudgeReport,
    Judgment,
    Labelled,
    Panel,
    Unjudged,
    evaluate_judge,
    read_labelled,
    rules_alone,
    rules_and,
)
from hopsight.llm.service import ModelSettings, open_models
from tests.services.llama import MODEL, Llama, llama

LABELLED = Path(__file__).parents[1] / "tests" / "hopsight" / "judge" / "labelled.jsonl"
SPLITS = ("tuning", "held_out")
MAX_TOKENS = 300
TOLD_EVERY = 10


def judge_figures(calls: Path | None = None, url: str | None = None) -> list[Figure]:
    """Errors on both halves. Infrastructure that fails, and rules that accept, miss a goal."""
    items = read_labelled(LABELLED)
    figures = []
    for split in SPLITS:
        report = asyncio.run(evaluate_judge(_of(items, split), rules_alone))
        figures += _figures(f"rules_{split}", report)
    with _folder(calls) as folder, _served(url, folder) as server:
        began = perf_counter()
        reports = asyncio.run(_by_model(items, server, folder))
        seconds = perf_counter() - began
    for split, report in zip(SPLITS, reports, strict=True):
        figures += _figures(f"rules_and_model_{split}", report)
    return [*figures, figure("model_wall_s", seconds)]


def _figures(name: str, report: JudgeReport) -> list[Figure]:
    alone = not name.startswith("rules_and_model")
    counts = {
        "items": report.items,
        "right": report.right,
        "false_rejects": len(report.false_rejects),
        "other_errors": len(report.other_errors),
        "undecided": len(report.undecided),
        "unjudged": len(report.unjudged),
    }
    accepts = len(report.false_accepts)
    told = [figure(f"{name}_{what}", value) for what, value in counts.items()]
    return [*told, figure(f"{name}_false_accepts", accepts, "<=" if alone else None)]


async def _by_model(
    items: Sequence[Labelled], server: Llama, folder: Path
) -> tuple[JudgeReport, JudgeReport]:
    """Both halves side by side, each in its order."""
    settings = ModelSettings(folder, "judge-models", {"judge": server.endpoint()})
    done = count(1)
    async with open_models(settings) as models:

        async def judge(item: Labelled) -> Judgment | Unjudged | None:
            complete = models.complete("judge", "judge-models", str(item.id))
            assert complete is not None
            panel = Panel((JudgeModel(MODEL, complete),), max_tokens=MAX_TOKENS)
            judged = await rules_and(panel)(item)
            number = next(done)
            if number % TOLD_EVERY == 0:
                print(f"judge_models: {number} of {len(items)}", flush=True)
            return judged

        halves = (evaluate_judge(_of(items, split), judge) for split in SPLITS)
        tuning, held_out = await asyncio.gather(*halves)
    return tuning, held_out


def _of(items: Sequence[Labelled], split: str) -> list[Labelled]:
    return [item for item in items if item.split == split]


@contextmanager
def _folder(calls: Path | None) -> Iterator[Path]:
    if calls is not None:
        calls.mkdir(parents=True, exist_ok=True)
        yield calls
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


@contextmanager
def _served(url: str | None, folder: Path) -> Iterator[Llama]:
    if url is not None:
        yield Llama(url)
        return
    with llama(folder / "llama.log") as running:
        yield running


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and tell; 1 if a goal was missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.judge_models", description=__doc__)
    parser.add_argument("--calls", type=Path, help="keep what the model answered here")
    parser.add_argument("--url", help="address of a server that is up, with its /v1")
    given = parser.parse_args(arguments)
    figures = judge_figures(given.calls, given.url)
    for each in figures:
        print(f"{each.name} {each.value:g} {each.goal or ''}")
    print(json.dumps([asdict(each) for each in figures]))
    return int(any(each.met is False for each in figures))


if __name__ == "__main__":
    sys.exit(main())
