"""Which questions of a round are reviewed."""

import pytest

from curation.review import apply_decisions, read_subjects, rechecker, standing
from hopsight.errors import StoreError
from hopsight.store import DataStore
from hopsight.types import Question
from tests.curation.made import fuzzed
from tests.curation.review.rounds import (
    ROUND,
    chains,
    curate,
    decision,
    make_round,
    questions,
    reworded,
)


def test_before_curation_all_questions_are(tmp_path):
    subjects = read_subjects(make_round(tmp_path).store, ROUND, {})
    assert subjects.dataset == "grounded_questions"
    assert set(subjects.questions.values()) == set(questions())
    assert {each.chain_id for each in questions()} <= subjects.chains.keys()
    assert subjects.seed == 7


def test_after_it_those_that_were_kept_and_those_that_were_decided_about(tmp_path):
    workspace = make_round(tmp_path)
    out, changed_one, kept, _, *_ = questions()
    decisions = [
        decision(out, "reject", number=1),
        decision(changed_one, "edit", text=reworded(changed_one), number=2),
    ]
    staged = apply_decisions(questions(), chains(), decisions, rechecker(fuzzed()[0]))
    (after,) = (each for each in staged.kept if each.parent_id == changed_one.id)
    curate(workspace, [kept, after])
    subjects = read_subjects(workspace.store, ROUND, standing(decisions))
    assert subjects.dataset == "curated_questions"
    assert set(subjects.questions) == {out.id, changed_one.id, kept.id}
    assert subjects.later == {changed_one.id: after.id}


def test_a_round_without_questions_is_told(tmp_path):
    with pytest.raises(StoreError, match="materialize the asset grounded_questions"):
        read_subjects(DataStore(tmp_path), ROUND, {})
    workspace = make_round(tmp_path)
    workspace.store.write("grounded_questions", ROUND, [], record_type=Question)
    with pytest.raises(StoreError, match="no question to review"):
        read_subjects(workspace.store, ROUND, {})
