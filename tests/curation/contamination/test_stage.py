"""Questions and rollouts held against benchmarks."""

import random

from curation.contamination import (
    BenchmarkRow,
    contaminated,
    contaminated_rollouts,
    fingerprints_of,
)
from hopsight.chains.framed import changed
from hopsight.imaging.hashes import difference_hash
from hopsight.types import BankImage
from tests.curation.made import PICTURES, grounded, trajectory


def hash_of(sha256):
    return difference_hash(PICTURES.bytes(sha256))


def bench(question, answers=("nothing",), **other):
    given = {"pictures": (), "urls": (), "entities": ()} | other
    return BenchmarkRow("b.jsonl:1", question, answers, **given)


def questions():
    framed = grounded()
    return list(framed.questions.kept), framed.chains


def test_questions_that_no_benchmark_has_are_kept_in_the_order_of_ids():
    asked, chains = questions()
    prints = fingerprints_of([bench("Is it?"), bench("Which of the two is it that he wrote?")])
    staged = contaminated(asked, chains, prints, hash_of)
    assert staged.kept == tuple(sorted(asked, key=lambda each: each.id))
    random.Random(1).shuffle(asked)
    assert contaminated(asked, chains, prints, hash_of) == staged


def test_a_question_of_a_benchmark_is_out_by_its_text():
    asked, chains = questions()
    own = changed(
        asked[0],
        text="By what name did the sailors of the lost ship in the image call the small island "
        "on which they wintered?",
    )
    prints = fingerprints_of([bench(f"Tell me. {own.text} Be short.")])
    staged = contaminated([*asked, own], chains, prints, hash_of)
    [rejection] = staged.rejected
    assert rejection.record_id == own.id
    assert rejection.reason == "benchmark_text"
    assert rejection.stage == "distinct_questions"
    assert rejection.detail == "b.jsonl:1: 21 of its 25 words, in long runs"


def test_frames_that_many_of_the_questions_share_are_no_hit():
    asked, chains = questions()
    frame = "In which year was the first bridge over the river that flows through {} opened to all?"
    framed = [changed(asked[0], text=frame.format(f"town {place}")) for place in range(60)]
    prints = fingerprints_of([bench(frame.format("Uldenhof"))])
    assert contaminated(framed, chains, prints, hash_of).rejected == ()
    assert len(contaminated(framed[:3], chains, prints, hash_of).rejected) == 3


def test_a_picture_of_a_benchmark_is_out():
    asked, chains = questions()
    sha256 = asked[0].images[0].sha256
    prints = fingerprints_of([bench("Is it?", pictures=(PICTURES.bytes(sha256),))])
    staged = contaminated(asked, chains, prints, hash_of)
    out = {each.record_id for each in staged.rejected}
    assert out == {each.id for each in asked if each.images[0].sha256 == sha256}
    assert staged.reasons() == {"benchmark_picture": len(out)}


def test_a_chain_of_a_benchmark_is_out():
    asked, chains = questions()
    chain = next(each for each in chains if each.id == asked[0].chain_id)
    titles = tuple(node.title for node in chain.nodes)
    prints = fingerprints_of([bench("Is it?", (chain.answer,), entities=titles)])
    staged = contaminated(asked, chains, prints, hash_of)
    assert asked[0].id in {each.record_id for each in staged.rejected}
    assert set(staged.reasons()) == {"benchmark_chain"}


def shown(question, text="found", images=(), **entry):
    rollout = trajectory(question, "x", calls=2)
    turn = rollout.turns[1]
    seen = turn.observations[0].model_copy(update={"text": text})
    turns = (rollout.turns[0], turn.model_copy(update={"observations": (seen,)}))
    bank = [BankImage(handle=0, image=question.images[0])]
    bank += [
        BankImage(**{"handle": place, "image": image, "call_id": "c0"} | entry)
        for place, image in enumerate(images, start=1)
    ]
    return rollout.model_copy(update={"turns": turns, "bank": tuple(bank)})


def test_rollouts_that_were_shown_a_benchmark_are_out():
    asked, _ = questions()
    text = "By what name did the sailors of the lost ship call the small island in the north?"
    mine, other = asked[0].images[0], picture_of_another(asked)
    prints = fingerprints_of(
        [bench(text), bench("Is it?", pictures=(PICTURES.bytes(other.sha256),))]
    )
    clean = [
        shown(asked[0]),
        shown(asked[0], text="By what name did the sailors call it?"),
        shown(asked[0], images=(mine,)),
        shown(asked[0], images=(other,), parent=0),
    ]
    read = shown(asked[0], text=f"A list of questions. 1. {text}")
    seen = shown(asked[0], images=(mine, other))
    staged = contaminated_rollouts([*clean, read, seen], prints, hash_of)
    assert staged.kept == tuple(clean)
    assert [(each.record_id, each.reason) for each in staged.rejected] == [
        (read.id, "benchmark_text"),
        (seen.id, "benchmark_picture"),
    ]


def picture_of_another(asked):
    mine = asked[0].images[0].sha256
    return next(each.images[0] for each in asked if each.images[0].sha256 != mine)
