"""Extract facts: what a page states, each value with the sentence that states it."""

from typing import Annotated, Final

from pydantic import BeforeValidator, Field

from hopsight.steps.step import Step
from hopsight.steps.text import holds, line, listed, numbered
from hopsight.types import Fact, Part
from hopsight.wiki.numbers import written_forms

MAX_SENTENCES: Final = 120
MAX_FACTS: Final = 40


def _as_attribute(name: object) -> object:
    """Words of a name joined as attributes are written: "Birth place" → "birth_place"."""
    return "_".join(name.lower().replace("-", " ").split()) if isinstance(name, str) else name


class PageText(Part):
    """A page's title and its sentences in order.

    `attributes` are the only ones wanted; none means any. `known` are the page's infobox facts,
    which the rules read and a model is not shown.
    """

    title: str
    sentences: tuple[str, ...] = Field(min_length=1, max_length=MAX_SENTENCES)
    attributes: tuple[str, ...] = ()
    known: tuple[Fact, ...] = ()


class StatedFact(Part):
    """A value that sentence number `sentence` (from 1) states of the page."""

    attribute: Annotated[str, BeforeValidator(_as_attribute)] = Field(min_length=1, max_length=60)
    value: str = Field(min_length=1, max_length=200)
    sentence: int


class StatedFacts(Part):
    """The facts of a page; none where it states nothing that is wanted."""

    facts: tuple[StatedFact, ...] = Field(max_length=MAX_FACTS)


def _fill(page: PageText) -> dict[str, str]:
    return {
        "title": line(page.title),
        "sentences": numbered(page.sentences),
        "attributes": listed(page.attributes) if page.attributes else "any",
    }


def check(page: PageText, found: StatedFacts) -> str | None:
    """Sentences that exist, values that stand in them, wanted attributes, nothing twice."""
    told = [(fact.attribute, fact.value, fact.sentence) for fact in found.facts]
    if len(set(told)) < len(told):
        return "a fact stands twice"
    problems = (_problem(page, fact) for fact in found.facts)
    return next((problem for problem in problems if problem), None)


def _problem(page: PageText, fact: StatedFact) -> str | None:
    if not 1 <= fact.sentence <= len(page.sentences):
        return f"there is no sentence {fact.sentence}, only 1 to {len(page.sentences)}"
    if page.attributes and fact.attribute not in page.attributes:
        return f"the attribute {fact.attribute} is not one of those asked for"
    if not holds(page.sentences[fact.sentence - 1], fact.value):
        return f"the value {fact.value!r} does not stand in sentence {fact.sentence}"
    return None


def reference(page: PageText) -> StatedFacts:
    """The known facts whose aligned sentence is one of the page's and holds the value."""
    places = {text: number for number, text in reversed(list(enumerate(page.sentences, 1)))}
    found: dict[StatedFact, None] = {}
    for fact in page.known:
        wanted = not page.attributes or fact.attribute in page.attributes
        number = None if fact.evidence is None else places.get(fact.evidence.sentence)
        if not wanted or number is None:
            continue
        value = _as_written(fact, page.sentences[number - 1])
        if value is not None:
            found[StatedFact(attribute=fact.attribute, value=value, sentence=number)] = None
    return StatedFacts(facts=tuple(found)[:MAX_FACTS])


def _as_written(fact: Fact, sentence: str) -> str | None:
    """The value as the sentence writes it, None where it stands under another name only."""
    forms = () if fact.number is None else written_forms(fact.number)
    return next((form for form in (fact.value, *forms) if form and holds(sentence, form)), None)


EXTRACT_FACTS: Final = Step(
    name="extract_facts",
    role="generator",
    input=PageText,
    output=StatedFacts,
    fill=_fill,
    check=check,
    reference=reference,
    max_tokens=2048,
)
