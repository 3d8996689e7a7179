"""Programs that a model writes, run where they can harm nothing and reach nothing.

`open_sandbox` gives a pool of single-use sandboxes. Two ways exist, the first that passes its
self-test is used: namespaces (a root, a network and processes of its own), or Landlock where a
container grants none; in both a hand-made list of system calls and limits on everything.
"""

from hopsight.harness.sandbox.limits import (
    Exit,
    PythonSandbox,
    SandboxLimits,
    SandboxResult,
)
from hopsight.harness.sandbox.opening import WAYS, open_sandbox
from hopsight.harness.sandbox.pool import SandboxPool
from hopsight.harness.sandbox.worker import WayName

__all__ = [
    "WAYS",
    "Exit",
    "PythonSandbox",
    "SandboxLimits",
    "SandboxPool",
    "SandboxResult",
    "WayName",
    "open_sandbox",
]
