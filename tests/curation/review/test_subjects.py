"""Which questions of a round are reviewed."""

import pytest

from curation.review import apply_decisions, read_subjects, rechecker, standing
from hopsight.chains import changed
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


def degraded(question):
    """The question as enhancement lets it go on: another picture, and the old one as parent."""
    worse = changed(question.images[0], sha256="0" * 64)
    return changed(question, images=(worse, *question.images[1:]), parent_id=question.id)


def test_one_that_got_a_worse_picture_stays_under_review_edited_before_or_not(tmp_path):
    workspace = make_round(tmp_path)
    plain, reworded_one, kept, _, *_ = questions()
    decisions = [decision(reworded_one, "edit", text=reworded(reworded_one), number=1)]
    reviewed = apply_decisions(questions(), chains(), decisions, rechecker(fuzzed()[0])).kept
    (edited,) = (each for each in reviewed if each.parent_id == reworded_one.id)
    after = [degraded(plain), degraded(edited), kept]
    store = workspace.store
    store.write("probed_questions", ROUND, reviewed, record_type=Question)
    store.write("enhanced_questions", ROUND, after, record_type=Question)
    curate(workspace, after)
    subjects = read_subjects(store, ROUND, {})
    assert set(subjects.questions) == {plain.id, reworded_one.id, kept.id}
    assert subjects.later == {plain.id: after[0].id, reworded_one.id: after[1].id}


def test_what_decisions_are_applied_to_is_reviewed(tmp_path):
    """A question that was refined and then found twice is no longer asked about."""
    workspace = make_round(tmp_path)
    once = questions()[:3]
    for name, some in (("refined_questions", questions()), ("distinct_questions", once)):
        workspace.store.write(name, ROUND, some, record_type=Question)
    subjects = read_subjects(workspace.store, ROUND, {})
    assert subjects.dataset == "distinct_questions"
    assert set(subjects.questions.values()) == set(once)


def test_a_round_without_questions_is_told(tmp_path):
    with pytest.raises(StoreError, match="materialize the asset grounded_questions"):
        read_subjects(DataStore(tmp_path), ROUND, {})
    workspace = make_round(tmp_path)
    workspace.store.write("grounded_questions", ROUND, [], record_type=Question)
    with pytest.raises(StoreError, match="no question to review"):
        read_subjects(workspace.store, ROUND, {})
