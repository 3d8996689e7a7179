"""Expand, Blur and Visualize over the world that ships with the project."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.canonical import canonical_questions
from curation.fuzz import fuzzed_questions
from curation.ground import grounded_questions
from curation.paths import sample_paths
from curation.recipe import draw_seeds, path_rules
from hopsight.chains import Framed, chain_fault, changed, text_fault
from hopsight.chains.walker import Walker
from hopsight.config import RoundConfig
from hopsight.leak import leaks
from hopsight.reference.generator import problems, verbalise
from hopsight.stage import Staged
from hopsight.store.images import ImageStore
from hopsight.unique import LINKED, PICTURE
from hopsight.wiki.build import build_snapshot
from hopsight.wiki.snapshot import Snapshot
from hopsight.wiki.sources import source_files
from refine.blur import blurred_questions
from refine.difficulty import difficulty_of
from refine.expand import expanded_questions
from refine.operator import anchor_words, drafted, fault_of
from refine.visualize import visualized_questions

CONFIG = RoundConfig.model_validate({"explore": {"hops": {1: 0.3, 2: 0.4, 3: 0.3}, "paths": 160}})


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A walker over the mini world, and its pictures."""
    files = source_files(CONFIG.source, Path())
    pictures = ImageStore(Path(tmp_path_factory.mktemp("pictures")))
    world = Snapshot(build_snapshot(files.dump, files.pictures, files.sidecar, pictures))
    return Walker(world, path_rules(CONFIG)), pictures


@pytest.fixture(scope="module")
def walker(place):
    return place[0]


@pytest.fixture(scope="module")
def easy(walker, place):
    """Grounded questions of one to three hops."""
    seeds = draw_seeds(walker.world, CONFIG).kept
    paths = sample_paths(walker, seeds, path_rules(CONFIG), seed=1).kept
    canonical = canonical_questions(walker, paths, round="0001")
    fuzzed = fuzzed_questions(walker, canonical, seed=1)
    return grounded_questions(walker.world, fuzzed, place[1])


def some(entered, numbers):
    """The questions at these places."""
    kept = tuple(entered.questions.kept[n % len(entered.chains)] for n in numbers)
    chains = tuple(entered.chains[n % len(entered.chains)] for n in numbers)
    return Framed(Staged(len(kept), kept, ()), chains)


def pairs(framed):
    return list(zip(framed.questions.kept, framed.chains, strict=True))


def assert_sound(walker, framed):
    for question, chain in pairs(framed):
        picture = walker.world.image(chain.nodes[0].page_id)
        assert chain_fault(walker.index, chain) == (None, "")
        assert text_fault(walker.world, question, chain, picture) == (None, "")
        assert problems(walker.world, chain) == []
        assert question.images == chain.nodes[0].images
        assert (question.answer, question.chain_id) == (chain.answer, chain.id)


NUMBERS = st.lists(st.integers(0, 10_000), min_size=1, max_size=6, unique=True)


@settings(max_examples=12, deadline=None)
@given(numbers=NUMBERS, hops=st.integers(1, 3), seed=st.integers(0, 99))
def test_expand_adds_exactly_so_many_hops_or_rejects(walker, easy, numbers, hops, seed):
    entered = some(easy, numbers)
    longer = expanded_questions(walker, entered, hops=hops, seed=seed)
    assert len(longer.chains) + len(longer.questions.rejected) == len(entered.chains)
    before = {question.id: chain for question, chain in pairs(entered)}
    for question, chain in pairs(longer):
        first = before[question.parent_id]
        assert len(chain.nodes) == len(first.nodes) + hops
        assert chain.nodes[: len(first.nodes)] == first.nodes
        assert chain.path_id == first.path_id
    assert_sound(walker, longer)


def test_the_old_answer_is_a_waypoint_and_a_literal_is_not_expandable(walker, easy):
    longer = expanded_questions(walker, easy, hops=1, seed=1)
    before = {question.id: (question, chain) for question, chain in pairs(easy)}
    assert len(longer.chains) >= 10
    for question, chain in pairs(longer):
        parent, first = before[question.parent_id]
        waypoint = chain.nodes[len(first.nodes)]
        assert parent.answer in walker.world.names(waypoint.page_id)
        assert waypoint.clue.relation == first.attribute
    refused = {
        r.record_id for r in longer.questions.rejected if r.reason == "answer_not_expandable"
    }
    assert refused
    for question_id in refused:
        parent, first = before[question_id]
        facts = walker.index.facts(first.nodes[-1].page_id, first.attribute)
        assert [fact.value_page for fact in facts] == [None]


def test_a_chain_that_the_wiki_does_not_bear_out_is_not_expanded(walker, easy):
    question, chain = pairs(easy)[0]
    lie = changed(chain.nodes[1].hop, sentence="It is so.")
    untrue = changed(
        chain, nodes=(chain.nodes[0], changed(chain.nodes[1], hop=lie), *chain.nodes[2:])
    )
    entered = Framed(Staged(1, (changed(question, chain_id=untrue.id),), ()), (untrue,))
    found = expanded_questions(walker, entered, hops=1, seed=1)
    assert [each.reason for each in found.questions.rejected] == ["hop_not_verified"]


@settings(max_examples=12, deadline=None)
@given(numbers=NUMBERS, nodes=st.integers(1, 2), facts=st.integers(1, 2), seed=st.integers(0, 99))
def test_blur_hides_exactly_so_many_relations_and_names_nothing(
    walker, easy, numbers, nodes, facts, seed
):
    entered = some(easy, numbers)
    hidden = blurred_questions(walker, entered, nodes=nodes, facts=facts, seed=seed)
    assert len(hidden.chains) + len(hidden.questions.rejected) == len(entered.chains)
    before = {question.id: chain for question, chain in pairs(entered)}
    for question, chain in pairs(hidden):
        clues = [node.clue for node in chain.nodes[1:-1] if node.clue.relation == LINKED]
        assert len(clues) == nodes
        for clue in clues:
            told = {each.attribute for each in clue.constraints} - {"infobox", "kind"}
            assert len(told) == facts
        names = [name for node in chain.nodes for name in walker.world.names(node.page_id)]
        for text in (question.text, question.text.upper(), question.text.swapcase()):
            assert leaks(text, names) == []
        first = before[question.parent_id]
        assert [node.page_id for node in chain.nodes] == [node.page_id for node in first.nodes]
        assert (chain.answer, chain.attribute) == (first.answer, first.attribute)
    assert_sound(walker, hidden)


def left_without_one(walker, source, clue):
    """How many fit without the fact that matters least."""
    told = [each for each in clue.constraints if each.attribute not in {"infobox", "kind"}]
    return min(
        len(
            walker.index.fitting(
                source,
                changed(clue, constraints=[each for each in clue.constraints if each != left_out]),
            )
        )
        for left_out in told
    )


def test_facts_that_leave_the_most_to_look_at_come_first(walker, easy):
    several = 0
    for chain in easy.chains:
        for before, node in zip(chain.nodes, chain.nodes[1:], strict=False):
            clues = walker.clues.blurred(before.page_id, node.page_id, 2).clues
            left = [left_without_one(walker, before.page_id, clue) for clue in clues]
            assert left == sorted(left, reverse=True)
            several += len(set(left)) > 1
    assert several >= 20


def test_blur_mostly_takes_the_relation_whose_loss_adds_the_most_candidates(walker, easy):
    longer = expanded_questions(walker, easy, hops=1, seed=1)
    hidden = blurred_questions(walker, longer, nodes=1, facts=1, seed=1)
    before = {question.id: chain for question, chain in pairs(longer)}
    added: list[int] = []
    others: list[int] = []
    for question, chain in pairs(hidden):
        old = before[question.parent_id].nodes
        for place in range(1, len(old) - 1):
            here, node = old[place - 1].page_id, old[place]
            told = changed(node.clue, constraints=walker.clues.base(node.page_id))
            more = len(walker.clues.candidates(here, node.page_id)) - len(
                walker.index.fitting(here, told)
            )
            (added if chain.nodes[place].clue != node.clue else others).append(more)
    assert sum(added) / len(added) > sum(others) / len(others)


def test_a_question_without_enough_nodes_on_the_way_is_not_blurred(walker, easy):
    hidden = blurred_questions(walker, easy, nodes=3, facts=1, seed=1)
    chains = {question.id: chain for question, chain in pairs(easy)}
    for rejection in hidden.questions.rejected:
        if rejection.reason == "too_few_interior_nodes":
            assert len(chains[rejection.record_id].nodes) - 2 < 3
    assert hidden.questions.reasons()["too_few_interior_nodes"] >= 50


def test_visualize_tells_what_the_picture_shows_and_the_picture_is_needed(walker, easy):
    shown = visualized_questions(walker, easy, nodes=1, facts=2, seed=1)
    assert len(shown.chains) >= 3
    for _, chain in pairs(shown):
        told = [
            (before, node)
            for before, node in pairwise(chain.nodes)
            if any(each.attribute == PICTURE for each in node.clue.constraints)
        ]
        assert len(told) == 1
        before, node = told[0]
        looks = [each for each in node.clue.constraints if each.attribute == PICTURE]
        assert 1 <= len(looks) <= 2
        assert node.images == (walker.world.image(node.page_id).image,)
        assert {each.value for each in looks} <= set(walker.index.looks(node.page_id))
        blind = tuple(each for each in node.clue.constraints if each.attribute != PICTURE)
        without = changed(node.clue, constraints=blind)
        assert len(walker.index.fitting(before.page_id, without)) > 1
    assert_sound(walker, shown)
    reasons = shown.questions.reasons()
    assert reasons["no_picture"] >= 10


def test_seed_and_question_decide_the_bytes_and_the_order_of_questions_does_not(walker, easy):
    def made(entered, seed=1):
        longer = expanded_questions(walker, entered, hops=1, seed=seed)
        hidden = blurred_questions(walker, longer, nodes=1, facts=1, seed=seed)
        return {question.id for question in hidden.questions.kept}

    places = list(range(40))
    straight = made(some(easy, places))
    Random(7).shuffle(places)
    assert made(some(easy, places)) == straight
    assert made(some(easy, places), seed=2) != straight


def test_the_draft_names_what_the_question_does_not(walker, easy):
    for question, chain in pairs(easy)[:20]:
        draft = drafted(chain)
        for node in chain.nodes[1:]:
            assert leaks(draft, [node.title])
            assert not leaks(question.text, [node.title])


def test_difficulty_counts_what_was_really_added(walker, easy):
    longer = expanded_questions(walker, easy, hops=2, seed=1)
    hidden = blurred_questions(walker, longer, nodes=1, facts=2, seed=1)
    first = {chain.path_id: chain for chain in easy.chains}
    assert hidden.chains
    for question, chain in pairs(hidden):
        row = difficulty_of(question, first[chain.path_id], chain)
        assert (row.expanded, row.blurred, row.visualized) == (2, 2, 0)
        assert row.hops == len(first[chain.path_id].nodes) - 1
        assert row.total == row.hops + 4


def test_the_anchor_is_referred_to_by_what_is_known_of_the_picture(walker, easy):
    question, chain = pairs(easy)[0]
    anchor = chain.nodes[0]
    lead = verbalise.anchor_phrase(anchor.infobox, chain.path_id)
    assert anchor_words(walker.world, chain, question.images) == lead
    copy = changed(question.images[0], source_url="https://elsewhere.test/a.png")
    assert anchor_words(walker.world, chain, (copy,)) == lead
    unknown = changed(copy, sha256="0" * 64)
    shown = verbalise.shown_phrase(anchor.infobox)
    assert anchor_words(walker.world, chain, (unknown,)) == shown


def test_what_is_drawn_in_another_picture_of_the_anchor_is_held_against_a_question(walker, easy):
    question, chain = pairs(easy)[0]
    tables = walker.world.tables
    lead = walker.world.image(chain.nodes[0].page_id)
    image = changed(lead.image, sha256="0" * 64)
    other = changed(lead, image=image, text=(chain.answer,))
    more = Snapshot(replace(tables, images=(*tables.images, other)))
    asked = changed(question, images=(image,))
    again = Walker(more, path_rules(RoundConfig()))
    assert fault_of(walker, asked, chain) is None
    fault = fault_of(again, asked, chain)
    assert fault is not None
    assert fault.reason == "answer_in_picture"
    assert fault_of(again, question, chain) is None
