"""BuildLink: from picture to answer, the entities of a reasoning route and the clues between."""

from typing import Final

from pydantic import Field

from hopsight.leak import fold
from hopsight.steps.step import Step
from hopsight.steps.text import block, holds, line, names_one
from hopsight.types import Part
from hopsight.wiki.sentences import split_sentences

MAX_ENTITIES: Final = 12


class KnownEntity(Part):
    """An entity of the wiki that a route may name: its title and its other names."""

    title: str
    names: tuple[str, ...] = ()


class Route(Part):
    """A solved question. `known` are entities that the rules look for; no model is shown them."""

    question: str
    answer: str = Field(min_length=1, max_length=200)
    reasoning: str
    known: tuple[KnownEntity, ...] = ()


class LinkStep(Part):
    """The next entity, and how it is found from the one before."""

    clue: str = Field(min_length=1, max_length=600)
    entity: str = Field(min_length=1, max_length=200)


class LinkedEntities(Part):
    """Entities in order: what the picture shows, then one for each step; the last is the answer."""

    start: str = Field(min_length=1, max_length=200)
    steps: tuple[LinkStep, ...] = Field(max_length=MAX_ENTITIES)

    @property
    def entities(self) -> tuple[str, ...]:
        """All entities from the picture to the answer."""
        return (self.start, *(step.entity for step in self.steps))


def _fill(route: Route) -> dict[str, str]:
    return {
        "question": block(route.question, 4_000),
        "answer": line(route.answer),
        "reasoning": block(route.reasoning),
    }


def check(route: Route, found: LinkedEntities) -> str | None:
    """At least two different entities, each named by the reasoning, the answer last; clues."""
    entities = found.entities
    if len(entities) < 2:
        return "there is no step: nothing is linked"
    if fold(entities[-1]) != fold(route.answer):
        return f"the last entity is {entities[-1]!r}, not the answer"
    if len({fold(entity) for entity in entities}) < len(entities):
        return "an entity stands twice"
    unnamed = next((each for each in entities[:-1] if not holds(route.reasoning, each)), None)
    if unnamed is not None:
        return f"the reasoning does not name {unnamed!r}"
    empty = next((n for n, step in enumerate(found.steps, 1) if not step.clue.strip()), None)
    return None if empty is None else f"the clue of step {empty} is empty"


def reference(route: Route) -> LinkedEntities:
    """The known entities in the order in which the reasoning first names them, then the answer.

    An entity goes by the name that the reasoning uses. Its clue is the first sentence that names
    it, whatever else that says.
    """
    sentences = [route.reasoning[start:end] for start, end in split_sentences(route.reasoning)]
    rivals = [name for entity in route.known for name in (entity.title, *entity.names)]
    found: dict[str, tuple[int, int, str]] = {}
    for entity in route.known:
        own = (entity.title, *entity.names)
        spots = [spot for name in own if (spot := _spot(name, sentences, rivals))]
        if spots and not any(fold(spot[2]) == fold(route.answer) for spot in spots):
            found[entity.title] = min(spots, key=lambda spot: (spot[0], spot[1], -len(spot[2])))
    in_order = sorted(set(found.values()))[: MAX_ENTITIES - 1]
    answer = _spot(route.answer, sentences, rivals) or (max(0, len(sentences) - 1), 0, "")
    spots = [*in_order, (answer[0], answer[1], route.answer)]
    steps = [
        LinkStep(clue=sentences[number][:600] if sentences else "-", entity=name[:200])
        for number, _, name in spots[1:]
    ]
    return LinkedEntities(start=spots[0][2][:200], steps=tuple(steps))


def _spot(name: str, sentences: list[str], rivals: list[str]) -> tuple[int, int, str] | None:
    """Sentence and place in it where a name first stands by itself, and the name."""
    for number, sentence in enumerate(sentences):
        if name and names_one(sentence, (name,), rivals):
            return number, fold(sentence).find(fold(name)), name
    return None


BUILD_LINK: Final = Step(
    name="build_link",
    role="generator",
    input=Route,
    output=LinkedEntities,
    fill=_fill,
    check=check,
    reference=reference,
)
