"""Running steps: ask, check, show a failed check back once, and refuse with a reason."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from hopsight.errors import ConfigError, ProviderError
from hopsight.harness.render import clip
from hopsight.llm.chat import ChatAnswer, ChatMessage, ChatRequest
from hopsight.llm.prompts import as_data
from hopsight.llm.structured import Complete, Refused, ask
from hopsight.steps.step import I, O, Step
from hopsight.waiting import all_done

AskFor = Callable[[str], Complete | None]
"""Gives, for the id of a record, how a role is asked at its cost; None for rules."""

T = TypeVar("T")
R = TypeVar("R")

_SHOWN = 2_000


@dataclass(slots=True)
class _Listening:
    """Asks, counts, and keeps the last request and the text that answered it."""

    complete: Complete
    calls: int = 0
    last: tuple[ChatRequest, str] | None = field(default=None)

    async def __call__(self, request: ChatRequest, sample: int) -> ChatAnswer:
        self.calls += 1
        answer = await self.complete(request, sample)
        self.last = (request, answer.text)
        return answer


async def run_step(
    step: Step[I, O], item: I, complete: Complete | None, sample: int = 0, repairs: int = 2
) -> O | Refused:
    """The answer to one step, by the model behind `complete`, or by rule where that is None.

    An answer that fails the step's check is shown back once, within the `repairs` of the whole
    step. What is refused tells why: its text is no usable value, or "check_failed".

    Raises:
        ProviderError: infrastructure failed; BudgetExceeded: the call was not made.
    """
    if complete is None:
        return _by_rule(step, item)
    listening = _Listening(complete)
    request = ChatRequest(
        messages=step.prompt.render(step.fill(item), step.pictures(item)),
        max_tokens=step.max_tokens,
    )
    answer = await _asked(step, item, listening, request, sample, repairs)
    left = repairs + 1 - listening.calls
    if not isinstance(answer, Refused) or answer.reason != "check_failed" or left < 1:
        return answer
    corrected = _with_problem(listening, answer.detail)
    return await _asked(step, item, listening, corrected, sample, left - 1)


async def each_of(
    work: Callable[[T], Awaitable[R]], items: Sequence[T], *, concurrency: int
) -> list[R]:
    """What `work` makes of each item, in their order; at most `concurrency` are under way.

    The first error ends the run: what was begun is waited for, nothing more is begun, and the
    error is raised. Raises ConfigError for a concurrency below 1.
    """
    if concurrency < 1:
        raise ConfigError(f"{concurrency} calls at once", "allow at least one")
    results: dict[int, R] = {}
    todo = iter(enumerate(items))

    async def works() -> None:
        for place, item in todo:
            try:
                results[place] = await work(item)
            except BaseException:
                list(todo)  # nothing is left for the other workers to begin
                raise

    await all_done(works() for _ in range(concurrency))
    return [results[place] for place in range(len(items))]


async def each_despite_outages(
    work: Callable[[T], Awaitable[R]],
    items: Sequence[T],
    lost: Callable[[T, ProviderError], R],
    *,
    concurrency: int,
) -> list[R]:
    """As `each_of`; an item that infrastructure failed for is what `lost` tells of it.

    Raises ProviderError where infrastructure failed for every item.
    """

    async def tried(item: T) -> R | ProviderError:
        try:
            return await work(item)
        except ProviderError as error:
            return error

    found = await each_of(tried, items, concurrency=concurrency)
    outages = [each for each in found if isinstance(each, ProviderError)]
    if outages and len(outages) == len(found):
        raise outages[0]
    return [
        lost(item, each) if isinstance(each, ProviderError) else each
        for item, each in zip(items, found, strict=True)
    ]


def _by_rule(step: Step[I, O], item: I) -> O | Refused:
    answer = step.reference(item)
    wrong = step.check(item, answer)
    if wrong is None:
        return answer
    return Refused("check_failed", wrong, answer.model_dump_json()[:_SHOWN], attempts=0)


async def _asked(
    step: Step[I, O],
    item: I,
    listening: _Listening,
    request: ChatRequest,
    sample: int,
    repairs: int,
) -> O | Refused:
    answer = await ask(listening, request, step.output, repairs=repairs, sample=sample)
    if isinstance(answer, Refused):
        return replace(answer, attempts=listening.calls)
    wrong = step.check(item, answer)
    if wrong is None:
        return answer
    raw = answer.model_dump_json()[:_SHOWN]
    return Refused("check_failed", wrong, raw, listening.calls)


def _with_problem(listening: _Listening, problem: str) -> ChatRequest:
    """The last request with the answer to it and what is wrong with that."""
    assert listening.last is not None
    request, text = listening.last
    told = (
        "That answer cannot be used. What is wrong with it:\n"
        f"{as_data('problem', clip(problem, _SHOWN))}\n"
        "Answer again with one JSON object and nothing else."
    )
    messages = (
        *request.messages,
        ChatMessage(role="assistant", content=(clip(text, _SHOWN),)),
        ChatMessage(role="user", content=(told,)),
    )
    return request.model_copy(update={"messages": messages})
