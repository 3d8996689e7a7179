"""A step: one typed question to a role, which a model or a rule answers."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

from hopsight.llm.chat import Picture
from hopsight.llm.prompts import Prompt, load_prompt
from hopsight.types import Part

I = TypeVar("I", bound=Part)  # noqa: E741
O = TypeVar("O", bound=Part)  # noqa: E741


def no_pictures(_: Part) -> tuple[Picture, ...]:
    """What a step shows that shows no picture."""
    return ()


@dataclass(frozen=True, slots=True)
class Step(Generic[I, O]):
    """A typed question. Its prompt is the prompt file of its name.

    `fill` gives the text of each placeholder; the prompt makes it harmless, `fill` bounds it.
    `check` says what no schema can: None, or in words what is wrong with an answer. `reference`
    answers by rule; its answer is checked like a model's. `max_tokens` bounds a model's answer.
    """

    name: str
    role: str
    input: type[I]
    output: type[O]
    fill: Callable[[I], dict[str, str]]
    check: Callable[[I, O], str | None]
    reference: Callable[[I], O]
    pictures: Callable[[I], tuple[Picture, ...]] = no_pictures
    max_tokens: int = 1024

    @property
    def prompt(self) -> Prompt:
        """The prompt file, read once."""
        return _prompt(self.name)


@lru_cache(maxsize=64)
def _prompt(name: str) -> Prompt:
    return load_prompt(name)
