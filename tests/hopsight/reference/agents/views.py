"""Hand-made pages, pictures and observations for agents."""

from collections.abc import Callable
from dataclasses import dataclass, field

from hopsight.errors import Outcome
from hopsight.harness.policy import AssistantTurn, EpisodeView, Remaining
from hopsight.types import ImageRef, Observation, Task, ToolCall, Turn
from tests.hopsight.reference.agents.drawn import bands, png

BASE = "https://example.org/wiki/"
PICTURE = ImageRef(
    sha256="0" * 64,
    mime="image/png",
    width=512,
    height=512,
    source_url="https://example.org/a.png",
    license="CC0-1.0",
    author="nobody",
)


def url(title: str) -> str:
    """The address of a page."""
    return BASE + title.replace(" ", "_")


def link(title: str) -> str:
    """A link as a visit shows it."""
    return f"[{title}]({url(title)})"


def page(title: str, rows: dict[str, str], *prose: str) -> str:
    """The Markdown of a visit."""
    table = "".join(f"| {label} | {value} |\n" for label, value in rows.items())
    return f"# {title}\n\n| attribute | value |\n| --- | --- |\n{table}\n" + "\n\n".join(prose)


@dataclass
class Shelf:
    """Tools over a few pages; `shown_by` names the page of each handle that is recognised.

    `gallery` holds the pictures that a search for a title finds.
    """

    pages: dict[str, str]
    shown_by: dict[str, str]
    asked: list[tuple[str, str]] = field(default_factory=list)
    pictures: int = 1
    gallery: dict[str, bytes] = field(default_factory=dict)
    shown: dict[int, bytes] = field(default_factory=dict)

    def answer(self, call: ToolCall, arguments: dict[str, object]) -> Observation:
        """What a call brings."""
        value = str(arguments.get("url") or arguments.get("query") or arguments.get("image"))
        self.asked.append((call.name, value))
        text = ""
        images: tuple[int, ...] = ()
        if call.name == "visit":
            text = self.pages.get(value, "")
        elif call.name == "visual_search" and value in self.shown_by:
            title = self.shown_by[value]
            text = f"1. <image:9> on the page {title}\n   {url(title)}\n"
        elif call.name == "image_search" and value in self.gallery:
            images = (self.pictures,)
            self.shown[self.pictures] = self.gallery[value]
            text = f"1. <image:{self.pictures}> on the page {value}\n   {url(value)}\n"
            self.pictures += 1
        elif call.name in {"rotate", "flip", "zoom_in"}:
            images = (self.pictures,)
            text = f"Made: <image:{self.pictures}>"
            self.pictures += 1
        return Observation(
            call_id=call.call_id,
            text=text,
            images=images,
            outcome=Outcome.OK if text else Outcome.EMPTY,
        )


TASK_PICTURE = png(bands(["red", "white", "green"]))


def unseen(handle: int) -> bytes:
    """Pixels of the task's picture; nobody should ask for those of others."""
    assert handle == 0, "nothing is told of looks, so no other picture needs to be looked at"
    return TASK_PICTURE


def view(
    text: str,
    turns: tuple[Turn, ...],
    warning: str | None = None,
    pixels: Callable[[int], bytes] = unseen,
) -> EpisodeView:
    """What a policy is shown."""
    return EpisodeView(
        Task(text=text, images=(PICTURE,)), turns, (), Remaining(50, 100), warning, pixels
    )


def turn_of(said: AssistantTurn, observations: tuple[Observation, ...]) -> Turn:
    """A turn as the harness keeps it."""
    return Turn(text=said.text, calls=said.calls, observations=observations)
