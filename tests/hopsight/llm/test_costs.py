"""Prices, costs by group, and the estimate from a preview."""

import random
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopsight.config.models import TokenPrice
from hopsight.errors import ConfigError
from hopsight.llm.chat import TokenUse
from hopsight.llm.costs import CostRow, estimate, student_t
from hopsight.llm.prices import PriceList, cost, load_prices, worst_cost
from tests.hopsight.llm.calls import PRICE, endpoint, place, run
from tests.llm_server import LlmServer

DATED = {"as_of": "2026-11-01", "source": "a test"}


def rows(*usd, unknown=0):
    return [CostRow((str(n),), 1, 10, each, unknown, 0, 0, 0) for n, each in enumerate(usd)]


def test_costs_are_told_by_stage_role_and_record(tmp_path):
    async def main():
        async with place(tmp_path) as here:
            for number in range(3):
                await here.ask(f"q {number}", record=f"r{number % 2}")
            here.server.faults.extend(["error_500", "no_usage"])
            await here.ask("q 9", record="r9")
            return here.store.costs(["record"]), here.store.costs(["stage", "role"]), here.server

    by_record, whole, server = run(main)
    assert [(row.group[0], row.calls) for row in by_record] == [("r0", 2), ("r1", 1), ("r9", 1)]
    assert [(row.free, row.assumed) for row in by_record] == [(0, 0), (0, 0), (1, 1)]
    assert whole[0].group == ("grade", "judge")
    assert sum(row.tokens for row in by_record) == whole[0].tokens
    assert whole[0].tokens > server.prompt_tokens + server.completion_tokens


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 10**6))
def test_a_cost_is_exact_and_never_above_the_worst_case(prompt, completion, cached):
    cached = min(cached, prompt)
    used = TokenUse(prompt=prompt, completion=completion, cached_prompt=cached)
    with_cache = PRICE.model_copy(update={"cached_input_per_million": Decimal("0.3")})
    assert cost(PRICE, used) == 3000 * prompt + 15000 * completion
    assert cost(with_cache, used) == 3000 * prompt + 15000 * completion - 2700 * cached
    assert (cost(PRICE, used) or 0) <= worst_cost(PRICE, prompt, completion)


def test_parts_of_a_unit_are_rounded_up():
    tiny = TokenPrice(input_per_million="0.0001", output_per_million="0", **DATED)
    assert cost(tiny, TokenUse(prompt=11, completion=1)) == 2


def test_tokens_that_nobody_counted_have_no_cost():
    assert cost(PRICE, TokenUse(prompt=None, completion=None)) is None


def test_a_price_goes_by_host_and_model_and_the_endpoints_own_comes_first():
    to = endpoint(LlmServer(port=8000), price=None)
    amounts = {"input_per_million": 1, "output_per_million": 2}
    entry = {"host": "127.0.0.1:8000", "model": "echo-1", **DATED, **amounts}
    prices = PriceList.model_validate({"as_of": "2026-11-01", "currency": "USD", "models": [entry]})
    assert prices.of(to) == prices.models[0]
    assert prices.of(to.model_copy(update={"price": PRICE})) is PRICE
    assert prices.of(to.model_copy(update={"model": "echo-2"})) is None
    assert prices.of(endpoint(LlmServer(port=8001), price=None)) is None


def test_the_file_that_ships_holds_no_guess():
    prices = load_prices()
    assert prices.models == ()
    assert prices.services == ()
    assert prices.of_service("search") is None


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("as_of: 2026-11-01\ncurrency: EUR\n", "currency"),
        ("currency: USD\n", "as_of"),
        ("as_of: 2026-11-01\ncurrency: USD\nmodel: []\n", "model"),
    ],
)
def test_a_file_of_prices_that_is_wrong_is_refused_by_its_key(tmp_path, text, key):
    path = tmp_path / "prices.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=key):
        load_prices(path)


@pytest.mark.parametrize(
    ("freedom", "table"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (19, 2.093), (99, 1.984)],
)
def test_students_t_agrees_with_the_tables(freedom, table):
    assert student_t(0.975, freedom) == pytest.approx(table, rel=0.01)


def test_an_estimate_is_the_mean_of_the_preview_and_its_range_holds_the_truth():
    draw = random.Random(5)
    held = 0
    for _ in range(200):
        costs = [draw.gammavariate(4, 0.01) for _ in range(400)]
        found = estimate(rows(*costs[:20]), 400)
        low, usd, high = found.low, found.usd, found.high
        assert low is not None
        assert usd is not None
        assert high is not None
        assert low <= usd <= high
        held += low <= sum(costs) <= high
    assert held >= 180


def test_an_estimate_without_enough_to_go_by_says_so():
    assert estimate([], 100).usd is None
    assert estimate(rows(0.1, 0.2, unknown=1), 100).usd is None
    one = estimate(rows(0.1), 100)
    assert one.usd == pytest.approx(10.0)
    assert one.low is one.high is None
    whole = estimate(rows(0.1, 0.3), 2)
    assert whole.low == whole.high == whole.usd == pytest.approx(0.4)
