"""BuildLink: from reasoning to a chain that the snapshot bears out, by rules and by a model."""

import asyncio
import json

import pytest

from examples.seeds.told import TELLINGS, quoted, stated
from hopsight.errors import ProviderError
from hopsight.llm.chat import ChatAnswer, TokenUse
from hopsight.reference.generator import problems
from hopsight.types import ImageRef, Seed
from hopsight.unique import FactIndex
from refine.build_link import OPERATOR, build_links
from tests.curation import made
from tests.worlds import Entity, world

WORLD = made.walker().world
INDEX = FactIndex(WORLD)
GROUNDED = made.grounded()
PAIRS = list(zip(GROUNDED.questions.kept, GROUNDED.chains, strict=True))
QUESTION, CHAIN = PAIRS[0]


def picture(number=0):
    """A picture that no page has."""
    return ImageRef(
        sha256=f"{number:064x}",
        mime="image/png",
        width=9,
        height=9,
        source_url="",
        license="unknown",
        author="unknown",
    )


def shown(page_id):
    """The picture of a page."""
    picture = WORLD.image(page_id)
    assert picture is not None
    return picture.image


def seed(pair=(QUESTION, CHAIN), tell=stated, row=1, **changes):
    """A solved question in the shape of an imported one."""
    question, chain = pair
    fields = {
        "question": question.text,
        "answer": question.answer,
        "answer_aliases": (),
        "images": (picture(row),),
        "reasoning": tell(chain),
        "source": "made.jsonl",
        "row": row,
    }
    return Seed.model_validate(fields | changes)


def link(*seeds, ask=None, snapshot=WORLD, index=INDEX):
    return asyncio.run(build_links(seeds, snapshot, index, ask, round="0001"))


def only_reason(framed):
    assert framed.questions.kept == ()
    (row,) = framed.questions.rejected
    return row.reason


def way(chain):
    """What makes two chains the same: pages, relations and the asked attribute."""
    clues = [(node.clue.relation, node.clue.inverse) for node in chain.nodes[1:]]
    return [node.page_id for node in chain.nodes], clues, chain.attribute


def linked(start, *steps):
    """An answer of a model."""
    return {"start": start, "steps": [{"clue": "so it is", "entity": name} for name in steps]}


def model(said):
    """A model that says the same of every seed, or fails."""

    def ask(seed_id):
        async def complete(request, sample):
            value = said(seed_id) if callable(said) else said
            if isinstance(value, Exception):
                raise value
            return ChatAnswer(
                text=json.dumps(value),
                finish="stop",
                model="m",
                tokens=TokenUse(prompt=9, completion=9),
            )

        return complete

    return ask


@pytest.mark.parametrize("tell", ["stated", "quoted"])
def test_rules_find_the_chain_that_a_reasoning_was_made_from(tell):
    seeds = [seed(pair, TELLINGS[tell], row) for row, pair in enumerate(PAIRS, 1)]
    framed = link(*seeds)
    found = {
        q.parent_id: chain for q, chain in zip(framed.questions.kept, framed.chains, strict=True)
    }
    same = [
        each.id in found and way(found[each.id]) == way(chain)
        for each, (_, chain) in zip(seeds, PAIRS, strict=True)
    ]
    assert len(found) >= 0.9 * len(seeds)
    assert sum(same) >= 0.9 * len(seeds)


def test_what_is_linked_is_borne_out_by_the_snapshot():
    framed = link(*(seed(pair, row=row) for row, pair in enumerate(PAIRS, 1)))
    for chain in framed.chains:
        assert problems(WORLD, chain) == []


def test_text_answer_and_pictures_stay_as_they_came():
    given = seed(answer_aliases=("the one",))
    framed = link(given)
    (question,), (chain,) = framed.questions.kept, framed.chains
    assert (question.text, question.answer) == (given.question, given.answer)
    assert (question.images, chain.nodes[0].images) == (given.images, given.images)
    assert question.answer_aliases[:1] != () and "the one" in question.answer_aliases
    assert (question.operator, question.parent_id, question.chain_id) == (
        OPERATOR,
        given.id,
        chain.id,
    )
    assert (chain.path_id, chain.nodes[0].clue) == (given.id, None)


def test_an_attribute_of_what_the_picture_shows_is_a_chain_without_hops():
    told = "The picture shows Alund. The calling code of Alund is +901."
    framed = link(seed(question="Which code?", answer="+901", reasoning=told))
    (chain,) = framed.chains
    assert ([node.title for node in chain.nodes], chain.attribute) == (["Alund"], "calling_code")


def test_entities_named_in_passing_are_passed_over():
    told = quoted(CHAIN) + " Boria and Cestan City are elsewhere."
    told = told.replace("The picture shows", "It is not by the Middle Sea. The picture shows")
    framed = link(seed(reasoning="The picture shows " + CHAIN.nodes[0].title + ". " + told))
    assert [way(chain) for chain in framed.chains] == [way(CHAIN)]


def test_no_chain_starts_from_an_entity_that_is_named_after_the_first():
    told = f"The picture shows Islund. {stated(CHAIN)}"
    assert only_reason(link(seed(reasoning=told))) == "hop_without_evidence"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"reasoning": ""}, "no_reasoning"),
        ({"answer": "a" * 201}, "answer_too_long"),
        ({"question": f"Is it {QUESTION.answer}?"}, "answer_in_question"),
        ({"question": "Where does the river of Alund end?"}, "anchor_named"),
        ({"reasoning": "Nobody knows."}, "not_linked"),
        ({"answer": "Nowhere"}, "answer_not_a_fact"),
        ({"reasoning": "Alund. Then Estova Water."}, "hop_without_evidence"),
    ],
)
def test_what_cannot_be_linked_is_rejected_with_its_reason(changes, reason):
    assert (QUESTION.answer, CHAIN.nodes[0].title) == ("Sunset Sea", "Alund")
    assert only_reason(link(seed(**changes))) == reason


def test_the_chain_starts_from_what_the_picture_shows():
    alund = next(page for page in WORLD.ids() if WORLD.page(page).title == "Alund")
    own = shown(alund)
    before = "Boria lies next to it. "
    (chain,) = link(seed(reasoning=before + stated(CHAIN))).chains
    assert chain.nodes[0].title == "Boria"  # nothing tells rules that the picture shows another
    framed = link(seed(reasoning=before + stated(CHAIN), images=(own,)))
    assert [way(chain) for chain in framed.chains] == [way(CHAIN)]
    far = next(page for page in WORLD.ids() if WORLD.page(page).title == "Islund")
    assert only_reason(link(seed(images=(shown(far),)))) == "picture_of_another_page"


def test_a_model_names_the_entities_and_the_snapshot_decides():
    names = [node.title for node in CHAIN.nodes]
    good = model(linked(*names, "Sunset Sea"))
    framed = link(seed(), ask=good)
    assert [way(chain)[0] for chain in framed.chains] == [way(CHAIN)[0]]
    assert framed.questions.kept[0].prompt.name == "build_link"
    skipping = model(linked(names[0], names[2], "Sunset Sea"))
    assert only_reason(link(seed(), ask=skipping)) == "hop_without_evidence"
    short = model(linked(names[0], names[1], "Sunset Sea"))
    assert only_reason(link(seed(), ask=short)) == "answer_not_a_fact"
    beyond = model(linked(names[1], names[2], names[0], "Sunset Sea"))
    assert only_reason(link(seed(), ask=beyond)) == "answer_not_a_fact"


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (linked("Atlantis", "Sunset Sea"), "entity_not_in_wiki"),
        (linked("Alund", "Alund City"), "step_refused"),
        (linked("Alund"), "step_refused"),
        ({"start": "Alund"}, "step_refused"),
    ],
)
def test_a_model_that_leaves_the_reasoning_is_refused(said, reason):
    given = seed(reasoning=stated(CHAIN) + " Atlantis is lost.")
    assert only_reason(link(given, ask=model(said))) == reason


def test_an_outage_is_no_verdict_on_a_seed():
    names = [node.title for node in CHAIN.nodes]
    first, second, third = seed(row=1), seed(row=2), seed(row=3, reasoning="")
    lost = ProviderError("the server is away", "try later")

    def said(seed_id):
        return lost if seed_id == first.id else linked(*names, "Sunset Sea")

    framed = link(first, second, third, ask=model(said))
    assert [q.parent_id for q in framed.questions.kept] == [second.id]
    assert framed.questions.reasons() == {"generator_failed": 1, "no_reasoning": 1}
    with pytest.raises(ProviderError):
        link(first, third, ask=model(lost))


def test_pages_of_one_name_are_told_apart_by_their_facts_or_not_at_all():
    def river(title, **facts):
        return Entity(title, "river", facts, aliases=("Bent River",))

    pair = (
        Entity("Alund", "country", {"capital": "Alund City"}, mentions=("North", "South")),
        Entity("Alund City", "settlement", {"country": "Alund"}),
        river("North", countries=["Alund"], length_km=310),
        river("South", countries=["Alund"], length_km=120),
        river("Far", length_km=310),
    )
    told = "The picture shows Alund. The Bent River flows through Alund. It is 310 km long."
    given = seed(question="How long?", answer="310", reasoning=told)
    snapshot = world(*pair)
    (chain,) = link(given, snapshot=snapshot, index=FactIndex(snapshot)).chains
    assert [node.title for node in chain.nodes] == ["Alund", "North"]
    twins = (*pair[:3], river("South", countries=["Alund"], length_km=310), pair[4])
    snapshot = world(*twins)
    framed = link(given, snapshot=snapshot, index=FactIndex(snapshot))
    assert only_reason(framed) == "ambiguous_entity"


def test_the_order_of_seeds_changes_nothing_but_the_order():
    seeds = [seed(pair, row=row) for row, pair in enumerate(PAIRS[:6], 1)]
    ahead, back = link(*seeds), link(*reversed(seeds))
    assert set(ahead.questions.kept) == set(back.questions.kept)
    assert list(ahead.chains) == list(reversed(back.chains))
