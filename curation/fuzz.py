"""Fuzzing: every name gives way to a relation and descriptors, one entity at a time.

The checks run over the facts of the whole world: exactly one entity fits each clue given its
predecessor, several fit the description by itself, and no hop can be left out.
"""

from hopsight.chains.framed import Framed, by_id, chain_of, changed, framed
from hopsight.chains.unnaming import unnamed_chain
from hopsight.chains.walker import Walker
from hopsight.reference.generator import BOOK, verbalise
from hopsight.types import EvidenceChain, Question, Rejection

STAGE = "fuzzed_questions"
OPERATOR = "fuzz"


def fuzzed_questions(
    walker: Walker, canonical: Framed, *, seed: int, hop_necessity: bool = True
) -> Framed:
    """Fuzz each canonical question; reasons are those of method.md 3 and 5 (e).

    `hop_necessity` off is for ablations alone.
    """
    chains = by_id(canonical.chains)
    made, rejected = [], []
    for question in canonical.questions.kept:
        chain = chain_of(question, chains)
        fuzzed = unnamed_chain(walker, chain, seed, hop_necessity=hop_necessity)
        if isinstance(fuzzed, EvidenceChain):
            made.append((_question(question, fuzzed), fuzzed))
            continue
        reason, detail = fuzzed
        rejected.append(Rejection(record_id=question.id, stage=STAGE, reason=reason, detail=detail))
    return framed(len(canonical.questions.kept), made, rejected)


def _question(parent: Question, chain: EvidenceChain) -> Question:
    return changed(
        parent,
        text=verbalise.question(chain),
        chain_id=chain.id,
        parent_id=parent.id,
        operator=OPERATOR,
        prompt=BOOK.prompt,
    )
