"""The last gates on imported words: each rejects what no other does, and the rest goes on."""

import asyncio
from dataclasses import replace

import pytest

from hopsight.chains import changed, framed
from hopsight.types import MAX_REVIEW_TEXT, Seed
from hopsight.unique import FactIndex
from hopsight.wiki.snapshot import Snapshot
from refine.build_link import OPERATOR, build_links
from refine.imported.unchanged import STAGE, unchanged_seeds
from tests.curation import made

WORLD, _ = made.fuzzed()
PAIRS = made.grounded().pairs
QUESTION, CHAIN = next((q, c) for q, c in PAIRS if len(c.nodes) == 3)
IMPORTED = changed(QUESTION, operator=OPERATOR)
BRIDGE = CHAIN.nodes[1].title


def through(question=IMPORTED, chain=CHAIN, world=WORLD, most=6):
    return unchanged_seeds(world, framed(1, [(question, chain)]), answer_max_tokens=most)


def reason(question=IMPORTED, chain=CHAIN, world=WORLD, most=6):
    found = through(question, chain, world, most).questions
    if found.kept:
        assert (found.kept, found.rejected) == ((question,), ())
        return None
    (row,) = found.rejected
    assert (row.record_id, row.stage) == (question.id, STAGE)
    assert row.detail
    return row.reason


def pictured(page_id, **changes):
    """The world, and a page's picture, with something else in it."""
    images = [
        changed(each, **changes) if each.page_id == page_id else each
        for each in WORLD.tables.images
    ]
    return Snapshot(replace(WORLD.tables, images=tuple(images)))


def test_what_gives_nothing_away_goes_on_as_it_came():
    assert reason() is None
    assert through().chains == (CHAIN,)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{QUESTION.text} Is it {CHAIN.answer}?", "answer_in_question"),
        (f"{QUESTION.text} It is near {BRIDGE.upper()}.", "name_leak"),
        (f"{QUESTION.text} Think of the {CHAIN.nodes[0].title}ians.", "name_leak"),
        (f"{QUESTION.text} Think of the {CHAIN.answer}s.", "answer_in_question"),
        (f"{QUESTION.text} It is in {CHAIN.nodes[0].title}.", "name_leak"),
        (f"{QUESTION.text} {'so ' * MAX_REVIEW_TEXT}", "question_too_long"),
    ],
)
def test_words_that_give_something_away_are_rejected(text, expected):
    assert reason(changed(IMPORTED, text=text)) == expected


def test_every_form_of_the_answer_counts():
    told = changed(IMPORTED, text=f"{QUESTION.text} (The old code)")
    assert reason(told) is None
    assert reason(changed(told, answer_aliases=("old code",))) == "answer_in_question"
    assert reason(told, changed(CHAIN, answer_aliases=("old code",))) == "answer_in_question"


def test_an_answer_that_no_judge_can_grade_is_rejected():
    long = changed(IMPORTED, answer="one two three four five six seven")
    assert reason(long) == "answer_too_long"
    assert reason(long, most=7) is None


def test_the_picture_of_the_answers_page_gives_it_away():
    last = changed(
        WORLD.tables.images[0], page_id=CHAIN.nodes[-1].page_id, image=QUESTION.images[0]
    )
    others = [each for each in WORLD.tables.images if each.page_id != last.page_id]
    both = Snapshot(replace(WORLD.tables, images=(last, *others)))
    assert reason(world=both) == "answer_picture"
    alone = changed(CHAIN, nodes=CHAIN.nodes[-1:])
    assert reason(chain=alone, world=both) != "answer_picture"


@pytest.mark.parametrize(
    ("words", "expected"),
    [(CHAIN.answer, "answer_in_picture"), (BRIDGE, "name_leak"), ("a street", None)],
)
def test_what_stands_in_a_picture_that_the_wiki_knows_is_held_against_it(words, expected):
    drawn = pictured(CHAIN.nodes[0].page_id, text=(words,))
    assert reason(world=drawn) == expected
    elsewhere = changed(QUESTION.images[0], sha256="0" * 64)
    assert reason(changed(IMPORTED, images=(elsewhere,)), world=drawn) is None


def test_each_of_several_pictures_is_looked_at():
    drawn = pictured(CHAIN.nodes[0].page_id, text=(CHAIN.answer,))
    other = changed(QUESTION.images[0], sha256="0" * 64)
    several = changed(IMPORTED, images=(other, *QUESTION.images))
    assert reason(several, world=drawn) == "answer_in_picture"


def test_evidence_that_is_not_there_is_rejected_without_a_known_picture():
    moved = changed(CHAIN.answer_evidence, start=CHAIN.answer_evidence.start + 3)
    elsewhere = changed(QUESTION.images[0], sha256="0" * 64)
    unknown = changed(IMPORTED, images=(elsewhere,))
    assert reason(unknown, changed(CHAIN, answer_evidence=moved)) == "evidence_not_found"


def test_what_an_operator_or_grounding_worded_is_not_looked_at_again():
    told = f"{QUESTION.text} {CHAIN.answer}"
    for operator in ("ground", "expand", "blur", "visualize"):
        assert reason(changed(QUESTION, text=told, operator=operator)) is None


def test_seeds_whose_words_were_made_by_a_round_pass():
    seeds = [
        Seed(
            question=question.text,
            answer=question.answer,
            answer_aliases=(),
            images=question.images,
            reasoning=" ".join(
                [
                    f"The picture shows {chain.nodes[0].title}.",
                    *(node.hop.sentence for node in chain.nodes[1:] if node.hop is not None),
                    chain.answer_evidence.sentence if chain.answer_evidence else "",
                ]
            ),
            source="made.jsonl",
            row=row,
        )
        for row, (question, chain) in enumerate(PAIRS, 1)
    ]
    linked = asyncio.run(build_links(seeds, WORLD, FactIndex(WORLD), None, round="0001"))
    assert len(linked.questions.kept) > 10
    kept = unchanged_seeds(WORLD, linked, answer_max_tokens=6)
    assert kept.questions.kept == linked.questions.kept
