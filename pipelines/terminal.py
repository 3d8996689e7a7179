"""How the command speaks: one console, outside text made harmless, stage lines."""

import logging
import os
import unicodedata

from rich.console import Console
from rich.control import Control
from rich.markup import escape
from rich.segment import ControlType

UNFOLDED = 100_000
"""Columns where nobody looks at a screen: `grep` and `cut` want whole lines."""

STAGE_LOGGER = "hopsight.stages"


def make_console() -> Console:
    """A console that folds lines on a terminal alone, unless COLUMNS asks for it."""
    # Emoji codes would change what a page or a model says, such as ":heart:".
    made = Console(highlight=False, emoji=False)
    if not made.is_terminal and "COLUMNS" not in os.environ:
        made.width = UNFOLDED
    return made


console = make_console()


def visible(text: str) -> str:
    """Outside text without the characters that would steer a terminal; they become \ufffd."""
    return "".join(
        mark if mark in "\n\t" or unicodedata.category(mark) != "Cc" else "\ufffd" for mark in text
    )


def plain(text: str) -> str:
    """Outside text as it is to be read: neither control characters nor markup of the console."""
    return escape(visible(text))


class StageLines(logging.Handler):
    """Shows each stage as it begins and ends. Fed by the log records of `assets.wiring`."""

    def __init__(self) -> None:
        super().__init__(level=logging.INFO)

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
        if console.is_terminal:
            console.control(Control((ControlType.ERASE_IN_LINE, 0)))
        console.print(f"  {escape(stage):<24} {seconds:5.1f} s   {kept:,} kept{lost}")


def stage_lines() -> StageLines:
    """Attach a handler to the stage logger; detach it with `removeHandler`."""
    handler = StageLines()
    logger = logging.getLogger(STAGE_LOGGER)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    logger.addHandler(handler)
    return handler
