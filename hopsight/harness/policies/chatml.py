"""An episode as ChatML text, in pieces that are only ever appended."""

from dataclasses import dataclass

from hopsight.harness.policies import text
from hopsight.harness.policies.conversation import introduction
from hopsight.harness.policies.listing import result
from hopsight.harness.policy import EpisodeView
from hopsight.harness.render import opening, parts
from hopsight.types import Turn

START, END = "<|im_start|>", "<|im_end|>"
QWEN_PICTURE = "<|vision_start|><|image_pad|><|vision_end|>"


@dataclass(frozen=True, slots=True)
class ChatMl:
    """The chat template of Qwen models. `picture` stands for the pixels of one picture.

    None is for a model that sees none: handles stand alone. What comes from outside holds no
    mark of the template, since the harness has made such marks harmless.
    """

    picture: str | None = QWEN_PICTURE

    def begin(self, view: EpisodeView) -> str:
        """System message and task, up to where the assistant's first turn begins."""
        told = f"{introduction(sees=self.picture is not None)}\n\n{text.rules(view.tools)}"
        task = opening(view.task.text, len(view.task.images))
        first = self._message("user", self._told(task, tuple(range(len(view.task.images)))))
        warning = self._message("user", view.warning) if view.warning is not None else ""
        return f"{self._message('system', told)}{first}{warning}{START}assistant\n"

    def after(self, turn: Turn) -> str:
        """What follows a turn: the results of its calls and its notice, up to the next turn."""
        results = [
            self._message("user", self._told(result(each), each.images))
            for each in turn.observations
        ]
        notice = self._message("user", turn.notice) if turn.notice is not None else ""
        return f"\n{''.join(results)}{notice}{START}assistant\n"

    def pictures(self, turn: Turn | None, view: EpisodeView) -> tuple[int, ...]:
        """Handles whose pixels a piece asks for, in order: those of the task, or of a turn."""
        if self.picture is None:
            return ()
        if turn is None:
            return tuple(range(len(view.task.images)))
        return tuple(
            part
            for each in turn.observations
            for part in parts(each.text, each.images)
            if isinstance(part, int)
        )

    def _message(self, role: str, content: str) -> str:
        return f"{START}{role}\n{content}{END}\n"

    def _told(self, said: str, images: tuple[int, ...]) -> str:
        if self.picture is None:
            return said
        return "".join(
            self.picture if isinstance(part, int) else part for part in parts(said, images)
        )
