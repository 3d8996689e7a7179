"""Whatever a server does wrong is told as infrastructure, counted, and retried where it helps."""

import asyncio
import contextlib
import json
import sqlite3

import pytest

from hopsight.llm import endpoint as endpoint_module
from hopsight.llm.chat import ChatAnswer
from hopsight.llm.failures import ModelError, Reason
from hopsight.llm.ledger import Status
from tests.hopsight.llm.calls import place, run
from tests.llm_server import REFUSALS

RETRIED = {
    "rate_limit": "rate_limited",
    "rate_limit_silent": "rate_limited",
    "error_500": "server_error",
    "error_503": "overloaded",
    "error_in_200": "server_error",
    "html_200": "not_json",
    "html_502": "server_error",
    "hang": "timeout",
    "half_then_silence": "timeout",
    "half_closed": "disconnected",
    "cut_chunks": "disconnected",
    "closed": "disconnected",
    "wrong_json": "not_json",
    "wrong_shape": "malformed",
    "no_finish": "malformed",
    "empty_choices": "empty_choices",
}
FINAL = {
    "quota": "quota_exhausted",
    "error_400": "bad_request",
    "error_404": "not_found",
    "error_413": "too_large",
    "filter_400": "content_filter",
    "content_filter": "content_filter",
    "wrong_model": "wrong_model",
    "redirect": "redirected",
    "packed": "too_many_bytes",
}
UNKNOWN = {"hang", "half_then_silence", "half_closed", "cut_chunks", "closed", "wrong_json"}
UNKNOWN |= {"wrong_shape", "html_200", "error_in_200", "packed"}
"""Faults after which nobody knows whether the call was paid."""


def patience(fault):
    """Seconds; a hang is waited for, so it is short there and generous elsewhere."""
    return 0.3 if fault in ("hang", "half_then_silence") else 20.0


@pytest.mark.parametrize(("fault", "reason"), RETRIED.items())
def test_a_fault_that_passes_is_retried_and_counted(tmp_path, fault, reason):
    async def main():
        async with place(tmp_path) as here:
            here.server.faults.append(fault)
            answer = await here.ask("hello", timeout_s=patience(fault))
            return answer, here.store.failures(), here.server.asked["hello"]

    answer, failures, asked = run(main)
    assert json.loads(answer.text) == {"echo": "hello"}
    assert failures == {reason: 1}
    assert asked == 2


@pytest.mark.parametrize(("fault", "reason"), (RETRIED | FINAL).items())
def test_a_fault_that_stays_is_infrastructure_and_counts_for_what_may_be_paid(
    tmp_path, fault, reason
):
    async def main():
        async with place(tmp_path) as here:
            here.server.always = fault
            outcome = await here.outcome("hello", timeout_s=patience(fault), attempts=2)
            tries, spent = here.server.asked["hello"], here.store.spent()
            statuses = {status: here.store.count(status) for status in Status}
            billed = here.server.prompt_tokens + here.server.completion_tokens
            here.server.always = None
            return outcome, tries, spent, statuses, billed, await here.outcome("hello")

    error, tries, spent, statuses, billed, later = run(main)
    assert isinstance(error, ModelError)
    assert error.reason == reason
    assert error.remedy
    assert tries == (2 if fault in RETRIED else 1)
    if reason == "content_filter":
        assert later.reason is Reason.CONTENT_FILTER, "what is withheld would be paid again"
    else:
        assert isinstance(later, ChatAnswer), "a failure was kept in the cache"
    if fault in UNKNOWN:
        assert statuses[Status.ASSUMED] == tries
        assert spent.tokens > 1024 * tries
    elif fault in REFUSALS:
        assert statuses[Status.FREE] == tries
        assert (spent.tokens, spent.cost) == (0, 0)
    else:
        assert statuses[Status.PAID] == tries
        assert spent.tokens == billed > 0
    assert spent.tokens >= billed


@pytest.mark.parametrize("fault", ["content_filter", "filter_400"])
def test_what_a_filter_withheld_is_not_asked_for_again_until_told(tmp_path, fault):
    """Nor after a restart; another request and another sample are their own."""

    async def asked_after(here, sample=0):
        outcome = await here.outcome("hello", sample=sample)
        return outcome, here.server.asked["hello"]

    async def main():
        async with place(tmp_path) as here:
            here.server.faults.append(fault)
            first = await asked_after(here)
            again = await asked_after(here)
            other = await asked_after(here, sample=1)
            assert isinstance(await here.outcome("another"), ChatAnswer)
            failures, calls = here.store.failures(), here.store.spent().calls
        async with place(tmp_path) as here:
            resumed = await asked_after(here)
            forgotten = here.store.forget_withheld(), here.store.forget_withheld()
            told = await asked_after(here)
        return first, again, other, failures, calls, resumed, forgotten, told

    first, again, other, failures, calls, resumed, forgotten, told = run(main)
    assert first[0].reason is again[0].reason is resumed[0].reason is Reason.CONTENT_FILTER
    assert "not asked again" in str(again[0])
    assert (first[1], again[1], resumed[1]) == (1, 1, 0)
    assert isinstance(other[0], ChatAnswer)
    assert failures == {"content_filter": 1}
    assert calls == (3 if fault == "content_filter" else 2)
    assert forgotten == (1, 0)
    assert isinstance(told[0], ChatAnswer)


def test_those_who_wait_for_a_withheld_answer_are_told_and_pay_nothing(tmp_path):
    async def main():
        async with place(tmp_path, delay=0.05) as here:
            here.server.always = "content_filter"
            outcomes = await asyncio.gather(*(here.outcome("hello") for _ in range(5)))
            return outcomes, here.server.asked["hello"]

    outcomes, asked = run(main)
    assert {each.reason for each in outcomes} == {Reason.CONTENT_FILTER}
    assert asked == 1


def test_a_file_of_before_learns_to_keep_what_is_withheld(tmp_path):
    async def main():
        async with place(tmp_path) as here:
            await here.ask("hello")
        with contextlib.closing(sqlite3.connect(tmp_path / "calls" / "calls.sqlite")) as db:
            db.execute("DROP TABLE withheld")
        async with place(tmp_path) as here:
            assert isinstance(await here.ask("hello"), ChatAnswer)
            here.server.always = "filter_400"
            await here.outcome("no")
            await here.outcome("no")
            return here.server.asked

    assert run(main) == {"no": 1}


def test_an_endless_answer_is_cut_off(tmp_path, monkeypatch):
    monkeypatch.setattr(endpoint_module, "MAX_BYTES", 1 << 20)

    async def main():
        async with place(tmp_path) as here:
            here.server.always = "endless"
            return await here.outcome("hello")

    assert run(main).reason is Reason.TOO_MANY_BYTES


def test_a_server_that_is_not_there_costs_nothing_and_is_named(tmp_path):
    async def main():
        async with place(tmp_path) as here:
            outcome = await here.outcome("hello", base_url="http://127.0.0.1:1/v1")
            return outcome, here.store.spent()

    error, spent = run(main)
    assert error.reason is Reason.UNREACHABLE
    assert "127.0.0.1" in str(error)
    assert (spent.calls, spent.tokens) == (0, 0)


@pytest.mark.parametrize(
    ("fault", "asked", "least"), [("rate_limit", "0.4", 0.39), ("rate_limit_date", "", 0.9)]
)
def test_retry_after_is_obeyed_by_every_call_to_the_place(tmp_path, fault, asked, least):
    async def main():
        async with place(tmp_path, retry_after=asked) as here:
            await here.ask("warm")
            here.server.faults.append(fault)
            here.server.times.clear()
            first = asyncio.create_task(here.ask("one"))
            await asyncio.sleep(0.1)
            await asyncio.gather(first, *(here.ask(f"other {n}") for n in range(5)))
            return here.server.times, here.server.asked

    times, counted = run(main)
    assert times[1] - times[0] >= least
    assert sum(counted.values()) == 8


def test_a_wait_that_is_too_long_ends_the_call(tmp_path):
    async def main():
        async with place(tmp_path, retry_after="86400") as here:
            here.server.always = "rate_limit"
            return await here.outcome("hello"), here.server.asked["hello"]

    error, tries = run(main)
    assert (error.reason, tries) == (Reason.RATE_LIMITED, 1)


def test_a_truncated_answer_says_so_and_is_paid_once(tmp_path):
    async def main():
        async with place(tmp_path) as here:
            here.server.always = "truncated"
            return await here.ask("hello"), await here.ask("hello"), here.server.asked["hello"]

    first, again, asked = run(main)
    assert first.finish == again.finish == "length"
    assert asked == 1


def test_an_answer_without_usage_counts_with_its_worst_case(tmp_path):
    async def main():
        async with place(tmp_path) as here:
            here.server.always = "no_usage"
            return await here.ask("hello"), here.store.count(Status.ASSUMED), here.store.spent()

    answer, assumed, spent = run(main)
    assert answer.tokens.prompt is None
    assert assumed == 1
    assert spent.tokens > 1024


def test_a_dated_name_of_the_model_and_a_listed_one_are_accepted(tmp_path):
    async def main():
        async with place(tmp_path) as here:
            here.server.faults.extend(["dated_model", "wrong_model"])
            dated = await here.ask("one")
            return dated, await here.ask("two", answers_as=("another-model",))

    dated, listed = run(main)
    assert (dated.model, listed.model) == ("echo-1-2025-06-01", "another-model")


def test_fewer_go_at_once_while_it_chokes_and_more_again_afterwards(tmp_path):
    async def main():
        async with place(tmp_path, delay=0.01, most_at_once=4, retry_after="0.01") as here:
            calls = (here.ask(f"a {n}", concurrency=64, attempts=20) for n in range(120))
            await asyncio.gather(*calls)
            (lane,) = here.client._caller._lanes.values()
            limiter = lane.limiter
            choked, failed = limiter.limit, here.store.failures()["rate_limited"]
            here.server.most_at_once, here.server.peak = None, 0
            calls = (here.ask(f"b {n}", concurrency=64, attempts=20) for n in range(200))
            await asyncio.gather(*calls)
            return choked, failed, limiter.limit, here.server.peak, here.server.billed

    choked, failed, later, peak, billed = run(main)
    assert choked <= 12
    assert failed < 120
    assert later > choked
    assert peak >= 8
    assert set(billed.values()) == {1}, "a call that was answered was made again"
    assert len(billed) == 320


def test_as_many_may_go_at_once_after_an_outage_as_before(tmp_path):
    async def main():
        async with place(tmp_path, delay=0.002) as here:

            async def flood(name):
                asked = (here.ask(f"{name} {k}", concurrency=32, attempts=20) for k in range(150))
                await asyncio.gather(*asked)
                (lane,) = here.client._caller._lanes.values()
                return lane.limiter.limit

            before = await flood("before")
            here.server.faults.extend(["error_500"] * 60)
            asked = (here.ask(f"during {k}", concurrency=32, attempts=20) for k in range(20))
            await asyncio.gather(*asked)
            (lane,) = here.client._caller._lanes.values()
            limits = [before, lane.limiter.limit]
            for number in range(10):
                limits.append(await flood(f"after {number}"))
            return limits, here.store.failures()

    (before, low, *after), failures = run(main)
    assert failures == {"server_error": 60}
    assert low < before
    assert max(after) >= 0.8 * before >= 20


def test_the_answers_of_a_flood_of_faults_are_the_same_as_without(tmp_path):
    async def texts(name, faults):
        async with place(tmp_path / name, retry_after="0.01") as here:
            here.server.faults.extend(faults)
            asked = (here.ask(f"q {n}", timeout_s=0.5, attempts=20) for n in range(60))
            return [answer.text for answer in await asyncio.gather(*asked)]

    broken = asyncio.run(texts("broken", [*RETRIED] * 3))
    assert broken == asyncio.run(texts("sound", []))


def test_a_cancelled_call_counts_with_its_worst_case(tmp_path):
    async def main():
        async with place(tmp_path, delay=5) as here:
            task = asyncio.create_task(here.ask("hello"))
            while not here.server.asked:
                await asyncio.sleep(0.01)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    run(main)
    rows = rows_of(tmp_path)
    assert [status for status, _ in rows] == ["assumed"]
    assert rows[0][1] > 1024


def test_a_call_that_is_cancelled_before_it_is_sent_costs_nothing(tmp_path):
    async def main():
        async with place(tmp_path) as here:
            task = asyncio.create_task(here.ask("hello"))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await asyncio.sleep(0.2)
            return here.server.asked

    asked = run(main)
    assert not asked
    assert {status for status, _ in rows_of(tmp_path)} <= {"free"}


def rows_of(folder):
    with contextlib.closing(sqlite3.connect(folder / "calls" / "calls.sqlite")) as db:
        return db.execute("SELECT status, tokens FROM calls").fetchall()
