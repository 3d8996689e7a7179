"""A trajectory as messages: what the model was shown and what it wrote, picture by picture.

`<image>` stands where a picture's pixels go, right after its handle, and nowhere else; the
number of placeholders equals the number of pictures.
"""

import json
import re
from dataclasses import dataclass

from hopsight.harness.render import opening, parts
from hopsight.types import ImageRef, Task, Trajectory, Turn

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
    for number, turn in enumerate(trajectory.turns):
        _check_text(turn, number)
        if turn.calls:
            messages += [_call_message(turn, number), _observation_message(turn, bank)]
        elif number == len(trajectory.turns) - 1:
            messages.append(Message("gpt", turn.text))
        else:
            raise UnexportableError("turn_without_call", f"turn {number} neither calls nor ends")
    if messages[-1].role != "gpt":
        raise UnexportableError("no_final_turn", f"turn {len(trajectory.turns) - 1} is not final")
    return messages


def _call_message(turn: Turn, number: int) -> Message:
    calls = []
    for call in turn.calls:
        try:
            arguments = json.loads(call.arguments)
        except ValueError as error:
            raise UnexportableError(
                "malformed_call", f"turn {number}: arguments of {call.name} are not JSON"
            ) from error
        calls.append({"name": call.name, "arguments": arguments})
    said = json.dumps(calls if len(calls) > 1 else calls[0], ensure_ascii=False)
    return Message("function_call", f"<think>\n{turn.text}\n</think>\n\n{said}")


def _observation_message(turn: Turn, bank: dict[int, ImageRef]) -> Message:
    """All observations of a turn in one message: trainers drop a second one in a row."""
    texts: list[str] = []
    images: list[ImageRef] = []
    for observation in turn.observations:
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


def _check_text(turn: Turn, number: int) -> None:
    """What the assistant wrote is trained on as it stands, so it may hold no template marks."""
    found = _MARKS.search(turn.text)
    if found:
        raise UnexportableError("template_mark", f"turn {number} holds {found.group()!r}")
