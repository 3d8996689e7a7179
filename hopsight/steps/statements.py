"""The statements of a question, and whether a text still makes them."""

from collections.abc import Sequence
from typing import Final

from hopsight.leak import fold
from hopsight.reference.generator import verbalise
from hopsight.reference.generator.numbers import written
from hopsight.steps.text import holds, leaked, numbers
from hopsight.types import EvidenceChain, EvidenceNode, Part
from hopsight.wiki.cues import WEAK, cues, root

_SAYS_NOTHING: Final = WEAK | frozenset("one among the its has have are were be".split())
"""Words of a sentence that stand in sentences of any relation."""


class Statement(Part):
    """One thing that a question says. `values` are its words that may not change: nouns, names.

    `relation` holds its own words for what relates the two ends, `cues` roots of other words for
    that, and `apart` phrases that say nothing of it. One of the words has to stand in a text.
    """

    text: str
    values: tuple[str, ...] = ()
    relation: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()


def missing(statement: Statement, text: str) -> list[str]:
    """Values, numbers and the relation of a statement that `text` does not tell."""
    there = set(numbers(text))
    lost = [value for value in statement.values if not _stands(text, value, there)]
    told = there.union(*map(numbers, lost))
    lost += [f"{number:g}" for number in numbers(statement.text) if number not in told]
    if statement.relation and not _relates(statement, text):
        lost.append(" ".join(statement.relation))
    return list(dict.fromkeys(lost))


def _relates(statement: Statement, text: str) -> bool:
    rest = f" {fold(text)} "
    for phrase in sorted({fold(each) for each in statement.apart}, key=lambda each: -len(each)):
        rest = rest.replace(f" {phrase} ", " | ")
    wanted = {root(word) for word in statement.relation} | set(statement.cues)
    return not wanted.isdisjoint(map(root, rest.split()))


def _stands(text: str, value: str, there: set[float]) -> bool:
    found = numbers(value)
    if len(found) == 1 and fold(value).replace(".", "").isdigit():
        return found[0] in there
    return holds(text, value) or bool(leaked(text, (value,)))


def statements_of(chain: EvidenceChain, anchor: str) -> tuple[tuple[Statement, ...], str]:
    """The statements of a grounded chain, one a hop, and the question that the last word asks."""
    *statements, asks = verbalise.sentences(chain, anchor)
    nouns = tuple(verbalise.noun_of(verbalise.BOOK, node) for node in chain.nodes)
    told = []
    for step, text in enumerate(statements, start=1):
        node = chain.nodes[step]
        told.append(
            Statement(
                text=text,
                values=_values(node),
                relation=_relation(chain, step, nouns),
                cues=tuple(sorted(cues(verbalise.clue_of(node).relation) - WEAK)),
                apart=(anchor, *nouns),
            )
        )
    return tuple(told), asks


def _relation(chain: EvidenceChain, step: int, nouns: Sequence[str]) -> tuple[str, ...]:
    """The words of a hop's sentence that say how its ends are related and stand for neither.

    None where a noun says it: "the country of" a city.
    """
    ends = {word for noun in nouns for word in fold(noun).split()}
    words = fold(verbalise.relation(chain, step)).split()
    return tuple(word for word in dict.fromkeys(words) if word not in _SAYS_NOTHING | ends)


def _values(node: EvidenceNode) -> tuple[str, ...]:
    """The noun of a node, its title where the clue names it, and the values of its conditions."""
    clue = verbalise.clue_of(node)
    if clue.named:
        return (node.title,)
    said: list[str] = [verbalise.noun_of(verbalise.BOOK, node)]
    for each in verbalise.descriptors(clue):
        bounds = (written(each.low, each.unit), written(each.high, each.unit))
        said += [each.value] if each.value is not None else [word for word in bounds if word]
    return tuple(dict.fromkeys(said))


def texts(statements: Sequence[Statement]) -> list[str]:
    """The wordings of statements."""
    return [statement.text for statement in statements]
