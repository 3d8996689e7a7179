"""perspective_correct: something flat that was seen at an angle, seen from the front."""

from pydantic import Field

from hopsight.errors import Outcome, ToolError
from hopsight.harness.bank import ImageBank
from hopsight.harness.tools.base import NewPicture, ToolArgs, ToolResult
from hopsight.harness.workbench import Workbench
from hopsight.imaging import Corners, check_size, find_corners, in_thread, straighten
from hopsight.search.pixels import open_picture

FOUND_BY_ITSELF = -1.0
WHOLE: Corners = (0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0)


class PerspectiveCorrectArgs(ToolArgs):
    """Arguments of perspective_correct. All corners are given, or none."""

    image: str = Field(max_length=40, description="Handle of the image, e.g. <image:0>")
    x0: float = Field(
        default=-1,
        ge=-1,
        le=1,
        description="Top left corner from the left, as a fraction of the width; leave all eight "
        "out (or -1) to have the corners found",
    )
    y0: float = Field(default=-1, ge=-1, le=1, description="Top left corner from the top")
    x1: float = Field(default=-1, ge=-1, le=1, description="Top right corner from the left")
    y1: float = Field(default=-1, ge=-1, le=1, description="Top right corner from the top")
    x2: float = Field(default=-1, ge=-1, le=1, description="Bottom right corner from the left")
    y2: float = Field(default=-1, ge=-1, le=1, description="Bottom right corner from the top")
    x3: float = Field(default=-1, ge=-1, le=1, description="Bottom left corner from the left")
    y3: float = Field(default=-1, ge=-1, le=1, description="Bottom left corner from the top")


class PerspectiveCorrect:
    """Straighten a sign, page or picture seen at an angle; the result gets a new handle.

    Give its four corners clockwise from the top left as fractions of the image, or none: then the
    largest tilted rectangle is looked for.
    """

    name = "perspective_correct"
    max_chars = 1_000
    args = PerspectiveCorrectArgs

    async def run(
        self, args: PerspectiveCorrectArgs, bench: Workbench, bank: ImageBank
    ) -> ToolResult:
        """The straightened picture; no_op where no tilted rectangle is found."""
        return await in_thread(_straightened, args, bank)


def _straightened(args: PerspectiveCorrectArgs, bank: ImageBank) -> ToolResult:
    entry = bank.resolve(args.image)
    given = _given(args)
    image = open_picture(bank.data(entry))
    check_size(image.width, image.height)
    if given == WHOLE:
        return ToolResult(("These corners are the whole image.",), Outcome.NO_OP)
    corners = given or find_corners(image)
    if corners is None:
        text = "No tilted rectangle was found: nothing to correct. You may give its corners."
        return ToolResult((text,), Outcome.NO_OP)
    straight = straighten(image, corners)
    told = " ".join(f"{share:.3f}" for share in corners)
    how = f"perspective warp, corners {'given' if given else 'found at ' + told}"
    xs, ys = corners[0::2], corners[1::2]
    box = (min(xs), min(ys), max(xs), max(ys))
    picture = NewPicture(bank.store(straight.image, entry), entry.handle, box)
    return ToolResult((f"Straightened ({how}): ", picture))


def _given(args: PerspectiveCorrectArgs) -> Corners | None:
    """The corners, or None where none is given. Raises ToolError where some are."""
    corners = (args.x0, args.y0, args.x1, args.y1, args.x2, args.y2, args.x3, args.y3)
    given = [share != FOUND_BY_ITSELF for share in corners]
    if not any(given):
        return None
    if not all(given) or min(corners) < 0:
        raise ToolError(
            Outcome.INVALID_ARGS,
            "perspective_correct: give all of x0, y0 … x3, y3 as fractions from 0 to 1, or none",
        )
    return corners
