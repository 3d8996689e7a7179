"""What an episode has used, how its errors run, and which limit that meets."""

from hopsight.errors import Outcome
from hopsight.harness.limits import Limits
from hopsight.types import StopReason

CONTEXT_WARNING = 0.8
ANSWER_NOW = "Give your final answer now as <answer>…</answer>."


class Counters:
    """Counts of one episode. `fatal_step` is the turn where a fatal run of errors began."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.turns = 0
        self.calls = 0
        self.prompt_tokens = 0
        self.completion_tokens = 0
        self.fatal_step: int | None = None
        self._context = 0
        self._refused_calls = False
        self._errors = 0
        self._errors_from = 0
        self._errors_transient = True
        self._fatal: StopReason | None = None
        self._repeats = 0
        self._answered: set[str] = set()

    @property
    def turns_left(self) -> int:
        """Turns that the policy may still take."""
        return max(0, self._limits.max_turns - self.turns)

    @property
    def calls_left(self) -> int:
        """Tool calls that it may still make."""
        return max(0, self._limits.max_calls - self.calls)

    def begin_turn(self, prompt_tokens: int, completion_tokens: int) -> None:
        """Count a turn and, where the policy knows them, its tokens."""
        self.turns += 1
        self.prompt_tokens += prompt_tokens
        self.completion_tokens += completion_tokens
        self._context = prompt_tokens + completion_tokens

    def count_calls(self, asked: int, allowed: int) -> None:
        """Count the calls of a turn that are run."""
        self._refused_calls = asked > self.calls_left
        self.calls += min(asked, allowed)

    def observe(self, key: str | None, outcome: Outcome, ran: bool) -> bool:
        """Count an outcome; True where the same call was answered before (a repeat).

        Trying again after an error is no repeat. A call that was not run counts as nothing.
        """
        if not ran:
            return False
        self._count_error(outcome)
        repeat = key is not None and key in self._answered
        self._repeats = self._repeats + 1 if repeat else 0
        if key is not None and not outcome.counts_as_error:
            self._answered.add(key)
        return repeat

    def stop_reason(self) -> StopReason | None:
        """The limit that is met, None if none is."""
        limit = self._limits.max_context_tokens
        if self._fatal is not None:
            return self._fatal
        if self._repeats >= self._limits.max_repeats:
            return StopReason.REPETITION
        if self._refused_calls:
            return StopReason.CALL_LIMIT
        if limit is not None and self._context >= limit:
            return StopReason.CONTEXT_LIMIT
        if self.turns_left == 0:
            return StopReason.TURN_LIMIT
        return None

    def near_limit(self) -> str | None:
        """What the policy is told where a limit is near."""
        limit = self._limits.max_context_tokens
        if self.turns_left == 1:
            return f"This is your last turn. {ANSWER_NOW}"
        if self.turns_left <= self._limits.warn_turns:
            return f"Only {self.turns_left} turns are left. {ANSWER_NOW}"
        if self.calls_left == 0:
            return f"No tool calls are left. {ANSWER_NOW}"
        if self.calls_left <= self._limits.warn_calls:
            return f"Tool calls left: {self.calls_left}. Prepare to answer."
        if limit is not None and self._context >= CONTEXT_WARNING * limit:
            return f"The context is almost full. {ANSWER_NOW}"
        return None

    def _count_error(self, outcome: Outcome) -> None:
        if self._fatal is not None:
            return
        if not outcome.counts_as_error:
            self._errors = 0
            return
        if self._errors == 0:
            self._errors_from, self._errors_transient = self.turns - 1, True
        self._errors += 1
        self._errors_transient = self._errors_transient and outcome is Outcome.TRANSIENT
        if self._errors >= self._limits.fatal_after:
            self.fatal_step = self._errors_from
            transient = self._errors_transient
            self._fatal = StopReason.INFRA_FATAL if transient else StopReason.FATAL
