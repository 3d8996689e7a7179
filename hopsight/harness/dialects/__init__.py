"""Dialects: the tools, arguments, boxes and message tags of other systems, run by our tools."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from hopsight.harness.dialects.dialect import Dialect
from hopsight.harness.dialects.mm_deepresearch import MM_DEEPRESEARCH
from hopsight.harness.dialects.ode import ODE
from hopsight.harness.dialects.opensearch_vl import OPENSEARCH_VL
from hopsight.harness.dialects.own import HOPSIGHT
from hopsight.harness.dialects.tags import (
    Tags,
    read_answer,
    read_calls,
    without_calls,
    write_answer,
    write_call,
    write_observation,
)

DIALECTS: Final[Mapping[str, Dialect]] = MappingProxyType(
    {each.name: each for each in (HOPSIGHT, ODE, OPENSEARCH_VL, MM_DEEPRESEARCH)}
)

__all__ = [
    "DIALECTS",
    "Dialect",
    "Tags",
    "read_answer",
    "read_calls",
    "without_calls",
    "write_answer",
    "write_call",
    "write_observation",
]
