"""Chain to English: one sentence a hop, from the picture to the asked attribute."""

from hopsight.reference.generator import attributes, relations
from hopsight.reference.generator.book import Phrasebook, choose
from hopsight.reference.generator.numbers import written
from hopsight.types import Clue, Constraint, EvidenceChain, EvidenceNode
from hopsight.unique import LINKED, PICTURE

BOOK = Phrasebook(
    name="reference/verbalise",
    version="2",
    nouns=attributes.NOUNS,
    kind_nouns=attributes.KIND_NOUNS,
    ahead=relations.AHEAD,
    back=relations.BACK,
    ranges=attributes.RANGES,
    categories=attributes.CATEGORIES,
    asks=attributes.ASKS,
    anchors=attributes.ANCHORS,
    linked=relations.LINKED,
    shows=attributes.SHOWS,
)


def question(chain: EvidenceChain, anchor: str | None = None) -> str:
    """The question that a chain asks; the anchor is `anchor`, or its title where None.

    Nodes with a named clue stand by their title, the others by noun and descriptors.
    """
    return " ".join(sentences(chain, anchor))


def sentences(chain: EvidenceChain, anchor: str | None = None) -> tuple[str, ...]:
    """The same by sentence: one statement for each hop, then what is asked."""
    reference, noun = anchor or chain.nodes[0].title, BOOK.nouns[chain.nodes[0].infobox]
    said = []
    for step, node in enumerate(chain.nodes[1:], start=1):
        sentence, reference, noun = _statement(chain, step, node, reference, noun)
        said.append(sentence)
    return (*said, _ask(chain, reference))


def description(chain: EvidenceChain, step: int) -> str:
    """What the sentence of hop `step` (from 1) says of its new entity by itself, as a phrase."""
    node = chain.nodes[step]
    noun = noun_of(BOOK, node)
    return " ".join([f"{_article(noun)} {noun}", *_descriptions(chain, step, node)])


def relation(chain: EvidenceChain, step: int) -> str:
    """What the sentence of hop `step` (from 1) says of its two ends, without either."""
    return _template(chain, step).format(prev="", node="")


def anchor_phrase(infobox: str, key: str) -> str | None:
    """A referring expression for the entity that the picture shows, None where there is none."""
    phrases = BOOK.anchors.get(infobox)
    return None if phrases is None else choose(phrases, key, "anchor")


def shown_phrase(infobox: str) -> str | None:
    """The same where it is not known what kind of picture it is."""
    noun = BOOK.nouns.get(infobox)
    return None if noun is None else f"the {noun} shown in the image"


def _statement(
    chain: EvidenceChain, step: int, node: EvidenceNode, reference: str, last_noun: str
) -> tuple[str, str, str]:
    """The sentence of one hop, and how the next one refers to its entity."""
    clue, template = clue_of(node), _template(chain, step)
    noun = noun_of(BOOK, node)
    phrase = node.title if clue.named else _noun_phrase(chain, step, node, noun, last_noun)
    following = node.title if clue.named else _reference(noun, last_noun)
    sentence = template.format(prev=reference, node=phrase) + "."
    return sentence[0].upper() + sentence[1:], following, noun


def _template(chain: EvidenceChain, step: int) -> str:
    return choose(relation_phrases(BOOK, chain, step), chain.path_id, step, "hop")


def relation_phrases(book: Phrasebook, chain: EvidenceChain, step: int) -> tuple[str, ...]:
    """How a book can say the relation of hop `step` (from 1)."""
    node = chain.nodes[step]
    clue = clue_of(node)
    if clue.relation == LINKED:
        return book.linked
    holder = node.infobox if clue.inverse else chain.nodes[step - 1].infobox
    table = book.back if clue.inverse else book.ahead
    return table[holder, clue.relation]


def _noun_phrase(
    chain: EvidenceChain, step: int, node: EvidenceNode, noun: str, last_noun: str
) -> str:
    described = _descriptions(chain, step, node)
    if noun == last_noun:
        head = f"another {noun}"
    elif described:
        head = f"{_article(noun)} {noun}"
    else:
        head = f"a certain {noun}"
    return " ".join([head, *described])


def _descriptions(chain: EvidenceChain, step: int, node: EvidenceNode) -> list[str]:
    """What is said of an entity beside its noun, joined; none where nothing is."""
    told = [_describe(chain, step, node.infobox, each) for each in said_of(node)]
    return [" and ".join(told)] if told else []


def _describe(chain: EvidenceChain, step: int, infobox: str, constraint: Constraint) -> str:
    phrases = description_phrases(BOOK, infobox, constraint)
    template = choose(phrases, chain.path_id, step, constraint.attribute)
    return template.format(
        low=written(constraint.low, constraint.unit),
        high=written(constraint.high, constraint.unit),
        value=constraint.value,
    )


def description_phrases(book: Phrasebook, infobox: str, constraint: Constraint) -> tuple[str, ...]:
    """How a book can say a condition on an entity of that kind."""
    if constraint.attribute == PICTURE:
        return book.shows[infobox]
    table = book.ranges if constraint.op == "between" else book.categories
    return table[infobox, constraint.attribute]


def _ask(chain: EvidenceChain, reference: str) -> str:
    key = (chain.nodes[-1].infobox, chain.attribute)
    text = choose(BOOK.asks[key], chain.path_id, "ask").format(ref=reference) + "?"
    return text[0].upper() + text[1:]


def _reference(noun: str, last_noun: str) -> str:
    return f"that other {noun}" if noun == last_noun else f"that {noun}"


def _article(noun: str) -> str:
    return "an" if noun[0] in "aeio" else "a"


def clue_of(node: EvidenceNode) -> Clue:
    """The clue of a node after the anchor; ValueError for one without."""
    if node.clue is None:
        raise ValueError(f"{node.title} has no clue, so no sentence can lead to it")
    return node.clue


def descriptors(clue: Clue) -> list[Constraint]:
    """The constraints that a sentence spells out: all but those that its noun says."""
    said_by_noun = {"infobox", attributes.KIND}
    return [each for each in clue.constraints if each.attribute not in said_by_noun]


def said_of(node: EvidenceNode) -> list[Constraint]:
    """The conditions that a sentence spells out; all that a picture shows is one, said last."""
    found = descriptors(clue_of(node))
    facts = [each for each in found if each.attribute != PICTURE]
    looks = [each.value for each in found if each.attribute == PICTURE and each.value is not None]
    if not looks:
        return facts
    listed = " and ".join([", ".join(looks[:-1]), looks[-1]] if len(looks) > 1 else looks)
    return [*facts, Constraint(attribute=PICTURE, op="shows", value=listed)]


def noun_of(book: Phrasebook, node: EvidenceNode) -> str:
    """The noun of a node: its kind where the clue states one, else that of its infobox."""
    if node.clue is not None:
        for constraint in node.clue.constraints:
            if constraint.attribute == attributes.KIND and constraint.value is not None:
                return constraint.value
    return book.nouns[node.infobox]
