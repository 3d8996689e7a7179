"""How the command speaks: one console, stage lines while a round is made."""

import logging
import time

from rich.console import Console
from rich.markup import escape

console = Console(highlight=False)

STAGE_LOGGER = "hopsight.stages"


class StageLines(logging.Handler):
    """Shows each stage as it begins and ends. Fed by the log records of `assets.wiring`."""

    def __init__(self) -> None:
        super().__init__(level=logging.INFO)
        self._began = time.monotonic()

    def emit(self, record: logging.LogRecord) -> None:
        """One line per finished stage; on a terminal also the one that is under way."""
        figures = getattr(record, "figures", None)
        stage = getattr(record, "stage", None)
        if stage is None:
            return
        if figures is None:
            if console.is_terminal:
                console.print(f"  [dim]{escape(stage)} …[/dim]", end="\r")
            return
        kept, rejected, seconds = figures
        lost = f", {rejected:,} rejected" if rejected else ""
        console.print(f"  {escape(stage):<24} {seconds:5.1f} s   {kept:,} kept{lost}\x1b[K")


def stage_lines() -> StageLines:
    """Attach a handler to the stage logger; detach it with `removeHandler`."""
    handler = StageLines()
    logger = logging.getLogger(STAGE_LOGGER)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    logger.addHandler(handler)
    return handler
