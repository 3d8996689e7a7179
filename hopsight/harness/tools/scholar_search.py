"""scholar_search: words to papers."""

from pydantic import Field

from hopsight.harness.bank import ImageBank
from hopsight.harness.tools.base import ToolArgs, ToolResult
from hopsight.harness.tools.listing import page_list
from hopsight.harness.workbench import Workbench


class ScholarSearchArgs(ToolArgs):
    """Arguments of scholar_search."""

    query: str = Field(min_length=1, max_length=1_000, description="What to search for, in words")
    max_results: int = Field(default=5, ge=1, le=10, description="How many papers to list")


class ScholarSearch:
    """Search for scientific papers by words. Gives titles, addresses and summaries.

    Read a paper's page with `visit`.
    """

    name = "scholar_search"
    max_chars = 8_000
    args = ScholarSearchArgs

    async def run(self, args: ScholarSearchArgs, bench: Workbench, bank: ImageBank) -> ToolResult:
        """List the papers found."""
        hits = await bench.backend.scholar_search(args.query, args.max_results)
        return page_list(
            hits, "No paper was found for this query. Try other words.", bench.blocklist
        )
