"""Every call of a service counts once under what became of it, and its repeats beside that."""

import pytest

from hopsight.providers.tally import CALLS, OPERATIONS, OUTCOMES, SERVICES, lines
from tests.hopsight.providers.places import outcome, place, run
from tests.provider_server import ProviderServer, Reply

BUSY = Reply(429, {"message": "Too many requests"})
LONG = Reply(429, {"message": "Too many requests"}, {"retry-after": "7200"})
DOWN = Reply(503, "down")


@pytest.fixture(autouse=True)
def _fresh():
    CALLS.leave()
    yield
    CALLS.leave()


def counted(tmp_path, faults, calls=1, **more):
    server = ProviderServer(organic=[{"title": "a", "link": "https://a.example"}])
    server.faults.extend(faults)

    async def main():
        async with place(tmp_path, server=server, search="serper", **more) as here:
            for _ in range(calls):
                await outcome(here.providers.search.search("q", 3))

    run(main)
    row = CALLS.counts[SERVICES.index("serper"), OPERATIONS.index("search")]
    assert CALLS.counts.sum() == row.sum()
    return {name: int(count) for name, count in zip(OUTCOMES, row, strict=True) if count}


@pytest.mark.parametrize(
    ("faults", "counts"),
    [
        ([], {"ok": 1}),
        ([DOWN], {"ok": 1, "retried": 1}),
        ([LONG], {"rate_limited": 1}),
        ([Reply(403, {"message": "no such key"})], {"refused": 1}),
    ],
)
def test_a_call_counts_under_its_outcome(tmp_path, faults, counts):
    assert counted(tmp_path, faults) == counts


def test_what_is_not_sent_counts_as_the_breaker_s(tmp_path):
    counts = counted(tmp_path, [DOWN] * 100, calls=40)
    assert counts["breaker_open"] > 0
    assert sum(counts.values()) - counts.get("retried", 0) == 40


def test_an_unknown_service_counts_as_other():
    CALLS.count("somebody's", "juggling", "failed")
    assert any(
        'provider="other",operation="other",outcome="failed"} 1' in line
        for line in lines(CALLS.counts)
    )
