"""A trajectory as messages: what the model was shown and what it wrote, picture by picture.

`<image>` stands where a picture's pixels go, right after its handle, and nowhere else; the
number of placeholders equals the number of pictures.
"""

import json
import re
from dataclasses import dataclass

from hopsight.harness.render import opening, parts
from hopsight.types import ImageRef, Task, ToolCall, Trajectory, Turn

PLACEHOLDER = "<image>"
SYSTEM = (
    "You answer questions about pictures by looking, searching and reading. Pictures have "
    "handles such as <image:0>; tools take handles and bring new ones. Check what you find. "
    "When you know, reply without a tool call and put the answer alone between <answer> and "
    "</answer>."
)
_MARKS = re.compile(r"<image>|<\|[a-z_]+\|>|</?(?:tool_call|tool_response|think)>", re.IGNORECASE)


class UnexportableError(Exception):
    """A trajectory that cannot be a training row; `reason` is short, `detail` names the turn."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Message:
    """One ShareGPT message and the pictures whose placeholders it holds, in order."""

    role: str
    text: str
    images: tuple[ImageRef, ...] = ()


def task_message(task: Task) -> Message:
    """The first message: pictures by handle, then the question."""
    shown = dict(enumerate(task.images))
    return _with_pictures("human", opening(task.text, len(task.images)), shown)


def trajectory_messages(trajectory: Trajectory) -> list[Message]:
    """Alternating human, function_call, observation, …, gpt. Raises UnexportableError."""
    bank = {entry.handle: entry.image for entry in trajectory.bank}
    messages = [task_message(trajectory.task)]
    if not trajectory.turns:
        raise UnexportableError("no_final_turn", "there is no turn at all")
    for number, turn in enumerate(trajectory.turns):
        _check_text(turn.text, f"turn {number}")
        if turn.calls:
            messages += [_call_message(turn, number), _observation_message(turn, number, bank)]
        elif number == len(trajectory.turns) - 1:
            messages.append(Message("gpt", turn.text))
        else:
            raise UnexportableError("turn_without_call", f"turn {number} neither calls nor ends")
    if messages[-1].role != "gpt":
        raise UnexportableError("no_final_turn", f"turn {len(trajectory.turns) - 1} is not final")
    return messages


def _call_message(turn: Turn, number: int) -> Message:
    calls = [{"name": call.name, "arguments": _arguments(call, number)} for call in turn.calls]
    said = json.dumps(calls if len(calls) > 1 else calls[0], ensure_ascii=False)
    _check_text(said, f"a call of turn {number}")
    return Message("function_call", f"<think>\n{turn.text}\n</think>\n\n{said}")


def _arguments(call: ToolCall, number: int) -> dict[str, object]:
    """The arguments of a call, as a model wrote them: anything may stand there."""
    try:
        found = json.loads(call.arguments, parse_constant=_refuse)
        json.dumps(found, ensure_ascii=False).encode()  # a lone surrogate is no text
    except (ValueError, RecursionError) as error:
        raise UnexportableError(
            "malformed_call", f"turn {number}: arguments of {call.name} are not JSON"
        ) from error
    if not isinstance(found, dict):
        raise UnexportableError(
            "malformed_call", f"turn {number}: arguments of {call.name} are no JSON object"
        )
    return found


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is not JSON")


def _observation_message(turn: Turn, number: int, bank: dict[int, ImageRef]) -> Message:
    """All observations of a turn in one message: trainers drop a second one in a row."""
    if len(turn.observations) != len(turn.calls):
        raise UnexportableError(
            "observation_missing",
            f"turn {number}: {len(turn.observations)} observations of {len(turn.calls)} calls",
        )
    texts: list[str] = []
    images: list[ImageRef] = []
    for observation in turn.observations:
        unknown = [handle for handle in observation.images if handle not in bank]
        if unknown:
            raise UnexportableError("unknown_picture", f"turn {number}: no <image:{unknown[0]}>")
        _check_text(observation.text, f"an observation of turn {number}")
        shown = {handle: bank[handle] for handle in observation.images}
        message = _with_pictures("observation", observation.text, shown)
        texts.append(message.text)
        images += message.images
    if turn.notice is not None:
        texts.append(turn.notice)  # the policy saw it, so the trained context must hold it
    return Message("observation", "\n\n".join(texts), tuple(images))


def _with_pictures(role: str, text: str, shown: dict[int, ImageRef]) -> Message:
    """Put a placeholder behind each handle whose pixels stand there."""
    pieces: list[str] = []
    images: list[ImageRef] = []
    for part in parts(text, tuple(shown)):
        if isinstance(part, int):
            pieces.append(PLACEHOLDER)
            images.append(shown[part])
        else:
            pieces.append(part)
    joined = "".join(pieces)
    if joined.count(PLACEHOLDER) != len(images):
        raise UnexportableError(
            "placeholder_mismatch",
            f"{joined.count(PLACEHOLDER)} placeholders for {len(images)} pictures in {role}",
        )
    return Message(role, joined, tuple(images))


def _check_text(text: str, where: str) -> None:
    """What stands in a row is read through a chat template, so it may hold no marks of one."""
    found = _MARKS.search(text)
    if found:
        raise UnexportableError("template_mark", f"{where} holds {found.group()!r}")
