"""The view of an episode as the messages of a chat."""

from hopsight.harness.policies.styles import Style
from hopsight.harness.policy import EpisodeView
from hopsight.harness.render import opening, parts
from hopsight.llm.chat import ChatMessage, Picture
from hopsight.types import Turn

INTRODUCTION = (
    "You answer questions about pictures by looking, searching and reading. Pictures have handles "
    "such as <image:0>; tools take handles and bring new ones. Check what you find."
)
BLIND = " You cannot see the pictures themselves: give their handles to tools."


def introduction(*, sees: bool) -> str:
    """What a policy is told before its task."""
    return INTRODUCTION + ("" if sees else BLIND)


def conversation(view: EpisodeView, style: Style, *, sees: bool) -> tuple[ChatMessage, ...]:
    """System, task, then each turn with what its calls gave back, then what the policy is told.

    Pixels stand right behind their handles where the model `sees`; a model that does not is told
    so and gets the handles alone.
    """
    told = introduction(sees=sees)
    messages = [
        ChatMessage(role="system", content=(style.show(f"{told}\n\n{style.rules(view.tools)}"),)),
        _user(view, opening(view.task.text, len(view.task.images)),
              tuple(range(len(view.task.images))), style, sees=sees),
    ]  # fmt: skip
    for turn in view.turns:
        messages.append(style.retell(turn))
        messages += _results(view, turn, style, sees=sees)
    if not view.turns and view.warning is not None:
        messages.append(ChatMessage(role="user", content=(style.show(view.warning),)))
    return tuple(messages)


def _results(view: EpisodeView, turn: Turn, style: Style, *, sees: bool) -> list[ChatMessage]:
    """Observations, then the notice of the turn; an endpoint's tool messages hold text alone."""
    messages = []
    shown: list[int] = []
    for observation in turn.observations:
        if style.by_call:
            messages.append(
                ChatMessage(
                    role="tool", content=(observation.text,), tool_call_id=observation.call_id
                )
            )
            shown += observation.images
        else:
            messages.append(
                _user(view, style.tell(observation), observation.images, style, sees=sees)
            )
    if shown and sees:
        messages.append(_user(view, "The pictures:", tuple(shown), style, sees=True))
    if turn.notice is not None:
        messages.append(ChatMessage(role="user", content=(style.show(turn.notice),)))
    return messages


def _user(
    view: EpisodeView, text: str, images: tuple[int, ...], style: Style, *, sees: bool
) -> ChatMessage:
    if not sees:
        return ChatMessage(role="user", content=(style.show(text),))
    content = tuple(
        Picture.of(view.pixels(part)) if isinstance(part, int) else style.show(part)
        for part in parts(text, images)
    )
    return ChatMessage(role="user", content=content)
