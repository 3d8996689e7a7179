"""Whole rounds in folders of their own, as `hopsight run` makes them, and what is asked of them."""

import hashlib
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import yaml

from hopsight.config import RoundConfig
from hopsight.stats import paired_difference
from hopsight.types import ExportRow, PassRate, Question
from hopsight.wiki.mini import PICTURES_DIR, WORLD_XML
from hopsight.workspace import Workspace

PROJECT = Path(__file__).resolve().parent.parent
ROUND = "0001"
WEAK, STRONG = "reference-weak", "reference-strong"
LONGEST_S = 4 * 3_600


@dataclass(frozen=True, slots=True)
class Made:
    """A finished round. `seconds` is wall time."""

    workspace: Workspace
    seconds: float

    @property
    def exports(self) -> Path:
        """What it hands to trainers."""
        return self.workspace.exports(ROUND)

    def rows(self, name: str) -> int:
        """Number of exported rows: `sft_rows` or `rl_rows`."""
        return len(self.workspace.store.read(name, ROUND, ExportRow))

    def questions(self) -> frozenset[str]:
        """Texts of the curated questions."""
        found = self.workspace.store.read("curated_questions", ROUND, Question)
        return frozenset(question.text for question in found)

    def difference(self) -> tuple[float, float, float, float]:
        """Pass rate of the weak and the strong agent, mean difference and its lower bound."""
        rates: dict[str, dict[str, float]] = {WEAK: {}, STRONG: {}}
        for rate in self.workspace.store.read("pass_rates", ROUND, PassRate):
            if rate.graded and rate.policy in rates:
                rates[rate.policy][rate.question_id] = rate.correct / rate.graded
        both = sorted(rates[WEAK].keys() & rates[STRONG].keys())
        weak, strong = ([rates[policy][key] for key in both] for policy in (WEAK, STRONG))
        mean, interval = paired_difference(strong, weak)
        return sum(weak) / len(both), sum(strong) / len(both), mean, interval.low

    def digests(self) -> dict[str, str]:
        """Sha-256 of every file that must not depend on the run, by path."""
        root = self.workspace.root
        files = [*(root / "datasets").rglob("*"), *(root / "exports").rglob("*")]
        return {
            str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(files)
            if path.is_file() and not path.relative_to(root).parts[1].startswith("provenance")
        }


def make_round(
    folder: Path,
    *,
    seed: int = 1,
    workers: int = 2,
    hash_seed: int = 0,
    config: RoundConfig | None = None,
    models: str = "",
) -> Made:
    """Make one round of the mini world. Raises RuntimeError with its last words if it fails.

    `models` is the text of a models.yaml; without it rules answer for every role.
    """
    (folder / "rounds").mkdir(parents=True)
    plain = (config or RoundConfig()).model_copy(update={"seed": seed}).model_dump(mode="json")
    (folder / "rounds" / f"{ROUND}.yaml").write_text(yaml.safe_dump(plain), encoding="utf-8")
    (folder / "models.yaml").write_text(models or "{}", encoding="utf-8")
    (folder / "dagster.yaml").write_bytes((PROJECT / "dagster.yaml").read_bytes())
    environment = os.environ | {
        "HOPSIGHT_DATA": str(folder / "data"),
        "HOPSIGHT_ROUNDS": str(folder / "rounds"),
        "HOPSIGHT_MODELS": str(folder / "models.yaml"),
        "DAGSTER_HOME": str(folder),
        "PYTHONHASHSEED": str(hash_seed),
    }
    command = [str(Path(sys.executable).with_name("hopsight")), "run", "--round", ROUND]
    began = perf_counter()
    done = run([*command, "--workers", str(workers)], folder, environment)
    if done.returncode:
        raise RuntimeError(f"the round in {folder} failed: {done.stdout[-2000:]}")
    return Made(Workspace(folder / "data"), perf_counter() - began)


def check_exports(made: Made, *, worded: bool = False) -> tuple[bool, str]:
    """Solve every exported row with the independent checker: whether all hold, and its summary.

    `worded` where a model worded the questions.
    """
    arguments = [str(made.exports), str(WORLD_XML), str(PICTURES_DIR)]
    arguments += ["--worded"] if worded else []
    done = run([sys.executable, "-m", "tests.checker", *arguments], PROJECT, os.environ.copy())
    lines = done.stdout.strip().splitlines()
    return done.returncode == 0, lines[-1] if lines else "the checker said nothing"


def run(
    command: list[str], folder: Path, environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    """Run a command and keep what it prints."""
    return subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=LONGEST_S,
        check=False,
    )
