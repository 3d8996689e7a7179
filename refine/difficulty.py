"""Difficulty: how much each operator really added."""

from hopsight.reference.generator import verbalise
from hopsight.types import Difficulty, EvidenceChain, Question
from hopsight.unique import LINKED, PICTURE

EXPAND_WEIGHT = BLUR_WEIGHT = VISUALIZE_WEIGHT = 1.0


def difficulty_of(question: Question, first: EvidenceChain, chain: EvidenceChain) -> Difficulty:
    """D = hops + a·L + b·ΣW + c·ΣQ over realised counts; a = b = c = 1 [ours].

    `first` is the chain before any operator. W counts the facts of nodes whose relation is hidden,
    Q the visual facts.
    """
    blurred = visualized = 0
    for node in chain.nodes[1:]:
        clue = verbalise.clue_of(node)
        told = verbalise.descriptors(clue)
        looks = sum(each.attribute == PICTURE for each in told)
        visualized += looks
        if clue.relation == LINKED and not looks:
            blurred += len(told)
    hops = len(first.nodes) - 1
    expanded = len(chain.nodes) - len(first.nodes)
    total = hops + EXPAND_WEIGHT * expanded + BLUR_WEIGHT * blurred + VISUALIZE_WEIGHT * visualized
    return Difficulty(
        question_id=question.id,
        hops=hops,
        expanded=expanded,
        blurred=blurred,
        visualized=visualized,
        total=total,
    )
