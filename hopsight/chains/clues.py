"""Which clues lead from one entity to the next and to no other."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice

from hopsight.chains.ranges import ranges_around
from hopsight.reference.generator import Phrasebook
from hopsight.types import Clue, Constraint
from hopsight.unique import INFOBOX, LINKED, FactIndex

KIND = "kind"
MAX_PAIRS = 24
MAX_SETS = 2_000
"""Sets of facts that are tried for one blurred clue."""


@dataclass(frozen=True, slots=True)
class Options:
    """Clues for one hop, fewest descriptors first, or the reason why there is none."""

    clues: tuple[Clue, ...]
    reason: str | None


@dataclass(frozen=True, slots=True)
class Rules:
    """How far a description may go: at most `descriptors` of them, at least `candidates` fits."""

    descriptors: int = 2
    min_candidates: int = 3


class ClueFinder:
    """Finds clues that are unique given the predecessor and not by themselves [ours].

    For the first, an entity whose value is unknown counts as fitting; for the second only those
    that are known to fit are counted: both on the safe side.
    """

    def __init__(self, index: FactIndex, book: Phrasebook, rules: Rules) -> None:
        self._index = index
        self._book = book
        self._rules = rules
        self._options: dict[tuple[int, int, str, bool], Options] = {}
        self._descriptors: dict[int, tuple[Constraint, ...]] = {}

    def options(self, source: int, target: int, relation: str, inverse: bool) -> Options:
        """The usable clues from `source` to `target`, fewest descriptors first."""
        key = (source, target, relation, inverse)
        if key not in self._options:
            self._options[key] = self._find(*key)
        return self._options[key]

    def blurred(self, source: int, target: int, facts: int) -> Options:
        """Clues that hide the relation and tell exactly `facts` different attributes of `target`.

        Unique among everything that a fact or a link joins with `source`; those first whose facts
        leave the most candidates when one of them is not looked up. Reasons: too_few_facts,
        not_unique, self_identifying.
        """
        attributes = {each.attribute for each in self.facts_of(target)}
        if len(attributes) < facts:
            return Options((), "too_few_facts")
        base = self.base(target)
        rivals = self.candidates(source, target)
        tried = islice(_distinct(self.facts_of(target), facts), MAX_SETS)
        unique = [extra for extra in tried if self._index.narrow(rivals, extra) == {target}]
        vague = [extra for extra in unique if self._is_vague([*base, *extra])]
        kept = sorted(vague, key=lambda extra: self._left_over(rivals, extra), reverse=True)
        clues = tuple(
            Clue(relation=LINKED, inverse=False, constraints=(*base, *extra), named=False)
            for extra in kept[:MAX_PAIRS]
        )
        if clues:
            return Options(clues, None)
        return Options((), "self_identifying" if unique else "not_unique")

    def candidates(self, source: int, target: int) -> frozenset[int]:
        """What has to be looked at where the relation is hidden.

        All of the target's noun that a fact or a link joins with `source`.
        """
        clue = Clue(relation=LINKED, inverse=False, constraints=self.base(target))
        return self._index.fitting(source, clue)

    def _left_over(self, rivals: frozenset[int], facts: tuple[Constraint, ...]) -> tuple[int, int]:
        """How many stay without one of the facts, for the strongest of them, and for all."""
        left = [
            len(self._index.narrow(rivals, (each for each in facts if each is not left_out)))
            for left_out in facts
        ]
        return min(left), sum(left)

    def vaguest(self, clues: Sequence[Clue]) -> Clue:
        """The clue whose description is known to fit most entities; of equals the first."""
        return max(clues, key=lambda clue: len(self._index.surely_described(clue.constraints)))

    def _find(self, source: int, target: int, relation: str, inverse: bool) -> Options:
        base = self.base(target)
        rivals = self._index.fitting(
            source, Clue(relation=relation, inverse=inverse, constraints=base)
        )
        unique = list(self._unique_sets(target, rivals))
        kept = [extra for extra in unique if self._is_vague([*base, *extra])]
        clues = tuple(
            Clue(relation=relation, inverse=inverse, constraints=(*base, *extra), named=False)
            for extra in kept
        )
        if clues:
            return Options(clues, None)
        return Options((), "self_identifying" if unique else "not_unique")

    def _unique_sets(self, target: int, rivals: frozenset[int]) -> Iterable[tuple[Constraint, ...]]:
        """Sets of descriptors that leave `target` alone among its rivals, small sets first."""
        alone = frozenset({target})
        found = self.facts_of(target)
        left = [rivals & self._index.satisfying(each) for each in found]
        if rivals == alone:
            yield ()
        if self._rules.descriptors >= 1:
            yield from ((each,) for each, fits in zip(found, left, strict=True) if fits == alone)
        if self._rules.descriptors >= 2:
            yield from self._unique_pairs(found, left, alone)

    def _unique_pairs(
        self,
        found: tuple[Constraint, ...],
        left: list[frozenset[int]],
        alone: frozenset[int],
    ) -> Iterable[tuple[Constraint, ...]]:
        """Pairs over different attributes of which neither would do by itself."""
        count = 0
        for (first, fits), (second, others) in combinations(zip(found, left, strict=True), 2):
            if count == MAX_PAIRS:
                return
            if first.attribute == second.attribute:
                continue
            if alone in (fits, others) or fits & others != alone:
                continue
            count += 1
            yield (first, second)

    def _is_vague(self, constraints: list[Constraint]) -> bool:
        return len(self._index.surely_described(constraints)) >= self._rules.min_candidates

    def base(self, page_id: int) -> tuple[Constraint, ...]:
        """What the noun says: the infobox, and the kind where it is a noun of its own."""
        infobox = self._index.kinds[page_id]
        if infobox is None:
            return ()
        base = Constraint(attribute=INFOBOX, op="is", value=infobox)
        kinds = self._index.facts(page_id, KIND)
        if len(kinds) == 1 and kinds[0].evidence and self._book.says_kind(infobox, kinds[0].value):
            kind = Constraint(
                attribute=KIND, op="is", value=kinds[0].value, evidence=kinds[0].evidence
            )
            if self._is_vague([base, kind]):
                return (base, kind)
        return (base,)

    def facts_of(self, page_id: int) -> tuple[Constraint, ...]:
        """What can be said of a page that holds of several: ranges and categories."""
        if page_id not in self._descriptors:
            found = [*self._ranges(page_id), *self._categories(page_id)]
            base = list(self.base(page_id))
            self._descriptors[page_id] = tuple(
                each for each in found if self._is_vague([*base, each])
            )
        return self._descriptors[page_id]

    def _ranges(self, page_id: int) -> Iterable[Constraint]:
        infobox = self._index.kinds[page_id] or ""
        for attribute in self._attributes(infobox, self._book.ranges):
            facts = self._index.facts(page_id, attribute)
            if len(facts) != 1 or facts[0].number is None or facts[0].evidence is None:
                continue
            for low, high in ranges_around(facts[0].number, facts[0].unit):
                yield Constraint(
                    attribute=attribute,
                    op="between",
                    low=low,
                    high=high,
                    unit=facts[0].unit,
                    evidence=facts[0].evidence,
                )

    def _categories(self, page_id: int) -> Iterable[Constraint]:
        infobox = self._index.kinds[page_id] or ""
        for attribute in self._attributes(infobox, self._book.categories):
            for fact in self._index.facts(page_id, attribute):
                if fact.evidence is not None and _is_plain(fact.value):
                    yield Constraint(
                        attribute=attribute, op="is", value=fact.value, evidence=fact.evidence
                    )

    def _attributes(self, infobox: str, table: Iterable[tuple[str, str]]) -> list[str]:
        return sorted(attribute for kind, attribute in table if kind == infobox)


def _distinct(found: Sequence[Constraint], size: int) -> Iterator[tuple[Constraint, ...]]:
    """Sets of so many descriptors, no two of one attribute."""
    for chosen in combinations(found, size):
        if len({each.attribute for each in chosen}) == size:
            yield chosen


def descriptors(clue: Clue) -> list[Constraint]:
    """The constraints beyond what the noun says."""
    return [each for each in clue.constraints if each.attribute not in {INFOBOX, KIND}]


def _is_plain(value: str) -> bool:
    """Whether a value can stand in a sentence without being taken for its grammar."""
    return (
        0 < len(value) <= 40
        and " and " not in value
        and not any(mark in value for mark in ".?!,;:{}\n")
    )
