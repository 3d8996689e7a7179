"""An episode on the terminal, turn by turn as it is played."""

from rich.text import Text

from hopsight.harness.render import handle
from hopsight.types import Observation, ToolCall, Trajectory, Turn
from pipelines.terminal import console, visible

SHOWN_CHARS = 1_200


class EpisodeView:
    """Prints turns as they end. `whole` shows texts at full length."""

    def __init__(self, *, whole: bool) -> None:
        self._whole = whole
        self._number = 0

    def __call__(self, turn: Turn) -> None:
        """Print one turn: what the policy said and called, and what came back."""
        self._number += 1
        console.print(f"\n[bold]turn {self._number}[/bold]")
        self._tell(turn.text, "")
        for call, observation in zip(turn.calls, turn.observations, strict=True):
            self._tell(_asked(call), "cyan")
            self._tell(_gave(observation), "dim")
            self._tell(observation.text, "", indent=4)
        if turn.notice is not None:
            self._tell(f"told: {turn.notice}", "yellow")

    def end(self, played: Trajectory) -> None:
        """Print how it ended and what it used."""
        console.print()
        if played.final_answer is not None:
            self._tell(f"answer   {played.final_answer}", "bold green")
        used = played.usage
        tokens = used.prompt_tokens + used.completion_tokens
        told = f", {tokens:,} tokens" if tokens else ""
        self._tell(
            f"stopped  {played.stop_reason} after {used.model_calls} turns, {used.tool_calls} "
            f"tool calls, {used.images} pictures{told}",
            "",
        )
        if played.blocked:
            self._tell(f"flagged  it went for what is blocked: {', '.join(played.blocked)}", "red")

    def _tell(self, said: str, style: str, indent: int = 0) -> None:
        if not said.strip():
            return
        shown = said if self._whole or len(said) <= SHOWN_CHARS else f"{said[:SHOWN_CHARS]} […]"
        # Folded here and not by the terminal, so that every line keeps its indent.
        for line in Text(visible(shown), style=style).wrap(console, console.width - indent):
            line.rstrip()
            margin = " " * indent if line.plain else ""
            console.print(Text(margin).append_text(line), soft_wrap=True)


def _asked(call: ToolCall) -> str:
    return f"→ {call.name} {call.arguments}"


def _gave(observation: Observation) -> str:
    pictures = " ".join(map(handle, observation.images))
    told = [f"← {observation.outcome}", pictures, "(asked before)" if observation.repeat else ""]
    return " ".join(filter(None, told))
