"""What the question-making stages give back: questions and, beside them, their chains."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from hopsight.errors import HopsightError
from hopsight.stage import Staged
from hopsight.types import EvidenceChain, Part, Question, Rejection

P = TypeVar("P", bound=Part)
Pair = tuple[Question, EvidenceChain]


@dataclass(frozen=True, slots=True)
class Framed:
    """Staged questions, and the chain of each kept one in the same order."""

    questions: Staged[Question]
    chains: tuple[EvidenceChain, ...]

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """Each kept question with its chain."""
        return tuple(zip(self.questions.kept, self.chains, strict=True))


def framed(entered: int, made: Iterable[Pair], rejected: Iterable[Rejection] = ()) -> Framed:
    """Put a stage's results together."""
    pairs = list(made)
    questions = tuple(question for question, _ in pairs)
    return Framed(Staged(entered, questions, tuple(rejected)), tuple(chain for _, chain in pairs))


def changed(record: P, **changes: object) -> P:
    """A copy with other values; unlike `model_copy` it is validated and has an id of its own."""
    fields = {name: getattr(record, name) for name in type(record).model_fields}
    return type(record).model_validate(fields | changes)


def by_id(chains: Iterable[EvidenceChain]) -> dict[str, EvidenceChain]:
    """Chains by id."""
    return {chain.id: chain for chain in chains}


def chain_of(question: Question, chains: Mapping[str, EvidenceChain]) -> EvidenceChain:
    """The chain of a question; HopsightError if it is not there."""
    if question.chain_id not in chains:
        raise HopsightError(
            f"question {question.id} has chain {question.chain_id}, which is not among the chains",
            "hand over the chains that were made together with the questions",
        )
    return chains[question.chain_id]
