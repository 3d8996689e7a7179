"""python_code: what a sandbox costs a call, against the same program in a plain interpreter.

Cold: the sandbox is made for the call. Warm: it stands ready, as it does in an episode, whose
model takes longer to write the next program than a sandbox takes to stand. Every call is single
use. The plain side starts an interpreter that imports the same packages.
"""

import asyncio
import resource
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from benchmarks.report import Figure, figure, finish
from hopsight.harness.bank import encode
from hopsight.harness.sandbox import WAYS, Exit, SandboxPool, WayName
from hopsight.harness.sandbox.probes import faults
from tests.hopsight.search import drawing

REPEATS = 30
PLAIN_MS = 150  # the plain side on an idle machine, about; the ratio to it holds on a busy one
COLD_GOAL_MS = 200
WARM_GOAL_MS = 60
PICTURE = encode(drawing.scene(1), "PNG")
CODE = """
import numpy
from PIL import Image
image = Image.open("images/0.png")
image.crop((10, 10, 200, 100)).save("out/cut.png")
print(numpy.asarray(image).mean())
"""
PLAIN = """
import io, sys, numpy
from PIL import Image
image = Image.open(io.BytesIO(sys.stdin.buffer.read()))
image.crop((10, 10, 200, 100)).save(io.BytesIO(), format="PNG")
print(numpy.asarray(image).mean())
"""


@dataclass(frozen=True, slots=True)
class Side:
    """Wall and CPU milliseconds of every call of one side; CPU counts the children's."""

    call: Callable[[], Awaitable[None]]
    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    async def measure(self) -> None:
        """One call."""
        cpu, wall = cpu_ms(), time.perf_counter()
        await self.call()
        self.wall.append((time.perf_counter() - wall) * 1000)
        self.cpu.append(cpu_ms() - cpu)


def cpu_ms() -> float:
    """CPU of this process and of the children that ended."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages) * 1000


async def plain() -> None:
    """The program without a sandbox."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PLAIN, stdin=pipe, stdout=pipe
    )
    out, _ = await process.communicate(PICTURE)
    assert process.returncode == 0
    assert out


def sandboxed(pool: SandboxPool) -> Callable[[], Awaitable[None]]:
    """The program in a sandbox of a pool."""

    async def call() -> None:
        result = await pool.run(CODE, {"0.png": PICTURE})
        assert (result.exit, len(result.pictures)) == (Exit.OK, 1), result

    return call


async def measure(ways: list[WayName]) -> dict[str, Side]:
    """All sides in turn, so that a busy machine slows all alike."""
    sides = {"plain interpreter": Side(plain)}
    cold = {way: SandboxPool(way, concurrency=1, warm=0) for way in ways}
    warm = {way: SandboxPool(way, concurrency=1, warm=1) for way in ways}
    sides |= {f"{way}, cold": Side(sandboxed(pool)) for way, pool in cold.items()}
    sides |= {f"{way}, warm": Side(sandboxed(pool)) for way, pool in warm.items()}
    for _ in range(REPEATS):
        for side in sides.values():
            for pool in warm.values():
                await pool.warm_up()
            await side.measure()
    for pool in warm.values():
        await pool.close()
    return sides


def main() -> None:
    """Print both sides and the figures."""
    ways = [way for way in WAYS if not asyncio.run(faults(way))]
    assert ways, "Python programs cannot be confined here"
    sides = asyncio.run(measure(ways))
    plain_p50 = statistics.median(sides["plain interpreter"].wall)
    rows, figures = [], list[Figure]()
    for name, side in sides.items():
        ordered = sorted(side.wall)
        p50, p90 = statistics.median(ordered), ordered[int(len(ordered) * 0.9)]
        rows.append((name, p50, p90, ordered[0], statistics.median(side.cpu)))
        goal = WARM_GOAL_MS if name.endswith("warm") else COLD_GOAL_MS
        if name == "plain interpreter":
            figures.append(figure(f"{name} p50 ms", p50))
            continue
        label = name.replace(",", "")
        figures.append(figure(f"{label} p50 ms", p50, "<=", goal))
        figures.append(
            figure(f"{label} / plain interpreter", p50 / plain_p50, "<=", goal / PLAIN_MS)
        )
    columns = ("call", "p50 ms", "p90 ms", "least ms", "CPU ms (this and ended processes)")
    finish(f"python_code: {REPEATS} calls of each side", columns, rows, figures)


if __name__ == "__main__":
    main()
