"""fetch_image: an address to the picture that lies there."""

from pydantic import Field

from hopsight.errors import Outcome
from hopsight.harness.bank import ImageBank
from hopsight.harness.tools.base import NewPicture, ToolArgs, ToolResult
from hopsight.harness.workbench import Workbench
from hopsight.net import BlockedAddress


class FetchImageArgs(ToolArgs):
    """Arguments of fetch_image."""

    url: str = Field(min_length=1, max_length=2_000, description="Address of the picture")


class FetchImage:
    """Fetch a picture by its address, such as one that a page names.

    It joins the images of this task under a new handle. Of an animation the first picture comes.
    """

    name = "fetch_image"
    max_chars = 1_000
    args = FetchImageArgs

    async def run(self, args: FetchImageArgs, bench: Workbench, bank: ImageBank) -> ToolResult:
        """The picture. Raises BlockedAddress where it came from a place that is blocked."""
        image = await bench.backend.fetch_image(args.url)
        if image is None:
            return ToolResult(("There is no picture at this address.",), Outcome.EMPTY)
        rule = bench.blocklist.blocks(image.source_url)
        if rule is not None:
            raise BlockedAddress(
                "this address leads to a source that is blocked", "use another", rule
            )
        return ToolResult(("Fetched: ", NewPicture(image)))
