"""A memory of the evidence holds its sentences, what they state, and nothing else."""

from hopsight.chains import changed
from hopsight.reference.shortcuts import evidence_memory, evidence_of
from tests.curation.made import grounded, walker

CHAIN = grounded().chains[0]
WORLD = walker().world


def test_every_sentence_of_the_chain_is_evidence_once():
    found = evidence_of(CHAIN)
    assert len(set(found)) == len(found)
    assert CHAIN.answer_evidence in found
    for node in CHAIN.nodes[1:]:
        assert {node.hop, node.link} <= set(found)


def test_pages_hold_the_sentences_and_the_facts_that_they_state():
    memory = evidence_memory(WORLD, CHAIN)
    last = memory.pages[WORLD.page(CHAIN.nodes[-1].page_id).url]
    assert CHAIN.answer in last
    assert f"| {CHAIN.attribute} |" in last
    for url, text in memory.pages.items():
        page = next(WORLD.page(each) for each in WORLD.ids() if WORLD.page(each).url == url)
        said = {each.sentence for each in evidence_of(CHAIN) if each.page_id == page.page_id}
        untold = [
            fact
            for fact in WORLD.facts(page.page_id)
            if fact.evidence is not None and fact.evidence.sentence not in said
        ]
        stated = {
            fact.attribute
            for fact in WORLD.facts(page.page_id)
            if fact.evidence is not None and fact.evidence.sentence in said
        }
        assert all(
            f"| {fact.attribute} |" not in text for fact in untold if fact.attribute not in stated
        )


def test_the_answer_is_not_there_where_the_evidence_does_not_state_it():
    broken = changed(CHAIN, answer_evidence=CHAIN.nodes[1].hop)
    memory = evidence_memory(WORLD, broken)
    assert f"| {CHAIN.attribute} |" not in memory.pages[WORLD.page(CHAIN.nodes[-1].page_id).url]


def test_the_pictures_of_the_chain_are_known():
    memory = evidence_memory(WORLD, CHAIN)
    (image,) = CHAIN.nodes[0].images
    assert memory.pictures == {image.sha256: WORLD.page(CHAIN.nodes[0].page_id).url}
