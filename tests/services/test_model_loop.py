"""The mini world's loop with a real language model in every role that reads no picture, in short.

The model is small: most of what it is asked it does badly. What is shown here is that nothing
breaks, that what it does badly is rejected with reasons, and that nothing that is kept is wrong.
`python -m benchmarks.model_loop` is the long form.
"""

import pytest

from benchmarks.model_loop import funnel, loop_config, make_loop, rates
from benchmarks.rounds import ROUND
from hopsight.llm.call_store import CallStore
from hopsight.types import ProbeResult, Question, Trajectory
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


def test_questions_got_as_far_as_the_generator_and_no_call_was_lost(loop):
    """Else nothing is shown here: of the seed's questions the first is one that is read well."""
    with CallStore(loop.made.workspace.calls, ROUND) as store:
        assert store.failures() == {}
        asked = {row.group[0]: row.calls for row in store.costs(["role"])}
    assert set(asked) <= {"generator", "verifier", "prober", "judge", "policy"}
    assert asked["verifier"] >= 3  # the hops and the answer of one question
    assert asked["generator"] >= 1


def test_every_question_that_was_worded_was_probed_and_what_withstood_was_tried(loop):
    store = loop.made.workspace.store
    worded = {each.id for each in store.read("grounded_questions", ROUND, Question)}
    probed = store.read("probe_results", ROUND, ProbeResult)
    assert {each.question_id for each in probed} == worded
    tried = {each.question_id for each in store.read("policy_rollouts", ROUND, Trajectory)}
    out = {each.question_id for each in probed if each.solved or each.detail == "unjudged"}
    assert len(tried) == loop.kept == len(worded - out)
    with CallStore(loop.made.workspace.calls, ROUND) as calls:
        roles = {row.group[0] for row in calls.costs(["role"])}
    assert ("prober" in roles) == bool(worded)
    assert ("policy" in roles) == bool(tried)


def test_pass_rates_are_reported_as_they_are(loop):
    found = rates(loop)
    assert bool(found) == bool(loop.kept)
    for right, graded in found.values():
        assert 0 <= right <= graded
