"""How every call is made: limits obeyed, outages survived, nothing unpaid, nothing hammered."""

import asyncio
import time
from email.utils import formatdate

import pytest

from hopsight.budget import BudgetExceeded
from hopsight.errors import ConfigError
from hopsight.llm.call_store import CallStore
from hopsight.llm.failures import Reason
from hopsight.llm.ledger import SpendLimits
from hopsight.llm.prices import PriceList
from hopsight.llm.spending import Spending
from hopsight.providers import Payer, ServiceError
from hopsight.providers.breaker import Breaker
from tests.hopsight.providers.places import LIMITS, outcome, picture, place, run
from tests.provider_server import ProviderServer, Reply

FOUND = [{"title": "a", "link": "https://a.example"}]
BUSY = Reply(429, {"message": "Too many requests"}, {"retry-after": "0.3"})
DOWN = Reply(503, "down")


def searching(tmp_path, faults, then=None, delay=0.0, **more):
    """Outcome of one search behind some faults, the server, and the seconds it took."""
    server = ProviderServer(organic=FOUND, delay=delay)
    server.faults.extend(faults)

    async def main():
        async with place(tmp_path, server=server, search="serper", **more) as here:
            start = time.monotonic()
            first = await outcome(here.providers.search.search("q", 3))
            took = time.monotonic() - start
            if then is not None:
                return await then(here, first)
            return first, server, took

    return run(main)


def test_a_service_that_asks_to_wait_is_waited_for(tmp_path):
    hits, server, took = searching(tmp_path, [BUSY])
    assert len(hits) == 1
    assert took >= 0.3
    assert len(server.seen) == 2


def test_a_date_to_wait_for_is_understood(tmp_path):
    later = formatdate(time.time() + 7200, usegmt=True)
    error, server, _ = searching(tmp_path, [Reply(429, "", {"retry-after": later})])
    assert 6000 < error.retry_after <= 7200
    assert len(server.seen) == 1, "nobody waits two hours"


def test_all_calls_wait_when_one_is_asked_to(tmp_path):
    async def then(here, first):
        here.server.faults.append(BUSY)
        start = time.monotonic()
        search = here.providers.search.search
        one = asyncio.ensure_future(search("one", 3))
        while len(here.server.seen) < 2:
            await asyncio.sleep(0.005)
        await asyncio.sleep(0.05)
        await asyncio.gather(one, *(search(str(n), 3) for n in range(5)))
        return time.monotonic() - start, len(here.server.seen)

    took, seen = searching(tmp_path, [], then)
    assert took >= 0.3
    assert seen == 1 + 2 + 5


def test_a_service_that_asks_for_an_hour_has_failed(tmp_path):
    error, server, _ = searching(tmp_path, [Reply(429, "", {"retry-after": "3600"})])
    assert error.reason is Reason.RATE_LIMITED
    assert error.retry_after == 3600
    assert len(server.seen) == 1


def test_a_service_that_says_nothing_is_given_up_in_time(tmp_path):
    error, server, _ = searching(
        tmp_path, [Reply(delay=30.0)] * 2, limits={"timeout_s": 0.15, "attempts": 2}
    )
    assert error.reason is Reason.TIMEOUT
    assert len(server.seen) == 2


def test_an_unreachable_service_is_infrastructure(tmp_path):
    async def main():
        nowhere = {"base_url": "http://127.0.0.1:1", "limits": LIMITS}
        async with place(tmp_path, search="serper", serper=nowhere) as here:
            return await outcome(here.providers.search.search("q", 3))

    error = run(main)
    assert error.reason is Reason.UNREACHABLE
    assert "address" in error.remedy


def test_an_answer_without_end_is_refused(tmp_path):
    big = Reply(200, b" " * (17 << 20))
    error, server, _ = searching(tmp_path, [big])
    assert error.reason is Reason.TOO_MANY_BYTES
    assert len(server.seen) == 1


def test_no_more_calls_at_once_than_configured(tmp_path):
    async def then(here, first):
        search = here.providers.search.search
        await asyncio.gather(*(search(str(n), 3) for n in range(24)))
        return here.server

    server = searching(tmp_path, [], then, delay=0.02, limits={"concurrency": 3})
    assert server.peak == 3
    assert len(server.seen) == 25


def test_a_service_that_fails_in_a_row_is_left_alone_and_tried_again_later(tmp_path):
    now = [1000.0]

    async def then(here, first):
        search = here.providers.search
        search._service.breaker = Breaker(3, 60.0, lambda: now[0])
        first = await outcome(search.search("first", 3))
        resting = [await outcome(search.search(str(n), 3)) for n in range(5)]
        asked = len(here.server.seen)
        here.server.faults.clear()
        now[0] += 61
        after = await outcome(search.search("after", 3))
        return first, resting, asked, after

    first, resting, asked, after = searching(tmp_path, [DOWN] * 53, then, limits={"attempts": 3})
    assert first.reason is Reason.OVERLOADED
    assert asked == 3 + 3, "while it rests nothing is sent"
    for error in resting:
        assert isinstance(error, ServiceError)
        assert "left alone after 3 failures" in error.cause
    assert len(after) == 1


def test_one_probe_goes_through_each_rest():
    now = [0.0]
    breaker = Breaker(2, 10.0, lambda: now[0])
    breaker.failed()
    assert breaker.wait_s() == 0
    breaker.failed()
    assert breaker.wait_s() == 10
    now[0] = 10.5
    assert breaker.wait_s() == 0
    assert breaker.wait_s() == 10, "the probe is under way"
    breaker.failed()
    assert breaker.wait_s() == 10
    breaker.answered()
    assert breaker.wait_s() == 0


def test_refusals_do_not_make_a_service_rest(tmp_path):
    async def then(here, first):
        search = here.providers.search.search
        here.server.faults.extend([Reply(400, {"message": "no"})] * 10)
        refused = [await outcome(search(str(n), 3)) for n in range(10)]
        return refused, await outcome(search("after", 3))

    refused, after = searching(tmp_path, [], then, limits={"break_after": 2})
    assert {error.reason for error in refused} == {Reason.BAD_REQUEST}
    assert len(after) == 1


def prices(per_call="0.001") -> PriceList:
    kinds = ("search", "page", "image_host")
    told = {"per_call": per_call, "as_of": "2026-11-01", "source": "a test"}
    services = [{"kind": kind} | told for kind in kinds]
    return PriceList.model_validate(
        {"as_of": "2026-11-01", "currency": "USD", "services": services}
    )


def paid(tmp_path, limits, main):
    with CallStore(tmp_path / "calls", "r", limits) as store:
        payer = Payer(Spending(store, prices()), "explore", "policy", "task_1")
        return run(lambda: main(payer)), store.costs(["stage"])


def test_every_attempt_is_paid_before_it_is_made_and_the_limit_holds(tmp_path):
    server = ProviderServer(organic=FOUND)
    server.faults.append(DOWN)

    async def main(payer):
        async with place(tmp_path, server=server, search="serper", payer=payer) as here:
            search = here.providers.search.search
            first = await search("one", 3)
            with pytest.raises(BudgetExceeded):
                for n in range(5):
                    await search(str(n), 3)
            return first

    first, costs = paid(tmp_path, SpendLimits(calls=4), main)
    assert len(first) == 1
    assert len(server.seen) == 4, "one of them failed, and was paid all the same"
    assert [row.calls for row in costs] == [4]


def test_a_picture_search_pays_for_the_host_and_for_the_search(tmp_path):
    server = ProviderServer()

    async def main(payer):
        async with place(
            tmp_path, server=server, search="serper", image_host="github", payer=payer
        ) as here:
            return await here.live.visual_search(picture(), 3)

    hits, costs = paid(tmp_path, SpendLimits(), main)
    assert hits == []
    assert [row.calls for row in costs] == [2], "taking it back is free"


def test_an_unknown_price_is_refused_before_anything_is_asked(tmp_path):
    unknown = PriceList.model_validate({"as_of": "2026-11-01", "currency": "USD"})
    server = ProviderServer()

    async def main(payer, **chosen):
        async with place(tmp_path, server=server, payer=payer, **chosen) as here:
            return await outcome(here.live.visit("https://a.example/"))

    with CallStore(tmp_path / "calls", "r", SpendLimits(cost=1)) as store:
        payer = Payer(Spending(store, unknown), "explore", "policy")
        for chosen in ({"search": "serper"}, {"pages": "jina"}, {"image_host": "s3"}):
            with pytest.raises(ConfigError, match="price"):
                run(lambda chosen=chosen: main(payer, **chosen))
        run(lambda: main(payer, pages="plain"))
    assert not server.seen
