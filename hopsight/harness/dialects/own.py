"""Our own dialect: calls pass as they are, and are checked where they run."""

from types import MappingProxyType
from typing import Final

from hopsight.harness.bank import ImageBank
from hopsight.harness.dialects.arguments import Arguments
from hopsight.harness.dialects.dialect import Canonical, Dialect, DialectTool
from hopsight.harness.dialects.tags import Tags
from hopsight.harness.policy import ToolSpec
from hopsight.harness.render import handle
from hopsight.harness.tools import SPECS


def _as_it_is(arguments: Arguments, bank: ImageBank) -> tuple[Canonical, ...]:
    return (arguments.everything(),)


def _back(values: Canonical, bank: ImageBank) -> Canonical:
    return values


def _tool(told_as: ToolSpec) -> DialectTool:
    return DialectTool(told_as, told_as.name, _as_it_is, _back)


HOPSIGHT: Final = Dialect(
    name="hopsight",
    tags=Tags(),
    tools=MappingProxyType({each.name: _tool(each) for each in SPECS}),
    reference=handle,
)
