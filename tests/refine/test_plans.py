"""Which operators a question goes through, over the small atlas."""

from collections import Counter

from hopsight.chains import Framed, changed
from hopsight.config.refine import Plan
from hopsight.stage import Staged
from refine.plans import is_due, parted, plan_of, rejoined
from tests.curation.made import grounded

WEIGHTS: dict[Plan, float] = {"none": 0.5, "blur": 0.25, "expand+blur": 0.25}


def pairs(framed):
    return list(zip(framed.questions.kept, framed.chains, strict=True))


def framed(found, rejected=()):
    kept = tuple(question for question, _ in found)
    return Framed(
        Staged(len(found) + len(rejected), kept, tuple(rejected)), tuple(c for _, c in found)
    )


def test_plans_are_drawn_by_weight_and_only_by_path_and_seed():
    chain = grounded().chains[0]
    paths = [changed(chain, path_id=f"path_{n:016x}") for n in range(2000)]
    drawn = Counter(plan_of(each, WEIGHTS, 1) for each in paths)
    assert abs(drawn["none"] / 2000 - 0.5) < 0.05
    assert abs(drawn["blur"] / 2000 - 0.25) < 0.05
    turned = dict(reversed(WEIGHTS.items()))
    assert [plan_of(each, turned, 1) for each in paths] == [plan_of(e, WEIGHTS, 1) for e in paths]
    assert [plan_of(each, WEIGHTS, 2) for each in paths] != [plan_of(e, WEIGHTS, 1) for e in paths]


def test_an_operator_is_due_only_after_the_ones_planned_before_it_succeeded():
    question, chain = pairs(grounded())[0]
    only: dict[Plan, float] = {"expand+blur": 1.0}
    assert is_due(question, chain, "expand", only, 1)
    assert not is_due(question, chain, "blur", only, 1)
    assert is_due(changed(question, operator="expand"), chain, "blur", only, 1)
    assert is_due(question, chain, "blur", {"blur": 1.0}, 1)
    assert not is_due(question, chain, "visualize", only, 1)


def test_questions_that_could_not_be_made_harder_go_on_as_they_were():
    entered = grounded()
    due, others = parted(entered, "blur", {"none": 0.5, "blur": 0.5}, 1)
    assert sorted(map(repr, pairs(due) + pairs(others))) == sorted(map(repr, pairs(entered)))
    assert due.chains
    assert others.chains
    question, chain = pairs(due)[0]
    harder = changed(question, text="harder", parent_id=question.id, operator="blur")
    joined = rejoined(entered, framed([(harder, chain)]))
    texts = {each.id: each.text for each in joined.questions.kept}
    assert texts[harder.id] == "harder"
    assert question.id not in texts
    assert len(texts) == len(entered.chains)
    assert len(joined.chains) == len(entered.chains)
