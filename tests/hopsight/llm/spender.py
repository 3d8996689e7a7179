"""A process that calls until the budget is used up: `python -m tests.hopsight.llm.spender`."""

import asyncio
import sys
from pathlib import Path

from hopsight.budget import BudgetExceeded
from hopsight.llm.call_store import CallStore
from hopsight.llm.client import ModelClient
from hopsight.llm.ledger import SpendLimits
from tests.hopsight.llm.calls import ENVIRON, PRICES, asking, endpoint
from tests.llm_server import LlmServer


async def spend(port: int, folder: Path, name: str, limits: SpendLimits) -> int:
    """Make calls, 8 at a time, until one is refused; returns how many were answered."""
    answered = 0
    to = endpoint(LlmServer(port=port), timeout_s=30.0, attempts=20)

    async def work(worker: int) -> None:
        nonlocal answered
        for number in range(10_000):
            request = asking(f"{name} {worker} {number}", max_tokens=64)
            try:
                await client.complete(
                    request, endpoint=to, role="judge", stage="grade", record_id="r"
                )
            except BudgetExceeded:
                return
            answered += 1

    with CallStore(folder, "0001", limits) as store:
        async with ModelClient(store, PRICES, environ=ENVIRON) as client:
            await asyncio.gather(*(work(worker) for worker in range(8)))
    return answered


if __name__ == "__main__":
    port, folder, name, calls, tokens, cost = sys.argv[1:]
    numbers = [int(each) if each != "-" else None for each in (calls, tokens, cost)]
    answered = asyncio.run(spend(int(port), Path(folder), name, SpendLimits(*numbers)))
    sys.stdout.write(str(answered))
