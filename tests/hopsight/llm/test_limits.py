"""A limit in money, tokens or calls is never passed; the ledger is what the server counted."""

import asyncio
import sys
from contextlib import ExitStack
from decimal import Decimal
from pathlib import Path

import pytest

from hopsight.budget import BudgetExceeded
from hopsight.errors import ConfigError
from hopsight.llm.call_store import CallStore
from hopsight.llm.ledger import SpendLimits, Status
from hopsight.llm.prices import PriceList
from tests.hopsight.llm.calls import PRICE, asking, place, run
from tests.hopsight.llm.spender import spend
from tests.llm_server import LlmServer

PROJECT = Path(__file__).parents[3]


def paid(server: LlmServer) -> int:
    """Billionths of a dollar, by the server's own count."""
    dollars = (
        server.prompt_tokens * PRICE.input_per_million
        + server.completion_tokens * PRICE.output_per_million
    ) / 1_000_000
    return int(dollars * Decimal(10**9))


def check(server: LlmServer, folder: Path, limit: int, measured: int) -> None:
    """Most of the limit was used, no more than it, and both sides counted the same."""
    with CallStore(folder / "calls", "0001") as store:
        spent = store.spent()
        assert store.count(Status.PAID) == sum(server.billed.values())
        assert store.count(Status.OPEN) == 0
    assert 0.5 * limit <= measured <= limit
    assert spent.tokens == server.prompt_tokens + server.completion_tokens
    assert spent.cost == paid(server)
    assert spent.calls == sum(server.billed.values())


def test_processes_together_never_pass_a_limit_of_dollars_and_use_most_of_it(tmp_path):
    limit = 8_000_000

    async def main():
        async with LlmServer(delay=0.002).running() as server:
            processes = [
                await asyncio.create_subprocess_exec(
                    *(sys.executable, "-m", "tests.hopsight.llm.spender", str(server.port)),
                    *(str(tmp_path / "calls"), name, "-", "-", str(limit)),
                    cwd=PROJECT,
                    stdout=asyncio.subprocess.PIPE,
                )
                for name in ("one", "two")
            ]
            said = [await each.communicate() for each in processes]
            return server, [int(out) for out, _ in said]

    server, answered = run(main)
    assert sum(answered) == sum(server.billed.values())
    check(server, tmp_path, limit, paid(server))


@pytest.mark.parametrize(
    ("limits", "measure"),
    [
        (
            SpendLimits(tokens=2_000),
            lambda server: server.prompt_tokens + server.completion_tokens,
        ),
        (SpendLimits(calls=40), lambda server: sum(server.billed.values())),
    ],
)
def test_two_stores_of_a_file_never_pass_a_limit_of_tokens_or_calls(tmp_path, limits, measure):
    async def main():
        async with LlmServer(delay=0.002).running() as server:
            await asyncio.gather(
                *(spend(server.port, tmp_path / "calls", name, limits) for name in ("a", "b"))
            )
            return server

    server = run(main)
    check(server, tmp_path, limits.tokens or limits.calls, measure(server))


def test_a_live_process_keeps_its_reservations(tmp_path):
    async def main():
        async with place(tmp_path, delay=0.3) as here:
            task = asyncio.create_task(here.ask("hello"))
            while not here.server.asked:
                await asyncio.sleep(0.01)
            with CallStore(tmp_path / "calls", "0001") as other:
                assert other.sweep() == 0
                assert other.count(Status.OPEN) == 1
            await task
            return here.store.count(Status.PAID)

    assert run(main) == 1


def test_calls_that_do_not_fit_at_once_wait_for_those_that_are_open(tmp_path):
    async def main():
        # One worst case fits, two do not; what is really used is a tenth of it.
        async with place(tmp_path, limits=SpendLimits(tokens=650), delay=0.01) as here:
            requests = [asking(f"q {n}", max_tokens=100) for n in range(6)]
            answers = await asyncio.gather(*(here.ask(each) for each in requests))
            return len(answers), here.server.peak, here.store.spent().tokens

    answered, peak, spent = run(main)
    assert (answered, peak) == (6, 1)
    assert spent <= 650


def test_a_call_that_cannot_fit_is_refused_before_it_is_sent_and_the_remedy_is_named(tmp_path):
    async def main():
        async with place(tmp_path, limits=SpendLimits(cost=1_000_000)) as here:
            with pytest.raises(BudgetExceeded, match=r"of \$0.001000 are spent") as error:
                await here.ask("hello")
            return error.value, here.server.asked, here.store.spent()

    error, asked, spent = run(main)
    assert "budget.max_usd" in error.remedy
    assert not asked
    assert spent.calls == 0


def test_money_is_not_limited_where_a_price_is_unknown(tmp_path):
    async def main():
        async with place(tmp_path, limits=SpendLimits(cost=10**9)) as here:
            with pytest.raises(ConfigError, match=r"price of echo-1 at .* is unknown"):
                await here.ask("hello", price=None)
            with pytest.raises(ConfigError, match="price of search is unknown"):
                await here.client.spending.charge("search", 1, stage="s", role="r", record_id="x")
            return here.server.asked

    assert not run(main)


def test_an_unknown_price_is_an_unknown_cost(tmp_path):
    async def main():
        async with place(tmp_path) as here:
            await here.ask("hello", price=None)
            return here.store.costs(["role"])

    (row,) = run(main)
    assert (row.calls, row.unknown, row.usd) == (1, 1, 0.0)


def test_searches_pages_and_pictures_are_paid_from_the_same_budget(tmp_path):
    searches = {"kind": "search", "per_call": "0.005", "as_of": "2026-11-01", "source": "a test"}
    prices = PriceList.model_validate(
        {"as_of": "2026-11-01", "currency": "USD", "services": [searches]}
    )

    async def main():
        limits = SpendLimits(cost=52_000_000)
        async with place(tmp_path, limits=limits, prices=prices) as here:
            charge = here.client.spending.charge
            await charge("search", 9, stage="rollouts", role="tool", record_id="q1")
            with pytest.raises(BudgetExceeded):
                await charge("search", 2, stage="rollouts", role="tool", record_id="q1")
            await charge("search", 1, stage="rollouts", role="tool", record_id="q2")
            with pytest.raises(BudgetExceeded):
                await here.ask("hello")
            return here.store.costs(["record"]), here.store.spent()

    rows, spent = run(main)
    assert [(row.group, row.calls, row.usd) for row in rows] == [
        (("q1",), 9, 0.045),
        (("q2",), 1, 0.005),
    ]
    assert (spent.calls, spent.usd) == (10, 0.05)


def test_no_more_requests_or_tokens_go_out_in_a_minute_than_allowed(tmp_path, monkeypatch):
    monkeypatch.setattr("hopsight.llm.ledger.MINUTE_S", 0.6)

    async def sent(folder, **rates):
        async with place(folder) as here, place(folder) as other:
            other.server.port = here.server.port
            await asyncio.gather(
                *(here.ask(f"a {n}", **rates) for n in range(5)),
                *(other.ask(f"b {n}", **rates) for n in range(5)),
            )
            return here.server.times

    for name, rates in {
        "requests": {"requests_per_minute": 4},
        "tokens": {"tokens_per_minute": 4 * 1400},
    }.items():
        times = asyncio.run(sent(tmp_path / name, **rates))
        assert len(times) == 10
        if name == "requests":
            assert all(late - early > 0.5 for early, late in zip(times, times[4:], strict=False))


def test_scopes_have_limits_of_their_own_and_share_answers(tmp_path):
    async def main():
        async with place(tmp_path, limits=SpendLimits(calls=1)) as here:
            await here.ask("hello")
            with pytest.raises(BudgetExceeded, match="1 calls of 1 calls"):
                await here.ask("other")
        async with place(tmp_path, limits=SpendLimits(calls=1), scope="0002") as here:
            await here.ask("hello")
            await here.ask("other")
            return here.server.asked

    assert run(main) == {"other": 1}


def test_stores_of_one_process_may_be_open_at_once(tmp_path):
    with ExitStack() as stack:
        stores = [stack.enter_context(CallStore(tmp_path, name)) for name in ("a", "b", "a")]
        assert len({store.owner for store in stores}) == 3
    assert not list((tmp_path / "owners").iterdir())
