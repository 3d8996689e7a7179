from dataclasses import replace

import pytest

from curation.canonical import canonical_questions
from curation.fuzz import fuzzed_questions
from curation.ground import grounded_questions
from curation.paths import enumerate_paths
from hopsight.chains import text_fault
from hopsight.chains.framed import changed
from hopsight.chains.walker import PathRules, Walker
from hopsight.errors import StoreError
from hopsight.leak import leaks
from tests.curation.made import PICTURES, fuzzed, grounded, walker
from tests.worlds import Entity, Pictures, world


def picture_of(snapshot, chain):
    picture = snapshot.image(chain.nodes[0].page_id)
    assert picture is not None
    return picture


def test_a_grounded_question_shows_the_source_and_names_no_node():
    snapshot = walker().world
    framed = grounded()
    assert len(framed.questions.kept) > 10
    for question, chain in zip(framed.questions.kept, framed.chains, strict=True):
        anchor = picture_of(snapshot, chain)
        assert question.images == chain.nodes[0].images == (anchor.image,)
        assert "in the image" in question.text
        names = [name for node in chain.nodes for name in snapshot.names(node.page_id)]
        assert leaks(question.text, [*names, chain.answer, *chain.answer_aliases]) == []
        assert question.chain_id == chain.id
        assert question.operator == "ground"


def test_everything_that_entered_is_grounded_or_rejected():
    staged = grounded().questions
    assert staged.entered == len(fuzzed()[1].questions.kept)
    assert staged.entered == len(staged.kept) + len(staged.rejected)


class Broken:
    def __init__(self, data):
        self.data = data

    def bytes(self, sha256):
        if self.data is None:
            raise StoreError("gone", "look for it")
        return self.data


@pytest.mark.parametrize("data", [None, b"", b"no picture at all"])
def test_a_picture_that_cannot_be_read_is_a_rejection(data):
    snapshot, framed = fuzzed()
    result = grounded_questions(snapshot, framed, Broken(data)).questions
    assert result.kept == ()
    assert result.reasons() == {"unreadable_picture": len(framed.questions.kept)}


def test_a_picture_below_the_minimum_is_a_rejection():
    snapshot, framed = fuzzed()
    result = grounded_questions(snapshot, framed, PICTURES, min_picture_px=600).questions
    assert set(result.reasons()) == {"small_picture"}


def small_world(text=(), infobox="settlement", start="Start", other=()):
    pictures = Pictures()
    lands = [("One", 1010), ("Two", 2020), ("Three", 3030)]
    pages = [Entity(start, infobox, {"country": "One"}, picture=True, picture_text=text)]
    pages += [Entity(f"Place {n}", infobox, {"country": n}) for n, _ in lands[1:]]
    pages += [Entity(n, "country", {"capital": f"Capital {n}"}) for n, _ in lands]
    pages += [Entity(f"Capital {n}", "settlement", {"founded": year}) for n, year in lands]
    return world(*pages, *other, pictures=pictures), pictures


def with_images(snapshot, *images):
    return type(snapshot)(replace(snapshot.tables, images=images))


def ground_all(snapshot, pictures):
    """Questions made while the pictures were blank, grounded in those that `snapshot` has."""
    rules = PathRules(hops={2: 1.0}, paths=1)
    blank = [changed(image, text=()) for image in snapshot.tables.images]
    walker = Walker(with_images(snapshot, *blank), rules)
    paths = list(enumerate_paths(walker, [snapshot.page(1)], (2,)))
    framed = fuzzed_questions(walker, canonical_questions(walker, paths, round="0001"), seed=1)
    assert framed.questions.kept
    return grounded_questions(snapshot, framed, pictures).questions


def test_the_small_world_has_one_good_question():
    assert len(ground_all(*small_world()).kept) == 1


def test_an_answer_drawn_in_the_picture_is_found():
    assert ground_all(*small_world(text=("Capital founded 1010",))).reasons() == {
        "answer_in_picture": 1
    }


def test_a_bridge_named_in_the_picture_is_a_leak_and_the_anchor_is_not():
    assert ground_all(*small_world(text=("A town of ONE",))).reasons() == {"name_leak": 1}
    assert ground_all(*small_world(text=("Start",))).reasons() == {}


def test_a_source_named_by_a_word_of_the_question_leaks():
    assert ground_all(*small_world(start="Certain")).reasons() == {"name_leak": 1}


def test_two_pictures_that_look_the_same_point_to_neither():
    twin = Entity("Twin", "settlement", picture=True)
    snapshot, pictures = small_world(other=(twin,))
    first, second = snapshot.tables.images
    same = changed(second, visual_facts=first.visual_facts)
    result = ground_all(with_images(snapshot, first, same), pictures)
    assert result.reasons() == {"ambiguous_picture": 1}


def test_an_answer_in_the_text_is_found_first():
    snapshot, _ = fuzzed()
    question, chain = grounded().questions.kept[0], grounded().chains[0]
    picture = picture_of(snapshot, chain)
    told = changed(question, text=f"{question.text} (It is {chain.answer}.)")
    assert text_fault(snapshot, told, chain, picture)[0] == "answer_in_question"
    named = changed(question, text=f"{question.text} ({chain.nodes[1].title.upper()})")
    assert text_fault(snapshot, named, chain, picture)[0] == "name_leak"
    assert text_fault(snapshot, question, chain, picture) == (None, "")


def test_evidence_that_does_not_stand_in_the_snapshot_is_found():
    snapshot, _ = fuzzed()
    question, chain = grounded().questions.kept[0], grounded().chains[0]
    picture = picture_of(snapshot, chain)
    moved = changed(chain.answer_evidence, start=chain.answer_evidence.start + 3)
    broken = changed(chain, answer_evidence=moved)
    assert text_fault(snapshot, question, broken, picture)[0] == "evidence_not_found"
