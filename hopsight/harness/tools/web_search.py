"""web_search: words to pages."""

from pydantic import Field

from hopsight.harness.bank import ImageBank
from hopsight.harness.tools.base import ToolArgs, ToolResult
from hopsight.harness.tools.listing import page_list
from hopsight.harness.workbench import Workbench


class WebSearchArgs(ToolArgs):
    """Arguments of web_search."""

    query: str = Field(min_length=1, max_length=1_000, description="What to search for, in words")
    max_results: int = Field(default=5, ge=1, le=10, description="How many pages to list")


class WebSearch:
    """Search for pages by words. Gives a list of titles, addresses and matching passages.

    Read a page in full with `visit`.
    """

    name = "web_search"
    max_chars = 8_000
    args = WebSearchArgs

    async def run(self, args: WebSearchArgs, bench: Workbench, bank: ImageBank) -> ToolResult:
        """List the pages found."""
        hits = await bench.backend.web_search(args.query, args.max_results)
        return page_list(
            hits, "No page was found for this query. Try other words.", bench.blocklist
        )
