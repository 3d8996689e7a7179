"""image_search: words to pictures."""

from pydantic import Field

from hopsight.harness.bank import ImageBank
from hopsight.harness.tools.base import ToolArgs, ToolResult
from hopsight.harness.tools.listing import image_list
from hopsight.harness.workbench import Workbench


class ImageSearchArgs(ToolArgs):
    """Arguments of image_search."""

    query: str = Field(min_length=1, max_length=1_000, description="What the picture shows")
    max_results: int = Field(default=3, ge=1, le=10, description="How many pictures to bring")


class ImageSearch:
    """Search for pictures by words, such as the name of what they show.

    Each picture found joins the images of this task under a new handle.
    """

    name = "image_search"
    max_chars = 8_000
    args = ImageSearchArgs

    async def run(self, args: ImageSearchArgs, bench: Workbench, bank: ImageBank) -> ToolResult:
        """List the pictures found."""
        hits = await bench.backend.image_search(args.query, args.max_results)
        return image_list(
            hits, "No picture was found for this query. Try other words.", bench.blocklist
        )
