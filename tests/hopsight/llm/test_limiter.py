"""Concurrency grows with answers and is halved by failures."""

import asyncio

from hopsight.llm.limiter import START, Limiter


def grown(limiter: Limiter, answers: int) -> float:
    for _ in range(answers):
        limiter.answered()
    return limiter.limit


def test_it_doubles_with_each_round_until_the_server_chokes():
    limiter = Limiter(1000)
    assert grown(limiter, START) == 2 * START
    assert grown(limiter, 2 * START) == 4 * START


def test_it_never_allows_more_than_the_most():
    assert Limiter(3).limit == 3
    assert grown(Limiter(20), 500) == 20


def test_one_crowd_cuts_once_however_many_calls_tell_of_it():
    async def main():
        limiter = Limiter(64)
        grown(limiter, 100)
        for slot in [await limiter.acquire() for _ in range(10)]:
            limiter.choked(slot, crowded=True)
            limiter.release()
        after = limiter.limit
        grows = grown(limiter, 33) - after
        limiter.choked(await limiter.acquire(), crowded=True)
        return after, grows, limiter.limit

    after, grows, again = asyncio.run(main())
    assert after == 32
    assert 0.9 < grows < 1.1, "one more per round of answers"
    assert 16 <= again < 17


def test_after_an_outage_it_doubles_again():
    async def main():
        limiter = Limiter(64)
        limiter.choked(await limiter.acquire(), crowded=False)
        return limiter.limit, grown(limiter, 4)

    assert asyncio.run(main()) == (4, 8)


def test_no_more_than_the_limit_run_and_the_first_come_is_served_first():
    async def main():
        limiter, order, at_once = Limiter(3), [], []

        async def work(number):
            await limiter.acquire()
            order.append(number)
            at_once.append(limiter.in_flight)
            await asyncio.sleep(0)
            limiter.release()

        await asyncio.gather(*(work(number) for number in range(50)))
        return limiter, order, at_once

    limiter, order, at_once = asyncio.run(main())
    assert order == list(range(50))
    assert max(at_once) == limiter.peak == 3
    assert limiter.in_flight == 0


def test_a_call_that_is_cancelled_while_it_waits_takes_no_slot():
    async def main():
        limiter = Limiter(1)

        async def work():
            await limiter.acquire()
            await asyncio.sleep(0.001)
            limiter.release()

        tasks = [asyncio.create_task(work()) for _ in range(30)]
        await asyncio.sleep(0)
        for task in tasks[1::2]:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        return limiter.in_flight, sum(each is None for each in ended)

    assert asyncio.run(main()) == (0, 15)
