"""Decisions on disk."""

import os
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from curation.review import Decisions, review_queue, standing
from hopsight.errors import StoreError
from hopsight.store import DataStore, Journal
from hopsight.types import REVIEW_REASONS, ReviewDecision
from tests.curation.review.rounds import decision, questions

CHOICES = st.sampled_from(["accept", "reject", "withdraw"])


def test_decisions_are_numbered_in_the_order_in_which_they_are_made(tmp_path):
    first, second = questions()[:2]
    journal = Decisions(tmp_path, "0001")
    (one,) = journal.append([decision(first)])
    two, three = journal.append([decision(second, "reject"), decision(first, "reject")])
    assert [each.number for each in (one, two, three)] == [1, 2, 3]
    journal.close()
    assert Decisions(tmp_path, "0001").load() == (one, two, three)
    assert Decisions(tmp_path, "0002").load() == ()


def test_a_decision_that_was_cut_off_is_lost_alone(tmp_path):
    first, second = questions()[:2]
    journal = Decisions(tmp_path, "0001")
    journal.append([decision(first), decision(second)])
    journal.close()
    (segment,) = journal.folder.glob("*.journal")
    os.truncate(segment, segment.stat().st_size - 5)
    again = Decisions(tmp_path, "0001")
    assert [each.question_id for each in again.load()] == [first.id]
    (kept,) = again.append([decision(second)])
    assert [each.number for each in again.load()] == [1, kept.number] == [1, 2]


def test_a_page_and_a_sheet_may_decide_at_the_same_time(tmp_path):
    def write(question):
        journal = Decisions(tmp_path, "0001")
        for _ in range(20):
            journal.append([decision(question)])

    some = questions()[:2]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(write, some))
    found = Decisions(tmp_path, "0001").load()
    assert [each.number for each in found] == list(range(1, 41))
    assert [sum(each.question_id == key.id for each in found) for key in some] == [20, 20]


def test_a_folder_of_something_else_is_told(tmp_path):
    journal = Decisions(tmp_path, "0001")
    Journal(journal.folder).append("00000001", b'{"question_id": "q_1"}')
    with pytest.raises(StoreError, match="holds what is no review decision"):
        journal.load()


def test_decisions_are_stored_as_records_like_any_other(tmp_path):
    made = [decision(each, "reject", number=n) for n, each in enumerate(questions()[:3], start=1)]
    store = DataStore(tmp_path)
    store.write("review_decisions", "0001", made, record_type=ReviewDecision)
    found = store.read("review_decisions", "0001", ReviewDecision)
    assert sorted(found, key=lambda each: each.number) == made
    assert made[0].parents == (questions()[0].id,)


@pytest.mark.parametrize(
    "wrong",
    [
        {"decision": "edit"},
        {"decision": "accept", "text": "a?"},
        {"decision": "reject"},
        {"decision": "reject", "reason": "because"},
        {"decision": "maybe"},
        {"decision": "accept", "note": "n" * 501},
        {"decision": "edit", "text": "t" * 4_001},
        {"decision": "edit", "text": "\ud800"},
        {"decision": "accept", "number": 0},
        {"decision": "accept", "question_id": "../q"},
        {"decision": "accept", "more": 1},
    ],
)
def test_what_is_no_decision_is_refused(wrong):
    with pytest.raises(ValidationError):
        ReviewDecision.model_validate({"question_id": questions()[0].id, **wrong})


@given(st.lists(st.tuples(st.integers(0, 4), CHOICES), max_size=20), st.randoms())
@settings(max_examples=50, deadline=None)
def test_the_last_decision_of_each_question_stands(made, random):
    some = questions()[:5]
    decisions = [
        decision(some[which], choice, number=number)
        for number, (which, choice) in enumerate(made, start=1)
    ]
    expected = {some[which].id: choice for which, choice in made}
    random.shuffle(decisions)
    stands = {key: each.decision for key, each in standing(decisions).items()}
    assert stands == {key: each for key, each in expected.items() if each != "withdraw"}


def test_the_queue_begins_with_what_is_undecided_in_a_drawn_order():
    some = questions()[:10]
    order = review_queue(some, {}, seed=1)
    assert sorted(order, key=lambda each: each.id) == sorted(some, key=lambda each: each.id)
    assert order == review_queue(tuple(reversed(some)), {}, seed=1)
    assert order != review_queue(some, {}, seed=2)
    decided = standing([decision(order[2], number=2), decision(order[5], "reject", number=1)])
    left = [each for index, each in enumerate(order) if index not in (2, 5)]
    assert review_queue(some, decided, seed=1) == (*left, order[5], order[2])


def test_reasons_begin_with_what_reviewers_look_at():
    assert REVIEW_REASONS[:4] == (
        "chain_inconsistent",
        "evidence_lacking",
        "picture_mismatch",
        "evidence_unused",
    )
