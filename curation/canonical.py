"""Canonical questions: the whole path spelled out by name. Never exported for training."""

from collections.abc import Sequence

from hopsight.chains.answers import Answer
from hopsight.chains.framed import Framed, changed, framed
from hopsight.chains.nodes import bare_node
from hopsight.chains.walker import Walker
from hopsight.reference.generator import BOOK, verbalise
from hopsight.types import (
    Clue,
    EvidenceChain,
    LinkPath,
    Question,
    Rejection,
)

STAGE = "canonical_questions"
OPERATOR = "canonical"


def canonical_questions(walker: Walker, paths: Sequence[LinkPath], *, round: str) -> Framed:
    """One question and chain for each path; a path whose answer is gone is rejected."""
    made, rejected = [], []
    for path in paths:
        answer = walker.answers.of(path.entities[-1], path.attribute)
        if answer is None:
            rejected.append(
                Rejection(
                    record_id=path.id,
                    stage=STAGE,
                    reason="no_answer",
                    detail=f"{path.titles[-1]} has no short {path.attribute} with evidence",
                )
            )
            continue
        chain = _chain(walker, path, answer)
        made.append((_question(chain, round), chain))
    return framed(len(paths), made, rejected)


def _chain(walker: Walker, path: LinkPath, answer: Answer) -> EvidenceChain:
    nodes = [bare_node(walker.world, walker.index, path.entities[0])]
    for hop in path.hops:
        clue = Clue(relation=hop.relation, inverse=hop.inverse)
        node = bare_node(walker.world, walker.index, hop.target)
        nodes.append(changed(node, clue=clue, hop=hop.evidence, link=hop.link))
    return EvidenceChain(
        path_id=path.id,
        nodes=tuple(nodes),
        attribute=answer.attribute,
        answer=answer.value,
        answer_aliases=answer.aliases,
        answer_evidence=answer.evidence,
    )


def _question(chain: EvidenceChain, round: str) -> Question:
    return Question(
        text=verbalise.question(chain),
        answer=chain.answer,
        answer_aliases=chain.answer_aliases,
        images=(),
        chain_id=chain.id,
        parent_id=None,
        operator=OPERATOR,
        prompt=BOOK.prompt,
        round=round,
    )
