import asyncio

import pytest

from hopsight.waiting import all_done


def test_results_come_in_order():
    async def after(seconds: float, value: int) -> int:
        await asyncio.sleep(seconds)
        return value

    assert asyncio.run(all_done([after(0.01, 1), after(0, 2)])) == [1, 2]


def test_what_is_under_way_is_finished_before_an_error_is_raised():
    finished = []

    async def work(number: int) -> None:
        if number == 1:
            raise ValueError("first")
        await asyncio.sleep(0.01)
        finished.append(number)
        if number == 2:
            raise ValueError("second")

    with pytest.raises(ValueError, match="first"):
        asyncio.run(all_done(map(work, range(4))))
    assert sorted(finished) == [0, 2, 3]
