"""visual_search: a picture to the pages that show it."""

from pydantic import Field

from hopsight.harness.bank import ImageBank
from hopsight.harness.tools.base import ToolArgs, ToolResult
from hopsight.harness.tools.listing import image_list
from hopsight.harness.workbench import Workbench


class VisualSearchArgs(ToolArgs):
    """Arguments of visual_search."""

    image: str = Field(max_length=40, description="Handle of the image, e.g. <image:0>")
    max_results: int = Field(default=3, ge=1, le=10, description="How many matches to list")


class VisualSearch:
    """Search by a picture: which pages show this image, or one that it was cut or made from?

    Works with any image you have, cut-outs included. An unknown image gives no match.
    """

    name = "visual_search"
    max_chars = 8_000
    args = VisualSearchArgs

    async def run(self, args: VisualSearchArgs, bench: Workbench, bank: ImageBank) -> ToolResult:
        """List the pages that show the picture."""
        data = bank.data(bank.resolve(args.image))
        hits = await bench.backend.visual_search(data, args.max_results)
        return image_list(hits, "No page is known to show this image.", bench.blocklist)
