"""The statements of a question, and whether a text still makes them."""

from collections.abc import Sequence

from hopsight.leak import fold
from hopsight.reference.generator import verbalise
from hopsight.reference.generator.numbers import written
from hopsight.steps.text import holds, leaked, numbers
from hopsight.types import EvidenceChain, EvidenceNode, Part


class Statement(Part):
    """One thing that a question says. `values` are its words that may not change: nouns, names."""

    text: str
    values: tuple[str, ...] = ()


def missing(statement: Statement, text: str) -> list[str]:
    """Values and numbers of a statement that `text` does not hold; other words may differ."""
    there = set(numbers(text))
    lost = [value for value in statement.values if not _stands(text, value, there)]
    told = there.union(*map(numbers, lost))
    lost += [f"{number:g}" for number in numbers(statement.text) if number not in told]
    return list(dict.fromkeys(lost))


def _stands(text: str, value: str, there: set[float]) -> bool:
    found = numbers(value)
    if len(found) == 1 and fold(value).replace(".", "").isdigit():
        return found[0] in there
    return holds(text, value) or bool(leaked(text, (value,)))


def statements_of(chain: EvidenceChain, anchor: str) -> tuple[tuple[Statement, ...], str]:
    """The statements of a grounded chain, one a hop, and the question that the last word asks."""
    *statements, asks = verbalise.sentences(chain, anchor)
    hops = zip(statements, map(_values, chain.nodes[1:]), strict=True)
    return tuple(Statement(text=text, values=values) for text, values in hops), asks


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
