"""The mini world's loop with a real language model in every role that reads no picture, in short.

The model is small: most of what it is asked it does badly. What is shown here is that nothing
breaks, that what it does badly is rejected with reasons, and that nothing that is kept is wrong.
`python -m benchmarks.model_loop` is the long form.
"""

import pytest

from benchmarks.model_loop import funnel, loop_config, make_loop, rates
from hopsight.llm.call_store import CallStore
from tests.services.llama import llama

PATHS = 2


@pytest.fixture(scope="module")
def loop(tmp_path_factory):
    """A round of few paths."""
    folder = tmp_path_factory.mktemp("loop")
    with llama(folder / "llama.log", threads=1, slots=1) as server:
        yield make_loop(
            folder / "round", server.url, loop_config(PATHS, policy_samples=1, max_turns=3), seed=1
        )


def test_every_question_is_kept_or_rejected_with_a_reason(loop):
    counts = funnel(loop)
    told = {name: count for name, count in counts.items() if name.startswith("grounded_questions")}
    assert sum(told.values()) == PATHS, told


def test_nothing_that_is_kept_fails_the_independent_check(loop):
    assert loop.sound, loop.told


def test_no_call_was_lost_and_every_cost_is_told_by_role(loop):
    with CallStore(loop.made.workspace.calls, "0001") as store:
        assert store.failures() == {}
        roles = {row.group[0] for row in store.costs(["role"])}
    assert "verifier" in roles
    assert roles <= {"generator", "verifier", "prober", "judge", "policy"}


def test_pass_rates_are_reported_as_they_are(loop):
    for right, graded in rates(loop).values():
        assert 0 <= right <= graded
