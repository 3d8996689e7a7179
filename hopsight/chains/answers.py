"""The asked attribute: which values can be an answer, and the forms in which one may be given."""

from dataclasses import dataclass

from hopsight.leak import leaks
from hopsight.reference.generator import Phrasebook
from hopsight.types import Evidence, Fact
from hopsight.unique import FactIndex, World

UNITS: dict[str, tuple[str, ...]] = {
    "km": ("km", "kilometres", "kilometers"),
    "km2": ("km2", "km²", "square kilometres", "square kilometers", "sq km"),
    "m": ("m", "metres", "meters"),
    "cm": ("cm", "centimetres", "centimeters"),
    "kg": ("kg", "kilograms"),
}


@dataclass(frozen=True, slots=True)
class Answer:
    """A short value of the last node's attribute, with the sentence that states it."""

    attribute: str
    value: str
    aliases: tuple[str, ...]
    evidence: Evidence


class AnswerFinder:
    """Finds the attributes of a page that can be asked for; computed once for each page."""

    def __init__(
        self, world: World, index: FactIndex, book: Phrasebook, *, max_tokens: int
    ) -> None:
        self._world = world
        self._index = index
        self._book = book
        self._max_tokens = max_tokens
        self._answers: dict[int, tuple[Answer, ...]] = {}
        self._told: dict[tuple[int, int, str], str | None] = {}

    def answers(self, page_id: int) -> tuple[Answer, ...]:
        """Single-valued, short, with evidence, and sayable; by attribute."""
        if page_id not in self._answers:
            infobox = self._index.kinds[page_id] or ""
            attributes = sorted(name for kind, name in self._book.asks if kind == infobox)
            found = [self._answer(page_id, attribute) for attribute in attributes]
            self._answers[page_id] = tuple(each for each in found if each is not None)
        return self._answers[page_id]

    def of(self, page_id: int, attribute: str) -> Answer | None:
        """The answer to one attribute, None if it cannot be asked for."""
        return next((each for each in self.answers(page_id) if each.attribute == attribute), None)

    def refusal(self, path: tuple[int, ...], answer: Answer) -> str | None:
        """Why this answer does not go with this path: a short constant, or None."""
        if any(leaks(answer.value, self._world.names(page_id)) for page_id in path):
            return "answer_is_path_node"
        if any(
            leaks(name, answer_forms(answer))
            for page_id in path
            for name in self._world.names(page_id)
        ):
            return "answer_is_path_node"
        return self._told_by(path[0], path[-1], answer)

    def _told_by(self, anchor: int, last: int, answer: Answer) -> str | None:
        """Whether the anchor's page or picture already tells the answer."""
        key = (anchor, last, answer.attribute)
        if key not in self._told:
            picture = self._world.image(anchor)
            drawn = "" if picture is None else " ".join(picture.text)
            reason = None
            if leaks(self._world.page(anchor).text, answer_forms(answer)):
                reason = "answer_on_anchor_page"
            elif leaks(drawn, answer_forms(answer)):
                reason = "answer_in_picture"
            self._told[key] = reason
        return self._told[key]

    def _answer(self, page_id: int, attribute: str) -> Answer | None:
        facts = self._index.facts(page_id, attribute)
        if len(facts) != 1 or facts[0].evidence is None:
            return None
        fact = facts[0]
        if not 0 < len(fact.value.split()) <= self._max_tokens:
            return None
        return Answer(attribute, fact.value, self._aliases(fact), facts[0].evidence)

    def _aliases(self, fact: Fact) -> tuple[str, ...]:
        forms = _number_forms(fact)
        if fact.value_page is not None:
            forms = [*forms, *self._world.names(fact.value_page)]
        return tuple(sorted({form for form in forms if form and form != fact.value}))


def answer_forms(answer: Answer) -> tuple[str, ...]:
    """The value and its aliases."""
    return (answer.value, *answer.aliases)


def _number_forms(fact: Fact) -> list[str]:
    """A number bare and with its unit; years before our era with their mark."""
    if fact.number is None:
        return []
    if fact.unit == "year":
        size = str(int(abs(fact.number)))
        return [f"{size} BC", f"{size} BCE"] if fact.number < 0 else [size]
    plain = f"{fact.number:.10g}" if abs(fact.number) < 1e10 else str(int(fact.number))
    return [plain, *(f"{plain} {unit}" for unit in UNITS.get(fact.unit or "", ()))]
