"""Where episodes play: what their tools work with, the picture store, the tools and the limits."""

from dataclasses import dataclass, field

from hopsight.harness.bank import Pictures
from hopsight.harness.limits import Limits
from hopsight.harness.toolset import Toolset
from hopsight.harness.workbench import Workbench


@dataclass(frozen=True, slots=True)
class Setting:
    """Shared by all episodes of a process. `tools` that the bench cannot serve are refused."""

    bench: Workbench
    images: Pictures
    limits: Limits = field(default_factory=Limits)
    tools: Toolset = field(default_factory=Toolset)

    def __post_init__(self) -> None:
        self.tools.check(self.bench)
