"""Reading the arguments of a call as another system writes them: checked, and none left over."""

import json
import math
from typing import Any, Final

from hopsight.errors import Outcome, ToolError
from hopsight.types import ToolCall

MAX_CHARS: Final = 100_000
MAX_QUERIES: Final = 8
"""How many queries or addresses one call may hold."""


class Arguments:
    """The arguments of one call. Each reader raises ToolError (invalid_args) that says what is
    wrong; `end` does where arguments were given that no reader asked for.
    """

    def __init__(self, call: ToolCall) -> None:
        self._tool = call.name
        self._values = _object(call)
        self._read: set[str] = set()

    def has(self, name: str) -> bool:
        """Whether an argument is given, and is not null."""
        return self._values.get(name) is not None

    def text(self, name: str, default: str | None = None) -> str:
        """An argument that is text, or a list of exactly one."""
        found = self.texts(name) if self.has(name) or default is None else (default,)
        if len(found) != 1:
            raise self.fault(f"{name}: give one, not {len(found)}")
        return found[0]

    def texts(self, name: str) -> tuple[str, ...]:
        """An argument that is text or a list of texts, at most MAX_QUERIES."""
        value = self._take(name)
        items = value if isinstance(value, list) else [value]
        if not items or len(items) > MAX_QUERIES:
            raise self.fault(f"{name}: give 1 to {MAX_QUERIES}, not {len(items)}")
        for item in items:
            if not isinstance(item, str) or not item.strip():
                raise self.fault(f"{name}: give text, not {json.dumps(item)[:60]}")
        return tuple(items)

    def optional_text(self, name: str) -> str:
        """An argument that is text and may be left out or blank: then it is empty."""
        self._read.add(name)
        value = self._values.get(name)
        if value is not None and not isinstance(value, str):
            raise self.fault(f"{name}: give text, not {json.dumps(value)[:60]}")
        return value or ""

    def number(self, name: str, default: float | None = None) -> float:
        """An argument that is a finite number, or text that spells one."""
        if default is not None and not self.has(name):
            self._read.add(name)
            return default
        return self._number(name, self._take(name))

    def numbers(self, name: str, count: int) -> tuple[float, ...]:
        """An argument that is a list of `count` numbers; one list inside a list counts too."""
        value = self._take(name)
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if not isinstance(value, list) or len(value) != count:
            raise self.fault(f"{name}: give a list of {count} numbers")
        return tuple(self._number(name, item) for item in value)

    def everything(self) -> dict[str, Any]:
        """All of them, unchecked."""
        self._read.update(self._values)
        return self._values

    def ignore(self, *names: str) -> None:
        """Arguments that have no counterpart and change nothing."""
        self._read.update(names)

    def end(self) -> None:
        """Raises ToolError where an argument was not asked for."""
        left = sorted(set(self._values) - self._read)
        if left:
            raise self.fault(f"unknown arguments: {', '.join(left)[:200]}")

    def fault(self, what: str) -> ToolError:
        """The error that tells the policy what is wrong with its call."""
        return ToolError(Outcome.INVALID_ARGS, f"{self._tool[:60]}: {what}")

    def _take(self, name: str) -> Any:
        self._read.add(name)
        value = self._values.get(name)
        if value is None:
            raise self.fault(f"{name} is missing")
        return value

    def _number(self, name: str, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise self.fault(f"{name}: give a number, not {json.dumps(value)[:60]}")
        try:
            number = float(value)
        except (ValueError, OverflowError):
            number = math.nan
        if not math.isfinite(number):
            raise self.fault(f"{name}: give a number, not {json.dumps(value)[:60]}")
        return number


def _object(call: ToolCall) -> dict[str, Any]:
    def fault(what: str) -> ToolError:
        return ToolError(Outcome.INVALID_ARGS, f"{call.name[:60]}: {what}")

    if len(call.arguments) > MAX_CHARS:
        raise fault(f"the arguments are longer than {MAX_CHARS} characters")
    try:
        value = json.loads(call.arguments)
    except (ValueError, RecursionError) as error:
        raise fault(f"the arguments are no JSON object ({str(error)[:100]})") from error
    if not isinstance(value, dict):
        raise fault(f"the arguments are no JSON object but {type(value).__name__}")
    return value
