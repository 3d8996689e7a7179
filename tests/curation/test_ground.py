import hashlib
import io
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from PIL import Image

from curation.canonical import canonical_questions
from curation.fuzz import fuzzed_questions
from curation.ground import grounded_questions
from curation.paths import enumerate_paths
from hopsight.chains import text_fault
from hopsight.chains.framed import changed
from hopsight.chains.framed import framed as framed_of
from hopsight.chains.walker import PathRules, Walker
from hopsight.errors import StoreError
from hopsight.leak import leaks
from hopsight.types import PageImage
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


class Drawn(Pictures):
    """Pictures that can be told from each other: four fields of their own grey."""

    def add(self, number, size=None):
        image = Image.new("RGB", size or (self.size, self.size))
        rng = Random(number)
        fields = [(x, y) for x in range(8) for y in range(8)]
        width, height = image.size[0] // 8, image.size[1] // 8
        for x, y in fields:
            shade = (rng.randrange(256), rng.randrange(256), rng.randrange(256))
            image.paste(shade, (x * width, y * height, (x + 1) * width, (y + 1) * height))
        out = io.BytesIO()
        image.save(out, "PNG")
        sha256 = hashlib.sha256(out.getvalue()).hexdigest()
        self.stored[sha256] = out.getvalue()
        found = {"width": image.size[0], "height": image.size[1], "sha256": sha256}
        return changed(Pictures().add(number), **found)


class Likes:
    """An embedder that puts one picture nearer to any words than the others."""

    name, least_text, least_image = "made", 0.2, 0.5

    def __init__(self, data, others):
        self.data, self.others = data, others

    def embed_texts(self, texts):
        return np.array([[1, 0]] * len(texts), np.float32)

    def embed_images(self, images):
        cosines = [0.5 if data == self.data else self.others for data in images]
        return np.array([[c, (1 - c * c) ** 0.5] for c in cosines], np.float32)


def several(*others, lead_text=()):
    """The small world whose start has more pictures: (file, size, text), and a fuzzed question."""
    pictures = Drawn()
    lands = [("One", 1010), ("Two", 2020), ("Three", 3030)]
    pages = [Entity("Start", "settlement", {"country": "One"}, picture=True)]
    pages += [Entity(f"Place {n}", "settlement", {"country": n}) for n, _ in lands[1:]]
    pages += [Entity(n, "country", {"capital": f"Capital {n}"}) for n, _ in lands]
    pages += [Entity(f"Capital {n}", "settlement", {"founded": y}, picture=True) for n, y in lands]
    plain = world(*pages, pictures=pictures)
    lead, *rest = plain.tables.images
    lead = changed(lead, text=lead_text)
    more = [
        PageImage(
            page_id=1,
            file=file,
            image=pictures.add(100 + number, size),
            visual_facts=(f"seen {number}",),
            text=text,
        )
        for number, (file, size, text) in enumerate(others)
    ]
    walker = Walker(plain, PathRules(hops={2: 1.0}, paths=1))
    paths = list(enumerate_paths(walker, [plain.page(1)], (2,)))
    framed = fuzzed_questions(walker, canonical_questions(walker, paths, round="0001"), seed=1)
    assert len(framed.questions.kept) == 1
    return with_images(plain, lead, *more, *rest), framed, pictures


def shown(found, snapshot):
    """The file that the only question shows."""
    (question,) = found.questions.kept
    (image,) = question.images
    return next(each.file for each in snapshot.images(1) if each.image == image)


def told(found):
    return {row.reason: row.detail for row in found.questions.rejected}


FULL = (512, 512)


def test_the_page_leads_with_its_picture_and_one_that_will_not_do_is_told():
    snapshot, framed, pictures = several(("Start 2.png", (600, 600), ()), ("x.png", (90, 90), ()))
    found = grounded_questions(snapshot, framed, pictures)
    assert shown(found, snapshot) == "p1.png"
    assert told(found) == {"small_picture": "x.png: 90×90"}
    (row,) = found.questions.rejected
    assert row.record_id == snapshot.images(1)[2].id


def test_where_the_answer_is_drawn_in_the_lead_the_next_picture_is_shown():
    snapshot, framed, pictures = several(("Start 2.png", FULL, ()), lead_text=("Founded 1010",))
    found = grounded_questions(snapshot, framed, pictures)
    assert shown(found, snapshot) == "Start 2.png"
    assert list(told(found)) == ["answer_in_picture"]
    # Of another picture it is not known whether it is one of the whole town.
    assert "shown in the image" in found.questions.kept[0].text


def test_the_reason_against_the_best_candidate_is_the_questions():
    other = ("Start 2.png", FULL, ("One",))
    snapshot, framed, pictures = several(other, lead_text=("Founded 1010",))
    found = grounded_questions(snapshot, framed, pictures)
    assert found.questions.kept == ()
    by_id = {row.record_id: row.reason for row in found.questions.rejected}
    assert by_id == {
        framed.questions.kept[0].id: "answer_in_picture",
        snapshot.images(1)[1].id: "name_leak",
    }


def test_the_answers_own_picture_is_never_shown():
    snapshot, framed, pictures = several()
    (question,), (chain,) = framed.questions.kept, framed.chains
    lead, *rest = snapshot.tables.images
    last = chain.nodes[-1].page_id
    its = next(each for each in rest if each.page_id == last)
    out = io.BytesIO()
    Image.open(io.BytesIO(pictures.bytes(its.image.sha256))).resize((700, 700)).save(out, "PNG")
    copy = hashlib.sha256(out.getvalue()).hexdigest()
    pictures.stored[copy] = out.getvalue()
    same = with_images(snapshot, changed(lead, image=changed(lead.image, sha256=copy)), *rest)
    assert told(grounded_questions(same, framed, pictures)) == {
        "answer_picture": "the answer's page has it"
    }
    assert question.images == ()


def test_one_of_several_pictures_that_another_page_has_too_is_ambiguous():
    snapshot, framed, pictures = several(("Start 2.png", FULL, ()))
    lead, other, *rest = snapshot.tables.images
    twin = changed(rest[0], visual_facts=lead.visual_facts, text=lead.text)
    twins = with_images(snapshot, lead, other, twin, *rest[1:])
    found = grounded_questions(twins, framed, pictures)
    assert shown(found, twins) == "Start 2.png"
    assert list(told(found)) == ["ambiguous_picture"]


def test_a_picture_that_another_page_has_beside_its_own_is_ambiguous():
    snapshot, framed, pictures = several()
    lead, first, *rest = snapshot.tables.images
    second = changed(first, visual_facts=lead.visual_facts, text=lead.text)
    twins = with_images(snapshot, lead, first, second, *rest)
    assert told(grounded_questions(twins, framed, pictures)) == {
        "ambiguous_picture": "another page has a picture that looks the same"
    }


def test_an_embedder_chooses_and_accepts():
    snapshot, framed, pictures = several(("of it.png", FULL, ()))
    likes = pictures.bytes(snapshot.images(1)[1].image.sha256)
    found = grounded_questions(snapshot, framed, pictures, embedder=Likes(likes, 0.3))
    assert (shown(found, snapshot), told(found)) == ("of it.png", {})
    found = grounded_questions(snapshot, framed, pictures, embedder=Likes(b"", 0.1))
    assert found.questions.kept == ()
    assert [row.reason for row in found.questions.rejected] == ["unlike_description"] * 2


def test_a_text_at_fault_is_no_fault_of_its_pictures():
    snapshot, framed, pictures = several(("Start 2.png", FULL, ()))
    (chain,) = framed.chains
    moved = changed(chain.answer_evidence, start=chain.answer_evidence.start + 3)
    broken = changed(chain, answer_evidence=moved)
    question = changed(framed.questions.kept[0], chain_id=broken.id)
    found = grounded_questions(snapshot, framed_of(1, [(question, broken)]), pictures)
    (row,) = found.questions.rejected
    assert (row.record_id, row.reason) == (question.id, "evidence_not_found")
