"""A model that reads a visited page for a goal."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from hopsight.harness.backends import PageText
from hopsight.harness.render import clip
from hopsight.llm.chat import ChatRequest
from hopsight.llm.prompts import load_prompt
from hopsight.llm.service import Complete

PAGE_CHARS: Final = 24_000
"""Of a page, so many are read; what comes after is cut, which the model is told."""
MAX_TOKENS: Final = 1_024
NOTHING: Final = "NOTHING"


@dataclass(frozen=True, slots=True)
class ModelReader:
    """Copies what speaks of a goal. `ask_for` gives, for an address, what asks the model."""

    ask_for: Callable[[str], Complete] = field(repr=False)

    async def read(self, page: PageText, goal: str) -> str | None:
        """What the model copied; None where it found nothing. Raises ProviderError."""
        request = ChatRequest(
            messages=load_prompt("read_page").render(
                {"goal": goal, "page": clip(page.markdown, PAGE_CHARS)}
            ),
            temperature=0.0,
            max_tokens=MAX_TOKENS,
        )
        answer = (await self.ask_for(page.url)(request, 0)).text.strip()
        return None if answer in ("", NOTHING) else answer
