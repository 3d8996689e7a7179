"""Refined questions of the mini world, exported and solved by the independent checker.

A few of each combination of operators; `benchmarks/bench_refine_yield.py` does the same at length.
"""

from itertools import islice

import pytest

from benchmarks.bench_refine_yield import ENTERED, Bench, chosen
from curation.paths import enumerate_paths
from hopsight.wiki.snapshot import Snapshot

SEEDS = 60
OF_ONE_SEED = 40


@pytest.fixture(scope="module")
def bench(mini_round, tmp_path_factory):
    snapshot = Snapshot.load(mini_round.store)
    return Bench(snapshot, mini_round.workspace.images, tmp_path_factory.mktemp("refined"))


@pytest.fixture(scope="module")
def paths(bench):
    return [
        path
        for page in bench.seeds()[:SEEDS]
        for path in islice(enumerate_paths(bench.walker, [page], (1, 2)), OF_ONE_SEED)
    ]


@pytest.mark.parametrize("operators", ENTERED, ids="+".join)
def test_the_checker_solves_what_the_operators_made(operators, bench, paths):
    count = 200 if "visualize" in operators else 40
    entered = bench.entering(chosen(bench.walker, paths, operators, count))
    result = bench.refined(entered, operators)
    assert result.report.failures == ()
    assert result.report.rl == len(result.kept.questions.kept)
    assert result.report.rl >= 10
