"""Which operators a question goes through."""

from collections.abc import Mapping
from random import Random
from typing import Literal

from hopsight.chains import Framed, Pair, framed
from hopsight.config.refine import Plan
from hopsight.types import EvidenceChain, Question

Operator = Literal["expand", "blur", "visualize"]


def plan_of(chain: EvidenceChain, weights: Mapping[Plan, float], seed: int) -> str:
    """The operators for the questions of one path, joined by "+", or "none"; drawn by weight."""
    plans = sorted(weights)
    rng = Random(f"plan|{seed}|{chain.path_id}")
    return rng.choices(plans, [weights[plan] for plan in plans])[0]


def is_due(
    question: Question, chain: EvidenceChain, operator: str, plans: Mapping[Plan, float], seed: int
) -> bool:
    """Whether an operator is next for a question: planned, and the ones before it succeeded."""
    planned = plan_of(chain, plans, seed).split("+")
    if operator not in planned:
        return False
    before = planned[: planned.index(operator)]
    return not before or question.operator == before[-1]


def parted(
    entered: Framed, operator: str, plans: Mapping[Plan, float], seed: int
) -> tuple[Framed, Framed]:
    """Questions that an operator is due for, and the others."""
    due: list[Pair] = []
    others: list[Pair] = []
    for question, chain in entered.pairs:
        side = due if is_due(question, chain, operator, plans, seed) else others
        side.append((question, chain))
    return framed(len(due), due), framed(len(others), others)


def rejoined(entered: Framed, harder: Framed) -> Framed:
    """All questions that entered: those made harder in their new form, the others as they were.

    The rejections are those of the attempts.
    """
    replaced = {pair[0].parent_id: pair for pair in harder.pairs}
    pairs = [replaced.get(pair[0].id, pair) for pair in entered.pairs]
    return framed(entered.questions.entered, pairs, harder.questions.rejected)
