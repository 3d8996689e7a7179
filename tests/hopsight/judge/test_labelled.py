"""The labels were written before the rules, and fixed by their hash: see LABELS below."""

import asyncio
import hashlib
from collections import Counter
from pathlib import Path

import pytest

from hopsight.errors import SourceError
from hopsight.judge import evaluate_judge, read_labelled, rules_alone

FILE = Path(__file__).parent / "labelled.jsonl"
LABELS = "83a4f963517829eccad6d1c214397512577c6d0e08d47ce69281d081c1cdfa8e"
ITEMS = read_labelled(FILE)


def test_the_labels_are_those_that_were_written_before_the_rules():
    assert hashlib.sha256(FILE.read_bytes()).hexdigest() == LABELS


def test_the_set_is_large_enough_and_a_third_of_it_is_held_out():
    splits = Counter(item.split for item in ITEMS)
    assert splits["tuning"] >= 100
    assert splits["held_out"] >= 50
    assert len({item.id for item in ITEMS}) == len(ITEMS)
    assert all(
        {item.label for item in ITEMS if item.split == split}
        == {"correct", "incorrect", "no_answer", "abstain"}
        for split in splits
    )


@pytest.mark.parametrize("split", ["tuning", "held_out"])
def test_rules_never_accept_a_wrong_answer(split):
    report = asyncio.run(evaluate_judge([i for i in ITEMS if i.split == split], rules_alone))
    assert report.false_accepts == ()


def test_rules_are_right_about_whatever_they_decide_in_the_tuning_half():
    report = asyncio.run(evaluate_judge([i for i in ITEMS if i.split == "tuning"], rules_alone))
    assert (report.false_rejects, report.other_errors) == ((), ())
    assert report.items == report.right + len(report.undecided)


def test_a_line_that_is_no_labelled_answer_is_named(tmp_path):
    path = tmp_path / "labels.jsonl"
    path.write_text(FILE.read_text().splitlines()[0] + '\n{"id": 2}\n')
    with pytest.raises(SourceError, match="line 2"):
        read_labelled(path)
