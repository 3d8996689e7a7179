"""python_code: a program of the model's own, in a sandbox."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from pydantic import Field

from hopsight.errors import Outcome, PictureError
from hopsight.harness.bank import ImageBank
from hopsight.harness.render import clip, neutralise
from hopsight.harness.sandbox import Exit, SandboxLimits, SandboxResult
from hopsight.harness.tools.base import NewPicture, Piece, ToolArgs, ToolResult
from hopsight.harness.workbench import Workbench
from hopsight.imaging import in_thread
from hopsight.search.pixels import open_picture
from hopsight.types import BankImage, ImageRef

MAX_CODE_CHARS: Final = 8_000
STDOUT_CHARS: Final = 8_000
STDERR_CHARS: Final = 3_000
LIMITS: Final = SandboxLimits()

_NAMED: Final = re.compile(r"images/([0-9]{1,6})\.png")
_ENDINGS: Final = {
    Exit.ERROR: "The program failed.",
    Exit.TIMEOUT: f"The program was stopped: it ran longer than {LIMITS.cpu_seconds} s of CPU or "
    f"{LIMITS.wall_seconds:g} s.",
    Exit.MEMORY: f"The program asked for more than {LIMITS.memory_bytes >> 20} MiB of memory.",
    Exit.OUTPUT_LIMIT: f"The program was stopped: it printed more than {LIMITS.output_bytes} "
    "bytes.",
    Exit.DISK_LIMIT: f"The program was stopped: it wrote more than {LIMITS.max_files} files or "
    f"{LIMITS.disk_bytes >> 20} MiB.",
    Exit.KILLED: "The program crashed.",
}


class PythonCodeArgs(ToolArgs):
    """Arguments of python_code."""

    code: str = Field(
        min_length=1,
        max_length=MAX_CODE_CHARS,
        description="A whole Python program; what it prints is shown to you",
    )


class PythonCode:
    """Run a Python program with numpy and Pillow (PIL), and read what it prints.

    <image:0> is the file images/0.png, <image:1> is images/1.png and so on. Pictures that the
    program saves as PNG, JPEG or WEBP in the folder out/ come back under new handles. There is no
    network, and nothing is kept from one call to the next.
    """

    name = "python_code"
    max_chars = STDOUT_CHARS + STDERR_CHARS + 4_000
    args = PythonCodeArgs

    async def run(self, args: PythonCodeArgs, bench: Workbench, bank: ImageBank) -> ToolResult:
        """What the program printed and drew."""
        assert bench.python is not None, "a toolset with python_code demands a sandbox"
        pictures = {f"{entry.handle}.png": bank.data(entry) for entry in bank.entries}
        result = await bench.python.run(args.code, pictures, LIMITS)
        drawn = await _pictures(result.pictures, args.code, bank)
        pieces = (*_texts(result), *drawn, *_left_out(result))
        if result.exit is not Exit.OK:
            return ToolResult((f"{_ENDINGS[result.exit]}\n", *pieces), Outcome.INVALID_ARGS)
        if not pieces:
            return ToolResult(("The program ended and printed nothing.",), Outcome.EMPTY)
        return ToolResult(pieces)


def _texts(result: SandboxResult) -> tuple[Piece, ...]:
    pieces = []
    if result.stdout.strip():
        pieces.append(neutralise(clip(result.stdout.rstrip(), STDOUT_CHARS)) + "\n")
    if result.stderr.strip():
        pieces.append(f"Errors:\n{neutralise(_tail(result.stderr.rstrip()))}\n")
    return tuple(pieces)


def _tail(errors: str) -> str:
    """The end of a traceback, which says what went wrong, in whole lines."""
    if len(errors) <= STDERR_CHARS:
        return errors
    return f"[cut]\n{errors[-STDERR_CHARS:].partition(chr(10))[2]}"


def _left_out(result: SandboxResult) -> tuple[Piece, ...]:
    if not result.left_out:
        return ()
    shown = "; ".join(result.left_out[:5])
    return (neutralise(f"Left out of out/ ({len(result.left_out)}): {shown}\n"),)


async def _pictures(found: Sequence[bytes], code: str, bank: ImageBank) -> list[Piece]:
    """The pictures, checked, and a word on each that is none."""
    pieces: list[Piece] = []
    origin, parent = _origin(code, bank)
    for number, data in enumerate(found, 1):
        try:
            stored = await in_thread(_kept, data, origin, bank)
        except PictureError as error:
            pieces.append(f"Picture {number} left out: {neutralise(error.cause)}\n")
            continue
        pieces += ["Picture: ", NewPicture(stored, parent), "\n"]
    return pieces


def _kept(data: bytes, origin: BankImage | None, bank: ImageBank) -> ImageRef:
    return bank.store(open_picture(data), origin)


def _origin(code: str, bank: ImageBank) -> tuple[BankImage | None, int | None]:
    """(what a drawn picture owes its rights to, its handle where it is a single picture).

    The program may have mixed what it read: then the rights of all it names count, or of the whole
    bank where it names none. In an episode without pictures it owes nothing to any.
    """
    numbers = {int(number) for number in _NAMED.findall(code)}
    named = [entry for entry in bank.entries if entry.handle in numbers]
    sources = named or list(bank.entries)
    if not sources:
        return None, None
    if len(sources) == 1:
        return sources[0], sources[0].handle
    images = [entry.image for entry in sources]
    mixed = images[0].model_copy(
        update={
            "source_url": _joined(image.source_url for image in images),
            "license": _joined(image.license for image in images),
            "author": _joined(image.author for image in images),
        }
    )
    return sources[0].model_copy(update={"image": mixed}), None


def _joined(values: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(values))
