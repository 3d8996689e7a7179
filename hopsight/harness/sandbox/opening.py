"""Choosing the strongest way that holds on this machine."""

import logging
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

from hopsight.errors import ConfigError
from hopsight.harness.sandbox.inside import seccomp
from hopsight.harness.sandbox.pool import SandboxPool
from hopsight.harness.sandbox.probes import faults
from hopsight.harness.sandbox.worker import WayName

log = logging.getLogger(__name__)

WAYS: Final[tuple[WayName, ...]] = ("namespaces", "landlock")
"""The ways to confine a program, strongest first."""

_REMEDY: Final = (
    "let this user make namespaces (sysctl user.max_user_namespaces and "
    "kernel.apparmor_restrict_unprivileged_userns, or a container with CAP_SYS_ADMIN), or use "
    "Linux 6.12 or newer with Landlock; or leave python_code out"
)


@asynccontextmanager
async def open_sandbox(
    concurrency: int = 4, warm: int = 2, ways: Sequence[WayName] = WAYS
) -> AsyncIterator[SandboxPool]:
    """A sandbox for Python programs: the first of `ways` that passes its self-test here.

    At most `concurrency` programs run at once, and `warm` sandboxes of some 30 MB stand ready.
    Raises ConfigError where no way holds; there is no weaker one to fall back to.
    """
    pool = SandboxPool(await _strongest(ways), concurrency, warm)
    try:
        await pool.warm_up()
        yield pool
    finally:
        await pool.close()


def conceivable() -> bool:
    """Whether this machine is of a kind that can confine programs; only opening proves it."""
    return sys.platform == "linux" and seccomp.supported()


async def _strongest(ways: Sequence[WayName]) -> WayName:
    if not conceivable():
        raise ConfigError(
            "Python programs cannot be confined here: it takes Linux on x86-64",
            "run on such a machine, or leave python_code out",
        )
    reasons = []
    for way in ways:
        found = await faults(way)
        if not found:
            log.info("event=sandbox_opened way=%s", way)
            return way
        log.warning("event=sandbox_way_refused way=%s faults=%r", way, "; ".join(found))
        reasons.append(f"{way}: {', '.join(found)}")
    raise ConfigError(f"Python programs cannot be confined here ({'; '.join(reasons)})", _REMEDY)
