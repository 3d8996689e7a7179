import asyncio
import multiprocessing
import multiprocessing.connection
import os
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from hopsight.errors import ConfigError
from hopsight.harness.bank import encode
from hopsight.harness.sandbox import (
    WAYS,
    Exit,
    SandboxLimits,
    SandboxPool,
    SandboxResult,
    WayName,
    open_sandbox,
)
from hopsight.harness.sandbox.inside import landlock
from hopsight.harness.sandbox.probes import faults
from tests.hopsight.search import drawing

PICTURE = encode(drawing.scene(1), "PNG")
FORK = multiprocessing.get_context("fork")
STARTING_CPU_S = 0.8
SHORT = SandboxLimits(cpu_seconds=1, wall_seconds=1.0, output_bytes=1000, max_files=32)


@pytest.fixture(scope="module", params=["namespaces", "landlock"])
def way(request: pytest.FixtureRequest) -> WayName:
    """A way that holds here; tests/services/test_sandbox_escapes.py fails where one does not."""
    found = asyncio.run(faults(request.param))
    if found:
        pytest.skip(f"no {request.param} here: {found}")
    name: WayName = request.param
    return name


@pytest.fixture(scope="module")
def any_way() -> WayName:
    for name in WAYS:
        if not asyncio.run(faults(name)):
            return name
    pytest.skip("Python programs cannot be confined here")


def play(way: WayName, use: Callable[[SandboxPool], Awaitable[None]], warm: int = 0) -> None:
    async def main() -> None:
        pool = SandboxPool(way, concurrency=3, warm=warm)
        try:
            await use(pool)
        finally:
            await pool.close()

    asyncio.run(main())


def run(way: WayName, code: str, limits: SandboxLimits = SHORT) -> SandboxResult:
    results = []

    async def use(pool: SandboxPool) -> None:
        results.append(await pool.run(code, {"0.png": PICTURE}, limits))

    play(way, use)
    return results[0]


def test_a_program_reads_pictures_and_draws_new_ones(way: WayName) -> None:
    result = run(
        way,
        "import numpy, sys\nfrom PIL import Image\n"
        "image = Image.open('images/0.png')\n"
        "image.crop((0, 0, 20, 10)).save('out/b.png')\n"
        "open('out/a.png', 'wb').write(open('images/0.png', 'rb').read())\n"
        "open('out/notes.txt', 'w').write('x')\n"
        "print(image.size, numpy.asarray(image).shape)\nprint('é', file=sys.stderr)",
    )
    size = drawing.scene(1).size
    assert (result.exit, result.stderr) == (Exit.OK, "é\n")
    assert result.stdout == f"{size} {(size[1], size[0], 3)}\n"
    assert (len(result.pictures), result.pictures[0]) == (2, PICTURE)
    assert result.left_out == ("notes.txt: no picture by its name",)


def test_each_end_of_a_program_is_told_apart(any_way: WayName) -> None:
    ends = {
        "raise SystemExit(0)": Exit.OK,
        "1/0": Exit.ERROR,
        "def": Exit.ERROR,
        "bytearray(1 << 31)": Exit.MEMORY,
        "while True: pass": Exit.TIMEOUT,
        "import time; time.sleep(9)": Exit.TIMEOUT,
        "import os; os.abort()": Exit.KILLED,
    }
    assert {code: run(any_way, code).exit for code in ends} == ends
    flood = run(any_way, "while True: print('x' * 9999)")
    assert (flood.exit, flood.stdout) == (Exit.OUTPUT_LIMIT, "x" * 1000)


def test_a_traceback_shows_the_program_and_nothing_around_it(any_way: WayName) -> None:
    result = run(any_way, "def half(x):\n    return x / 0\n\nprint('before')\nhalf(3)\n")
    assert result.stdout == "before\n"
    assert '  File "program.py", line 5, in <module>\n    half(3)\n' in result.stderr
    assert result.stderr.endswith("ZeroDivisionError: division by zero\n")
    assert result.stderr.count("File ") == 2


def test_the_number_of_files_is_capped(way: WayName) -> None:
    result = run(way, "for n in range(30_000): open(f'tmp/{n}', 'w').close()\nprint('done')")
    assert result.stdout == ""
    assert result.exit is Exit.DISK_LIMIT or "No space left" in result.stderr


def test_nothing_of_a_program_is_there_for_the_next(way: WayName) -> None:
    async def use(pool: SandboxPool) -> None:
        leave = "import os, math; math.left = 1; os.environ['LEFT'] = '1'; open('tmp/left', 'w')"
        look = (
            "import os, math\n"
            "print(hasattr(math, 'left'), 'LEFT' in os.environ, os.listdir('tmp'), "
            "os.listdir('out'), sorted(os.listdir('images')))"
        )
        assert (await pool.run(leave, {"7.png": PICTURE}, SHORT)).exit is Exit.OK
        after = await pool.run(look, {"0.png": PICTURE}, SHORT)
        assert after.stdout == "False False [] [] ['0.png']\n"

    play(way, use, warm=1)


def test_several_episodes_at_once_each_get_their_own(any_way: WayName) -> None:
    async def use(pool: SandboxPool) -> None:
        code = "print(len(open('images/0.png', 'rb').read()))"
        runs = (pool.run(code, {"0.png": bytes(number)}, SHORT) for number in range(4))
        lengths = [result.stdout for result in await asyncio.gather(*runs)]
        assert lengths == [f"{number}\n" for number in range(4)]

    play(any_way, use, warm=1)


def test_a_cancelled_program_is_killed(any_way: WayName) -> None:
    async def use(pool: SandboxPool) -> None:
        endless = SandboxLimits(cpu_seconds=50, wall_seconds=50)
        before = set(children(os.getpid()))  # other tests may have left a helper of theirs
        running = asyncio.create_task(pool.run("while True: pass", {}, endless))
        while len(set(children(os.getpid())) - before) < 2:
            await asyncio.sleep(0.02)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert set(children(os.getpid())) <= before

    play(any_way, use)


def host(way: WayName, folder: Path) -> None:
    tempfile.tempdir = str(folder)

    async def main() -> None:
        pool = SandboxPool(way, concurrency=1, warm=2)
        await pool.warm_up()
        await pool.run("while True: pass", {}, SandboxLimits(cpu_seconds=60, wall_seconds=60))

    asyncio.run(main())


def test_no_process_outlives_a_killed_parent(way: WayName, tmp_path: Path) -> None:
    parent = FORK.Process(target=host, args=(way, tmp_path))
    parent.start()
    process = parent.pid
    assert process is not None
    # One that stands ready and one that runs, each of a worker and its program.
    wait_until(lambda: len(children(process)) >= 4)
    wait_until(lambda: any(cpu_seconds(each) > STARTING_CPU_S for each in children(process)))
    left = children(process)
    parent.kill()
    parent.join()
    wait_until(lambda: not any(alive(process) for process in left))


def test_a_name_that_leads_elsewhere_is_refused(any_way: WayName) -> None:
    async def use(pool: SandboxPool) -> None:
        for name in ("../0.png", "a/b.png", "0", ""):
            with pytest.raises(ValueError, match="no file name"):
                await pool.run("", {name: b""}, SHORT)

    play(any_way, use)


def open_nowhere(told: "multiprocessing.connection.Connection") -> None:
    async def main() -> None:
        async with open_sandbox():
            told.send("opened")

    # A process under Landlock may not mount, and 16 layers are all that there can be.
    for _ in range(16):
        landlock.restrict([("/", (1 << 16) - 1)])
    try:
        asyncio.run(main())
    except ConfigError as error:
        told.send(f"{error.cause} -> {error.remedy}")


def test_where_no_way_holds_it_refuses_and_says_why(way: WayName) -> None:
    if way == "namespaces":
        pytest.skip("the machine must have Landlock")
    ours, theirs = FORK.Pipe()
    parent = FORK.Process(target=open_nowhere, args=(theirs,))
    parent.start()
    told = ours.recv() if ours.poll(60) else ""
    parent.join()
    assert told.startswith("Python programs cannot be confined here (namespaces: ")
    assert "; landlock: " in told
    assert "leave python_code out" in told
    ours.close()
    theirs.close()


def test_no_way_asked_for_is_none_that_holds() -> None:
    async def main() -> None:
        async with open_sandbox(ways=()):
            pass

    with pytest.raises(ConfigError, match="cannot be confined"):
        asyncio.run(main())


def children(parent: int) -> list[int]:
    """All processes below one."""
    found = []
    for child in Path(f"/proc/{parent}/task/{parent}/children").read_text().split():
        found += [int(child), *children(int(child))]
    return found


def alive(process: int) -> bool:
    try:
        return fields(process)[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def cpu_seconds(process: int) -> float:
    """What a process has used: one that stands ready uses no more."""
    return sum(map(int, fields(process)[11:13])) / os.sysconf("SC_CLK_TCK")


def fields(process: int) -> list[str]:
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)
