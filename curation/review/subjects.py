"""Which questions of a round are reviewed: those that its rounds of gates have let through."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from curation.origins import origins
from hopsight.chains import by_id
from hopsight.datasets import DATASETS
from hopsight.errors import StoreError
from hopsight.store import DataStore
from hopsight.types import EvidenceChain, Question, ReviewDecision, RoundRecord

ENTERED: Final = ("distinct_questions", "refined_questions", "grounded_questions")
"""What decisions are made about, the furthest first: the input of the stage that applies them."""

AFTER: Final = ("probed_questions", "enhanced_questions")
"""What they become on their way to the curated ones."""

CURATED: Final = "curated_questions"


@dataclass(frozen=True, slots=True)
class Subjects:
    """The questions under review with their chains, and the seed of their order.

    `dataset` says which of the round's questions they are. `later` gives the id under which a
    question that was edited, or got a worse picture, went on: what was found out about it since
    is of that id.
    """

    round: str
    dataset: str
    questions: Mapping[str, Question]
    chains: Mapping[str, EvidenceChain]
    later: Mapping[str, str]
    seed: int


def read_subjects(store: DataStore, round: str, decided: Mapping[str, ReviewDecision]) -> Subjects:
    """The curated questions where there are any yet, as they were before review, else all.

    What was decided about stays among them, in or out. Raises StoreError where a round has no
    questions yet.
    """
    name = next((each for each in ENTERED if store.exists(each, round)), ENTERED[-1])
    entered = {each.id: each for each in store.read(name, round, Question)}
    later: dict[str, str] = {}
    wanted = set(entered)
    if store.exists(CURATED, round):
        curated = store.read(CURATED, round, Question)
        known = origins([*_since(store, round), *curated], entered)
        first = {each.id: known[each.id] for each in curated if each.id in known}
        later = {before: after for after, before in first.items() if before != after}
        wanted = set(first.values()) | decided.keys()
        name = CURATED
    questions = {key: entered[key] for key in sorted(wanted & entered.keys())}
    if not questions:
        raise StoreError(
            f"round {round} has no question to review",
            f"make one that has with `hopsight run --round {round}`",
        )
    return Subjects(
        round, name, questions, by_id(_chains(store, round)), later, _seed(store, round)
    )


def _since(store: DataStore, round: str) -> list[Question]:
    """What became of the questions that were entered, as far as the round has come."""
    names = [name for name in AFTER if store.exists(name, round)]
    return [each for name in names for each in store.read(name, round, Question)]


def _seed(store: DataStore, round: str) -> int:
    """The round's seed, also of a round whose configuration has other keys than today's."""
    record = store.read("round_configs", round, RoundRecord)[0]
    return int(json.loads(record.config)["seed"])


def _chains(store: DataStore, round: str) -> list[EvidenceChain]:
    """The chains of every stage: an id is a hash, so they do not get into each other's way."""
    names = [name for name, kind in DATASETS.items() if kind is EvidenceChain]
    return [
        chain
        for name in names
        if store.exists(name, round)
        for chain in store.read(name, round, EvidenceChain)
    ]
