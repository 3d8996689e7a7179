import re

import pytest

from hopsight.reference.generator import heldout, verbalise
from hopsight.reference.generator.numbers import written
from hopsight.types import Clue, Constraint, Evidence, EvidenceChain, EvidenceNode

SENTENCE = Evidence(page_id=1, title="X", revision=1, start=0, end=2, sentence="X.")


def is_a(infobox, kind=None):
    base: tuple[Constraint, ...] = (Constraint(attribute="infobox", op="is", value=infobox),)
    if kind:
        base += (Constraint(attribute="kind", op="is", value=kind, evidence=SENTENCE),)
    return base


def node(page_id, title, infobox, clue=None):
    return EvidenceNode(
        page_id=page_id, title=title, infobox=infobox, clue=clue, hop=SENTENCE, link=SENTENCE
    )


def chain(*nodes, attribute="calling_code"):
    return EvidenceChain(
        path_id="path_1",
        nodes=nodes,
        attribute=attribute,
        answer="+41",
        answer_aliases=(),
        answer_evidence=SENTENCE,
    )


AREA = Constraint(
    attribute="area_km2", op="between", low=40_000, high=50_000, unit="km2", evidence=SENTENCE
)
SIDE = Constraint(attribute="driving_side", op="is", value="right", evidence=SENTENCE)
FUZZED = chain(
    node(1, "France", "country"),
    node(
        2,
        "Switzerland",
        "country",
        Clue(
            relation="borders",
            inverse=False,
            constraints=(*is_a("country"), AREA, SIDE),
            named=False,
        ),
    ),
    node(
        3,
        "Lake Geneva",
        "body of water",
        Clue(
            relation="countries",
            inverse=True,
            constraints=is_a("body of water", "lake"),
            named=False,
        ),
    ),
    attribute="max_depth_m",
)


def test_a_fuzzed_chain_becomes_one_sentence_a_hop_without_names():
    anchor = verbalise.anchor_phrase("country", "path_1")
    assert anchor == "the country whose flag is shown in the image"
    text = verbalise.question(FUZZED, anchor)
    sentences = re.split(r"(?<=[.?]) ", text)
    assert len(sentences) == 3
    assert text.count("?") == 1
    assert "another country" in sentences[0]
    assert "40,000 and 50,000 square kilometres" in sentences[0]
    assert "a certain lake" in sentences[1]
    assert "that other country" in sentences[1].lower()
    assert "that lake" in sentences[2]
    for name in ("France", "Switzerland", "Geneva"):
        assert name not in text


def test_a_canonical_chain_spells_out_every_name():
    named = chain(
        node(1, "France", "country"),
        node(2, "Switzerland", "country", Clue(relation="borders", inverse=False)),
    )
    text = verbalise.question(named)
    assert "France" in text
    assert text.count("Switzerland") == 2


def test_the_heldout_verbaliser_says_the_same_in_one_sentence_that_ends_with_the_picture():
    text = heldout.question(FUZZED)
    assert text == (
        "State, in m, the maximum depth of the lake lapping the land of the nation,"
        " 40,000 to 50,000 km² in extent, with right-hand traffic, with a common frontier to"
        " the nation using the banner pictured here."
    )


def test_wording_depends_on_the_path_and_on_nothing_else():
    assert verbalise.question(FUZZED) == verbalise.question(FUZZED)
    texts = set()
    for number in range(12):
        nodes = FUZZED.nodes
        other = EvidenceChain(
            path_id=f"path_{number}",
            nodes=nodes,
            attribute=FUZZED.attribute,
            answer="310",
            answer_aliases=(),
            answer_evidence=SENTENCE,
        )
        texts.add(verbalise.question(other))
    assert len(texts) > 3


def test_there_is_no_referring_expression_for_what_has_no_picture_of_its_own():
    assert verbalise.anchor_phrase("continent", "path_1") is None


@pytest.mark.parametrize(
    ("number", "unit", "text"),
    [
        (1851, "year", "1851"),
        (-300, "year", "300 BC"),
        (12500, "km2", "12,500"),
        (2.5, "kg", "2.5"),
        (None, "km", ""),
    ],
)
def test_numbers_are_written_as_readers_expect(number, unit, text):
    assert written(number, unit) == text
