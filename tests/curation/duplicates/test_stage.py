"""Which questions are dropped, and what is said of them."""

import random

import pytest

from curation.duplicates import STAGE, drop_duplicates
from hopsight.chains.framed import changed
from hopsight.imaging.hashes import difference_hash
from hopsight.types import ImageRef
from tests.curation.made import PICTURES, grounded


def hash_of(sha256):
    return difference_hash(PICTURES.bytes(sha256))


def made():
    """A sound question and its chain."""
    framed = grounded()
    chains = {chain.id: chain for chain in framed.chains}
    question = min(framed.questions.kept, key=lambda each: each.text)
    return question, chains[question.chain_id]


def picture(name):
    return ImageRef(
        sha256=f"{name:064x}",
        mime="image/png",
        width=600,
        height=600,
        source_url="",
        license="",
        author="",
    )


def other_way(chain):
    """The same goal, reached over another entity."""
    nodes = (*chain.nodes[:-1], changed(chain.nodes[-1], page_id=9999))
    return changed(chain, nodes=nodes)


SOME = (1 << 440) - (1 << 40)
LOOKS = {
    picture(1).sha256: SOME,
    picture(2).sha256: SOME ^ 0b111,  # a copy of the first
    picture(3).sha256: ((1 << 480) - 1) ^ SOME,
}
LONG = (
    "The painter of the work in the image was taught by a man from Uldenhof. "
    "In which street of that town does the house stand that his widow sold in 1731?"
)


def variant(question, chain, *, path, asks=None, **changes):
    """Another question, with a chain of its own that asks for an attribute."""
    chain = changed(chain, path_id=path, attribute=asks or chain.attribute)
    return changed(question, chain_id=chain.id, **changes), chain


def dropped(*pairs):
    """By question: reason and what it repeats, None where it is kept."""
    questions, chains = zip(*pairs, strict=True)
    staged = drop_duplicates(questions, chains, LOOKS.__getitem__)
    assert staged.entered == len(staged.kept) + len(staged.rejected) == len(pairs)
    assert all(each.stage == STAGE for each in staged.rejected)
    return {each.record_id: (each.reason, each.detail) for each in staged.rejected}


def pair(first, second):
    """The reason why the later by id of two is dropped, and that it names the earlier."""
    out = dropped(first, second)
    if not out:
        return None
    [(record_id, (reason, detail))] = out.items()
    early, late = sorted([first[0].id, second[0].id])
    assert (record_id, detail) == (late, early)
    return reason


def test_sound_questions_are_kept_and_the_order_of_inputs_does_not_matter():
    framed = grounded()
    questions = list(framed.questions.kept)
    twice = [*questions, *(changed(each, round="0002") for each in questions[:5])]
    once = drop_duplicates(questions, framed.chains, hash_of)
    assert once.kept == tuple(sorted(questions, key=lambda each: each.id))
    staged = drop_duplicates(twice, framed.chains, hash_of)
    assert staged.reasons() == {"duplicate_text": 5}
    random.Random(1).shuffle(twice)
    again = drop_duplicates(twice, framed.chains, hash_of)
    assert again == staged


NEARLY = LONG.replace("In which", "On which")


@pytest.mark.parametrize(
    ("text", "shown", "reason"),
    [
        (LONG.upper(), 1, "duplicate_text"),
        (LONG, 2, "duplicate_text"),
        (LONG, 3, None),
        (NEARLY, 1, "near_duplicate_text"),
        (NEARLY, 2, "near_duplicate_text"),
        (NEARLY, 3, None),
    ],
)
def test_equal_and_near_texts_under_pictures_that_look_the_same(text, shown, reason):
    question, chain = made()
    first = variant(question, chain, path="p1", text=LONG, images=(picture(1),))
    other = other_way(chain)
    second = variant(question, other, path="p2", asks="x", text=text, images=(picture(shown),))
    assert pair(first, second) == reason


def test_near_texts_that_ask_for_different_things_are_kept():
    question, chain = made()
    first = variant(question, chain, path="p1", text=LONG, images=(picture(1),))
    text = LONG.replace("In which street", "In which year")
    second = variant(
        question, other_way(chain), path="p2", text=text, images=(picture(1),), answer="1732"
    )
    assert pair(first, second) is None
    third = variant(question, chain, path="p2", text=text, images=(picture(1),), answer="1732")
    assert pair(first, third) == "near_duplicate_text"


def test_two_copies_of_a_picture_with_one_answer_by_the_same_way():
    question, chain = made()
    first = variant(question, chain, path="p1", images=(picture(1),))
    alike = {"path": "p2", "text": "Quite another text about this?", "images": (picture(2),)}
    assert pair(first, variant(question, other_way(chain), **alike)) == "near_duplicate_picture"
    assert pair(first, variant(question, other_way(chain), **alike, answer="else")) is None
    elsewhere = {**alike, "images": (picture(3),)}
    assert pair(first, variant(question, other_way(chain), **elsewhere)) is None


def test_one_chain_in_other_words_and_under_another_picture():
    question, chain = made()
    first = variant(question, chain, path="p1", images=(picture(1),))
    alike = {"path": "p2", "text": "Quite another text about this?", "images": (picture(3),)}
    assert pair(first, variant(question, chain, **alike)) == "duplicate_chain"
    assert pair(first, variant(question, chain, **alike, asks="another")) is None


def test_a_question_is_only_held_against_those_that_are_kept():
    """Each text is near the next one alone: no text that is dropped drops another."""
    question, chain = made()
    words = [f"word{number}" for number in range(60)]
    pairs = [
        variant(question, chain, path=f"p{start}", asks=f"a{start}", images=(), text=text)
        for start in range(0, 30, 4)
        if (text := " ".join(words[start : start + 30]))
    ]
    out = dropped(*pairs)
    assert {reason for reason, _ in out.values()} == {"near_duplicate_text"}
    kept = {each.id for each, _ in pairs} - out.keys()
    assert len(kept) > 1
    assert all(detail in kept for _, detail in out.values())
