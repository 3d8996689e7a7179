"""Near-duplicate texts against a plain count of shared shingles."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.duplicates import TextRules, near_texts
from curation.duplicates.words import split_words

WORDS = [f"w{number}" for number in range(12)]
PLAIN = TextRules(frame_floor=1000, frame_ceiling=1000)
"""No frames: few texts share everything."""


def shingles(text, size=3):
    words = split_words(text)
    return {tuple(words[place : place + size]) for place in range(len(words) - size + 1)}


def reference(texts, rules):
    """The same by sets and loops: places of pairs, each with its likeness."""
    firsts: dict[tuple[str, ...], int] = {}
    for place, text in enumerate(texts):
        firsts.setdefault(tuple(split_words(text)), place)
    sets = {place: shingles(" ".join(words), rules.shingle) for words, place in firsts.items()}
    counts = Counter(shingle for each in sets.values() for shingle in each)
    most = rules.frame(len(sets))
    sets = {place: {each for each in of if counts[each] <= most} for place, of in sets.items()}
    said = sorted(place for place, of in sets.items() if len(of) >= rules.fewest)
    return {
        (one, two): likeness
        for one, two in combinations(said, 2)
        if (likeness := len(sets[one] & sets[two]) / len(sets[one] | sets[two])) >= rules.jaccard
    }


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join), max_size=25),
    st.sampled_from([0.3, 0.5, 0.7, 1.0]),
    st.sampled_from([1, 3, 1000]),
    st.integers(1, 4),
)
def test_every_pair_is_found_and_no_other(texts, jaccard, floor, size):
    rules = TextRules(
        jaccard=jaccard, shingle=size, frame_floor=floor, frame_ceiling=floor, fewest=2
    )
    found = near_texts(texts, rules)
    pairs = {
        (one, two): likeness
        for (one, two), likeness in zip(found.pairs.tolist(), found.jaccard.tolist(), strict=True)
    }
    assert pairs == pytest.approx(reference(texts, rules))
    assert found.candidates >= len(pairs)


def test_a_reworded_question_is_near_and_its_cluster_is_told():
    text = "The river that flows past the mill of old Bremmen ends in which of the seven lakes?"
    texts = ["Who wrote it?", text, text.replace("ends", "ends up"), text.upper()]
    found = near_texts(texts, PLAIN)
    assert found.pairs.tolist() == [[1, 2]]
    assert found.same_as.tolist() == [0, 1, 2, 1]
    assert found.clusters == ((1, 2, 3),)
    assert found.unsaid == 1


def test_what_many_questions_share_makes_no_near_duplicate():
    names = [f"{first}{last}" for first in "abcdefgh" for last in "klmnopqr"]
    frame = (
        "In which year did the architect of the tall old bridge over the river that flows by the "
        "town of {} first die?"
    )
    texts = [frame.format(name) for name in names]
    assert len(near_texts(texts, PLAIN).pairs) > 1000
    masked = near_texts(texts)
    assert len(masked.pairs) == 0
    assert masked.masked > 0
    assert masked.candidates == 0


def test_a_cluster_of_near_copies_does_not_mask_itself():
    text = "Which river flows under the old stone bridge in the image near castle number {}?"
    for count in (2, 6, 50):
        found = near_texts([text.format(number) for number in range(count)])
        assert len(found.pairs) == count * (count - 1) // 2
        assert found.masked == found.unsaid == 0


def test_neighbours_are_told_both_ways():
    text = "The river that flows past the mill of old Bremmen ends in which of the seven lakes?"
    texts = [text.replace("seven", "six"), "Who wrote it?", text, text.replace("mill", "mills")]
    rules = TextRules(jaccard=0.6)
    assert near_texts(texts, rules).neighbours == {0: (2,), 2: (0, 3), 3: (2,)}


def test_a_copy_within_a_frame_is_still_found():
    frame = "In which year did the architect of the bridge that {} crosses near {} first die there?"
    names = [(f"river {a}{b} branch", f"old {b}{a} hill") for a in "abcdefgh" for b in "klmnopqr"]
    texts = [frame.format(*pair) for pair in names]
    texts.append(texts[5].replace("first die there", "die"))
    assert near_texts(texts).pairs.tolist() == [[5, 64]]


def test_scripts_without_spaces_are_cut_by_character():
    text = "这座桥所在城市的市长出生在哪一年的哪一个月份"
    found = near_texts([text, text.replace("月份", "月"), "巴黎的河流叫什么名字"], PLAIN)
    assert found.pairs.tolist() == [[0, 1]]


def test_a_block_that_is_full_changes_nothing(monkeypatch):
    texts = [f"{a} {b} {c} one two three" for a in "abc" for b in "de" for c in "fgh"]
    rules = TextRules(jaccard=0.3, frame_floor=1000, frame_ceiling=1000, fewest=1)
    before = near_texts(texts, rules)
    monkeypatch.setattr("curation.duplicates.near.BLOCK", 3)
    after = near_texts(texts, rules)
    assert after.pairs.tolist() == before.pairs.tolist()
    assert after.jaccard.tolist() == before.jaccard.tolist()


@pytest.mark.parametrize("texts", [[], [""], ["", ""], ["one two"], ["!", "?"]])
def test_texts_that_say_nothing(texts):
    found = near_texts(texts)
    assert found.pairs.shape == (0, 2)
    assert len(found.same_as) == len(texts)
