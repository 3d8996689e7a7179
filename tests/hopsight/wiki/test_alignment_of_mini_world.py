"""Facts of the mini world against its renderer's own record of which sentence states what."""

from collections import defaultdict

import pytest

from hopsight.store.images import ImageStore
from hopsight.wiki.build import build_snapshot
from hopsight.wiki.mini import DATA_DIR, WORLD_XML
from hopsight.wiki.mini.render import load_tables, render_world
from hopsight.wiki.mini.render.english import plain
from hopsight.wiki.snapshot import Snapshot


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory):
    store = ImageStore(tmp_path_factory.mktemp("store"))
    return Snapshot(build_snapshot(WORLD_XML, None, None, store))


@pytest.fixture(scope="module")
def truth():
    """(title, attribute, value) → the sentences of that page which state it."""
    stated = defaultdict(set)
    for article in render_world(load_tables(DATA_DIR), ()).articles:
        for sentence in article.sentences:
            for fact in sentence.states:
                if fact.subject == article.title:
                    stated[fact.subject, fact.attribute, fact.value].add(plain(sentence.text))
    return stated


@pytest.fixture(scope="module")
def found(snapshot):
    """(title, attribute, value or the value page's title) → fact."""
    facts = {}
    for fact in snapshot.tables.facts:
        title = snapshot.page(fact.page_id).title
        facts[title, fact.attribute, fact.value] = fact
        if fact.value_page is not None:
            facts[title, fact.attribute, snapshot.page(fact.value_page).title] = fact
    return facts


def test_nearly_every_fact_is_read_and_has_the_right_sentence(truth, found):
    right = [
        key
        for key, sentences in truth.items()
        if key in found
        and found[key].evidence is not None
        and found[key].evidence.sentence in sentences
    ]

    assert len(truth) > 5000
    assert len(right) / len(truth) >= 0.98


def test_every_span_of_evidence_is_its_sentence(snapshot):
    for fact in snapshot.tables.facts:
        if fact.evidence is not None:
            text = snapshot.page(fact.page_id).text
            assert text[fact.evidence.start : fact.evidence.end] == fact.evidence.sentence


def test_every_link_stands_in_its_sentence(snapshot):
    for link in snapshot.tables.links:
        assert link.anchor in link.sentence
        assert snapshot.page(link.source).text[link.start : link.end] == link.sentence


def test_the_world_has_no_dead_ends_that_nobody_meant(snapshot):
    assert "link_to_nowhere" not in snapshot.tables.reasons()
