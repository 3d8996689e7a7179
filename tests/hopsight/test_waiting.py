import asyncio

import pytest

from hopsight.waiting import Flights, all_done


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


def test_what_is_wanted_twice_at_once_is_made_once_and_made_again_after_a_failure() -> None:
    kept: dict[str, int] = {}
    begun: list[int] = []

    async def make() -> int:
        begun.append(len(begun))
        await asyncio.sleep(0.01)
        if len(begun) == 1:
            raise ValueError("the first fails")
        kept["a"] = 7
        return 7

    async def main() -> list[int | BaseException]:
        flights = Flights()
        wanted = (flights.once("a", lambda: kept.get("a"), make) for _ in range(3))
        return await asyncio.gather(*wanted, return_exceptions=True)

    first, *others = asyncio.run(main())
    assert isinstance(first, ValueError)
    assert others == [7, 7]
    assert len(begun) == 2
