"""One episode: a policy, its tools and its image bank, from the task to a stop with a reason."""

import asyncio
import time
from collections.abc import Callable

from hopsight.errors import ProviderError
from hopsight.harness.bank import ImageBank
from hopsight.harness.counters import Counters
from hopsight.harness.execute import Executed, execute, not_run, written
from hopsight.harness.guard import LeakGuard
from hopsight.harness.policy import AssistantTurn, EpisodeView, Policy, Remaining
from hopsight.harness.render import clip, storable
from hopsight.harness.setting import Setting
from hopsight.harness.tools.base import MAX_ARGUMENT_CHARS
from hopsight.llm.failures import ModelError, Reason
from hopsight.types import (
    Observation,
    StopReason,
    Task,
    ToolCall,
    Trajectory,
    Turn,
    Usage,
)

NEITHER = (
    "Your turn held neither a tool call nor an answer. Call a tool, or give your final answer as "
    "<answer>…</answer>."
)


class Episode:
    """Drivable from outside: show `view()`, `take()` a turn, until `done`.

    The wall clock bounds the episode and is never recorded: a trajectory depends on the task, the
    turns and the backend's answers alone.
    """

    def __init__(
        self,
        task: Task,
        setting: Setting,
        seed: int,
        guard: LeakGuard | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._task = task
        self._setting = setting
        self._limits = limits = setting.limits
        self._seed = seed
        self._guard = guard
        self._clock = clock
        self._end = clock() + limits.wall_clock_s
        self._bank = ImageBank(task.images, setting.images, limits.max_images, limits.max_pixels)
        self._turns: tuple[Turn, ...] = ()
        self._call_ids: set[str] = set()
        self._counters = Counters(limits)
        self._answer: str | None = None
        self._stop: StopReason | None = None
        self._told = False
        self._notice = self._counters.near_limit()

    @property
    def done(self) -> bool:
        """Whether the episode has ended."""
        return self._stop is not None

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns so far."""
        return self._turns

    @property
    def stop_reason(self) -> StopReason | None:
        """Why it ended; None while it runs."""
        return self._stop

    @property
    def seconds_left(self) -> float:
        """Wall-clock time left, never below 0."""
        return max(0.0, self._end - self._clock())

    def view(self) -> EpisodeView:
        """What the policy may see now."""
        return EpisodeView(
            task=self._task,
            turns=self._turns,
            tools=self._setting.tools.specs,
            remaining=Remaining(self._counters.turns_left, self._counters.calls_left),
            warning=self._notice,
            pixels=self._bank.pixels,
        )

    def stop(self, reason: StopReason) -> None:
        """End the episode from outside. The first reason stands."""
        self._stop = self._stop or reason

    async def take(self, turn: AssistantTurn) -> tuple[Observation, ...]:
        """Take a turn: run its calls, or end with its answer. One observation for each call."""
        if self.done:
            raise ValueError(f"the episode has ended: {self._stop}")
        if self.seconds_left <= 0:
            self.stop(StopReason.TIME_LIMIT)
            return ()
        calls = self._calls(turn)
        self._counters.begin_turn(
            len(turn.prompt_ids) or turn.prompt_tokens,
            len(turn.response_ids) or turn.completion_tokens,
        )
        observations: tuple[Observation, ...] = ()
        if calls:
            executed = await self._execute(calls)
            pairs = zip(calls, executed, strict=True)
            observations = tuple(self._observe(call, result) for call, result in pairs)
        else:
            self._answer = self._setting.tools.answer_in(storable(turn.text))
        self._notice = self._settle(bool(calls))
        self._turns = (*self._turns, self._record(turn, calls, observations))
        return observations

    def trajectory(self, question_id: str, policy: str, sample: int) -> Trajectory:
        """The record of an ended episode; the question's id comes in only here."""
        if self._stop is None:
            raise ValueError("the episode has not ended")
        return Trajectory(
            question_id=question_id,
            policy=policy,
            sample=sample,
            seed=self._seed,
            task=self._task,
            turns=self._turns,
            bank=self._bank.entries,
            final_answer=self._answer,
            stop_reason=self._stop,
            fatal_step=self._counters.fatal_step,
            usage=Usage(
                model_calls=self._counters.turns,
                tool_calls=self._counters.calls,
                images=len(self._bank),
                prompt_tokens=self._counters.prompt_tokens,
                completion_tokens=self._counters.completion_tokens,
            ),
        )

    def _calls(self, turn: AssistantTurn) -> tuple[ToolCall, ...]:
        """The calls in storable form, each with an id of its own within the episode."""
        calls = []
        for index, call in enumerate(turn.calls):
            call_id = storable(call.call_id)[:100]
            if not call_id or call_id in self._call_ids:
                call_id = f"call_{self._counters.turns}_{index}"
            while call_id in self._call_ids:
                call_id += "_"
            self._call_ids.add(call_id)
            # One character too many stays, so that the check of the arguments refuses it.
            arguments = storable(call.arguments)[: MAX_ARGUMENT_CHARS + 1]
            name = storable(call.name)[:100]
            calls.append(ToolCall(call_id=call_id, name=name, arguments=arguments))
        return tuple(calls)

    async def _execute(self, calls: tuple[ToolCall, ...]) -> list[Executed]:
        """Run the calls side by side; results in the order of the calls."""
        allowed = min(self._counters.calls_left, self._limits.max_calls_per_turn)
        timeout = min(self._limits.tool_timeout_s, self.seconds_left)
        self._counters.count_calls(len(calls), allowed)
        run = (
            execute(call, self._setting, self._bank, timeout, self._guard)
            for call in calls[:allowed]
        )
        done = list(await asyncio.gather(*run))
        if len(calls) > allowed:
            reason = (
                f"a turn may hold {self._limits.max_calls_per_turn} calls"
                if allowed == self._limits.max_calls_per_turn
                else f"the episode's limit of {self._limits.max_calls} calls is reached"
            )
            done += [not_run(reason)] * (len(calls) - allowed)
        return done

    def _observe(self, call: ToolCall, executed: Executed) -> Observation:
        """Register the pictures, write the text within its bound, count the outcome."""
        text, images = written(executed, self._bank, call.call_id)
        outcome = executed.result.outcome
        return Observation(
            call_id=call.call_id,
            text=text,
            images=images,
            outcome=outcome,
            repeat=self._counters.observe(executed.key, outcome, ran=not executed.refused),
            blocked=executed.blocked,
        )

    def _settle(self, called: bool) -> str | None:
        """Decide whether the episode ends; if not, what the policy is told."""
        if self._answer is not None:
            self.stop(StopReason.ANSWERED)
        elif not called and self._told:
            self.stop(StopReason.NO_ANSWER)
        else:
            reason = self._counters.stop_reason()
            if reason is None and self.seconds_left <= 0:
                reason = StopReason.TIME_LIMIT
            if reason is not None:
                self.stop(reason)
        if self.done:
            return None
        notices = [] if called else [NEITHER]
        self._told = self._told or not called
        near = self._counters.near_limit()
        return " ".join([*notices, near] if near else notices) or None

    def _record(
        self,
        turn: AssistantTurn,
        calls: tuple[ToolCall, ...],
        observations: tuple[Observation, ...],
    ) -> Turn:
        return Turn(
            text=clip(storable(turn.text), self._limits.max_turn_chars),
            calls=calls,
            observations=observations,
            notice=self._notice,
            prompt_ids=turn.prompt_ids,
            response_ids=turn.response_ids,
            logprobs=turn.logprobs,
            weights=turn.weights,
        )


async def run_episode(
    task: Task,
    policy: Policy,
    setting: Setting,
    seed: int,
    question_id: str,
    sample: int,
    guard: LeakGuard | None = None,
    watch: Callable[[Turn], None] = lambda turn: None,
) -> Trajectory:
    """Play one episode to its end.

    `question_id` only labels the record and `guard` knows the answer: no policy sees either.
    `watch` is told each turn with its observations as it ends.
    """
    episode = Episode(task, setting, seed, guard)
    session = policy.begin(seed)
    while not episode.done:
        scope = asyncio.timeout(episode.seconds_left)
        try:
            async with scope:
                turn = await session.act(episode.view())
        except ProviderError as error:
            episode.stop(_stop_of(error))
        except TimeoutError:
            if not scope.expired():
                raise
            # No turn came in time, be it for a queue, a rate or an outage: nothing was answered.
            episode.stop(StopReason.POLICY_FAILED)
        else:
            await episode.take(turn)
            if episode.turns:
                watch(episode.turns[-1])
    return episode.trajectory(question_id, policy.name, sample)


def _stop_of(error: ProviderError) -> StopReason:
    """A conversation that no longer fits the model is the policy's own doing, no outage."""
    full = isinstance(error, ModelError) and error.reason is Reason.TOO_LARGE
    return StopReason.CONTEXT_LIMIT if full else StopReason.POLICY_FAILED
