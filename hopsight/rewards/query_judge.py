"""r_query by a judge: the same four dimensions, graded by a model."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from hopsight.errors import ProviderError
from hopsight.harness.render import clip
from hopsight.llm.chat import ChatRequest
from hopsight.llm.prompts import Prompt, load_prompt
from hopsight.llm.structured import Complete, Refused, ask
from hopsight.rewards.query_score import Invalid, QueryScore
from hopsight.rewards.searches import Search, searches
from hopsight.types import BankImage, Part, Task, Turn

PROMPT = "judge_queries"
FULL_MARK = 4
MAX_SEARCHES = 60
_SHOWN = 400

Mark = Annotated[int, Field(strict=True, ge=0, le=FULL_MARK)]


class QueryMarks(Part):
    """What the judge writes: a mark from 0 to 4 for each dimension. Nothing reads `reason`."""

    reason: str
    relevance: Mark
    progression: Mark
    signal: Mark
    complementarity: Mark


async def judge_queries(
    complete: Complete,
    task: Task,
    turns: Sequence[Turn],
    bank: Sequence[BankImage],
    prompt: Prompt | None = None,
) -> QueryScore | Invalid:
    """r_query of `turns` as a model grades it.

    A judge that cannot be reached, or gives no usable marks, makes it invalid, never 0. Without
    any search all that applies is 0, and no model is asked.
    """
    made = searches(turns, bank)
    if not made:
        none = 0 if task.images else None
        return QueryScore(relevance=0, progression=0, signal=0, complementarity=none)
    prompt = prompt or load_prompt(PROMPT)
    messages = prompt.render(
        {
            "question": task.text,
            "pictures": str(len(task.images)),
            "searches": "\n".join(map(_told, range(1, len(made) + 1), made[:MAX_SEARCHES])),
        }
    )
    try:
        marks = await ask(complete, ChatRequest(messages=messages), QueryMarks)
    except ProviderError as error:
        return Invalid("judge_failed", error.cause)
    if isinstance(marks, Refused):
        return Invalid("judge_refused", f"{marks.reason}: {marks.detail}")
    return QueryScore(
        relevance=marks.relevance / FULL_MARK,
        progression=marks.progression / FULL_MARK,
        signal=marks.signal / FULL_MARK,
        complementarity=marks.complementarity / FULL_MARK if task.images else None,
    )


def _told(number: int, search: Search) -> str:
    asked = f"words: {search.words}" if search.words is not None else "a picture"
    found = clip(" ".join(search.found.split()), _SHOWN)
    return f"{number}. {search.tool} ({search.outcome.value}), {asked}\n   came back: {found}"
