"""What the tools of all episodes of a process work with, beside each episode's image bank."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hopsight.harness.backends import SearchBackend
from hopsight.harness.guard import Blocklist
from hopsight.harness.reading import PageReader, Passages

if TYPE_CHECKING:
    from hopsight.harness.sandbox import PythonSandbox
    from hopsight.imaging import LayoutParser, Upscaler


@dataclass(frozen=True, slots=True)
class Workbench:
    """A backend and the engines that are there. A tool whose engine is None is refused at start."""

    backend: SearchBackend
    blocklist: Blocklist = field(default_factory=Blocklist)
    python: "PythonSandbox | None" = None
    layout: "LayoutParser | None" = None
    upscaler: "Upscaler | None" = None
    reader: PageReader = field(default_factory=Passages)
