"""How well a reasoning tells a fact: in its sentence's own words, in others, or not at all."""

from hopsight.chains import Answer
from hopsight.leak import fold
from hopsight.steps.text import holds
from hopsight.types import Evidence, Hop
from hopsight.unique import World
from hopsight.wiki.cues import WEAK, cues, is_unspoken, root
from hopsight.wiki.sentences import split_sentences

Cost = tuple[int, int]
"""Facts that no sentence states, and facts whose own sentence does not stand in the reasoning."""


class Telling:
    """A reasoning, sentence by sentence."""

    def __init__(self, world: World, reasoning: str) -> None:
        self._world = world
        self._whole = fold(reasoning)
        self._sentences = [fold(reasoning[start:end]) for start, end in split_sentences(reasoning)]
        self._naming: dict[int, frozenset[int]] = {}

    def hop(self, hop: Hop) -> Cost:
        """What a hop costs: (0, 0) where the reasoning tells it in the evidence's own words."""
        both = self._named(hop.source) & self._named(hop.target)
        return self._cost(both, hop.relation, hop.evidence)

    def answer(self, page_id: int, answer: Answer) -> Cost:
        """What it costs to end with an answer of that page."""
        forms = (answer.value, *answer.aliases)
        both = frozenset(
            number
            for number in self._named(page_id)
            if any(holds(self._sentences[number], form) for form in forms)
        )
        return self._cost(both, answer.attribute, answer.evidence)

    def mentions(self, page_id: int) -> int:
        """How many sentences name a page."""
        return len(self._named(page_id))

    def rank(self, hop: Hop, used: frozenset[Evidence]) -> tuple[Cost, bool, int, int, int]:
        """What tells apart hops between the same two pages: the best told one comes first.

        After its cost: whether its sentence was used for an earlier hop, where it stands, the words
        of the relation's own name that stand where both ends are named, and all words that go
        with the relation.
        """
        place = self._whole.find(fold(hop.evidence.sentence))
        words = self._words(self._named(hop.source) & self._named(hop.target))
        name = {root(word) for word in hop.relation.split("_")}
        own, others = len(words & name), len(words & _cues(hop.relation))
        return self.hop(hop), hop.evidence in used, place, -own, -others

    def _cost(self, both: frozenset[int], relation: str, evidence: Evidence) -> Cost:
        verbatim = fold(evidence.sentence) in self._whole
        spoken = is_unspoken(relation) or not _cues(relation).isdisjoint(self._words(both))
        stated = verbatim or (bool(both) and spoken)
        return int(not stated), int(not verbatim)

    def _words(self, sentences: frozenset[int]) -> frozenset[str]:
        """The roots of the words of sentences."""
        return frozenset(
            root(word) for number in sentences for word in self._sentences[number].split()
        )

    def _named(self, page_id: int) -> frozenset[int]:
        """The sentences that name a page."""
        if page_id not in self._naming:
            names = self._world.names(page_id)
            self._naming[page_id] = frozenset(
                number
                for number, sentence in enumerate(self._sentences)
                if any(holds(sentence, name) for name in names)
            )
        return self._naming[page_id]


def _cues(relation: str) -> frozenset[str]:
    return cues(relation) - WEAK
