"""Which operators a question goes through."""

from collections.abc import Mapping
from random import Random
from typing import Literal

from hopsight.chains import Framed
from hopsight.config.refine import Plan
from hopsight.stage import Staged
from hopsight.types import EvidenceChain, Question

Pair = tuple[Question, EvidenceChain]
Operator = Literal["expand", "blur", "visualize"]
ORDER: tuple[Operator, ...] = ("expand", "blur", "visualize")
"""The order in which operators are applied [OPD]."""


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
    for question, chain in zip(entered.questions.kept, entered.chains, strict=True):
        side = due if is_due(question, chain, operator, plans, seed) else others
        side.append((question, chain))
    return _framed(due), _framed(others)


def rejoined(entered: Framed, harder: Framed) -> Framed:
    """All questions that entered: those made harder in their new form, the others as they were.

    The rejections are those of the attempts.
    """
    replaced = {
        question.parent_id: (question, chain)
        for question, chain in zip(harder.questions.kept, harder.chains, strict=True)
    }
    pairs = [
        replaced.get(question.id, (question, chain))
        for question, chain in zip(entered.questions.kept, entered.chains, strict=True)
    ]
    kept = tuple(question for question, _ in pairs)
    staged = Staged(entered.questions.entered, kept, harder.questions.rejected)
    return Framed(staged, tuple(chain for _, chain in pairs))


def _framed(pairs: list[Pair]) -> Framed:
    kept = tuple(question for question, _ in pairs)
    return Framed(Staged(len(kept), kept, ()), tuple(chain for _, chain in pairs))
