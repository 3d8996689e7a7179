"""Vectors are had like answers: kept, paid once, within the budget, and checked."""

import sqlite3

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopsight.budget import BudgetExceeded
from hopsight.llm.embedding import MAX_BYTES, MAX_TEXTS, batches
from hopsight.llm.failures import ModelError, Reason
from hopsight.llm.ledger import SpendLimits, Status
from hopsight.llm.service import ModelSettings, open_models
from tests.hopsight.llm.calls import endpoint, place, run
from tests.llm_server import LlmServer


def plain(found):
    return [row.tolist() for row in found]


def test_each_text_gets_its_vector_in_order_and_is_paid_once(tmp_path):
    async def main():
        async with place(tmp_path, keep_bodies=True) as here:
            first = await here.embed("alpha", "be", "alpha")
            again = await here.embed("be", "gamma", "alpha")
            none = await here.embed()
            return first, again, none, here.server, here.store.spent(), here.client.hits

    first, again, none, server, spent, hits = run(main)
    assert plain(first) == [[5, 97, 97], [2, 98, 101], [5, 97, 97]]
    assert plain(again) == [[2, 98, 101], [5, 103, 97], [5, 97, 97]]
    assert {row.dtype for row in first + again} == {np.dtype(np.float32)}
    assert none == []
    assert [body["input"] for body in server.bodies] == [["alpha", "be"], ["gamma"]]
    assert server.bodies[0]["model"] == "echo-1"
    assert hits == 2
    assert (spent.calls, spent.tokens) == (2, server.prompt_tokens)
    assert spent.cost == 3_000 * server.prompt_tokens  # three dollars per million


def test_vectors_stay_after_a_restart_and_are_of_one_model_and_its_settings(tmp_path):
    async def main():
        async with place(tmp_path) as here:
            await here.embed("alpha")
        async with place(tmp_path, scope="0002") as here:
            kept = await here.embed("alpha")
            asked = sum(here.server.asked.values())
            await here.embed("alpha", extra_body={"dimensions": 3})
            return kept, asked, sum(here.server.asked.values())

    kept, asked, after = run(main)
    assert plain(kept) == [[5, 97, 97]]
    assert (asked, after) == (0, 1)


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("one_missing", "malformed"),
        ("one_twice", "malformed"),
        ("one_longer", "malformed"),
        ("not_finite", "malformed"),
        ("wrong_model", "wrong_model"),
        ("error_400", "bad_request"),
        ("html_200", "not_json"),
    ],
)
def test_what_are_no_vectors_for_the_texts_is_infrastructure_and_not_kept(tmp_path, fault, reason):
    async def main():
        async with place(tmp_path) as here:
            here.server.always = fault
            with pytest.raises(ModelError) as error:
                await here.embed("alpha", "be", attempts=1)
            here.server.always = None
            return error.value, await here.embed("alpha", "be"), here.store.failures()

    error, later, failures = run(main)
    assert error.reason == reason
    assert failures == {reason: 1}
    assert plain(later) == [[5, 97, 97], [2, 98, 101]]


def test_a_fault_that_passes_is_tried_again_and_what_was_had_before_an_error_is_kept(tmp_path):
    texts = [f"text {number}" for number in range(MAX_TEXTS + 1)]

    async def main():
        async with place(tmp_path) as here:
            here.server.faults.extend(["error_503", "", "quota"])
            with pytest.raises(ModelError) as error:
                await here.embed(*texts)
            found = await here.embed(*texts)
            return error.value.reason, len(found), list(here.server.asked.values())

    reason, found, asked = run(main)
    assert reason is Reason.QUOTA_EXHAUSTED
    assert found == len(texts)
    assert asked == [2, 2]


def test_the_worst_case_is_reserved_before_a_text_is_sent(tmp_path):
    async def main():
        async with place(tmp_path, limits=SpendLimits(tokens=400)) as here:
            await here.embed("short")
            with pytest.raises(BudgetExceeded):
                await here.embed("x" * 500)
            return sum(here.server.asked.values()), here.store.count(Status.PAID)

    assert run(main) == (1, 1)


@given(st.dictionaries(st.text(), st.text(max_size=30), max_size=200))
def test_batches_hold_every_text_once_in_order_and_never_too_many(texts):
    parts = list(batches(texts))
    assert [pair for part in parts for pair in part.items()] == list(texts.items())
    assert all(0 < len(part) <= MAX_TEXTS for part in parts)


def test_long_texts_are_parted_by_their_bytes_and_one_alone_is_never_cut():
    long = "ä" * (MAX_BYTES // 2)
    assert [len(part) for part in batches({"a": long, "b": "x", "c": long, "d": long * 2})] == [
        1, 1, 1, 1,
    ]  # fmt: skip
    assert [list(part) for part in batches({"a": "x", "b": "y"})] == [["a", "b"]]


def test_a_role_embeds_by_its_endpoint_and_not_at_all_where_rules_answer(tmp_path):
    async def main():
        async with LlmServer().running() as server:
            settings = ModelSettings(tmp_path, "0001", {"embedder": endpoint(server, key_env=None)})
            async with open_models(settings) as models:
                assert models.embed("judge", "index", "r1") is None
                embed = models.embed("embedder", "index", "r1")
                assert embed is not None and models.client is not None
                found = await embed(["alpha"])
                rows = models.client.store.costs(["stage", "role", "record"])
        return found, [row.group for row in rows]

    found, groups = run(main)
    assert plain(found) == [[5, 97, 97]]
    assert groups == [("index", "embedder", "r1")]


def test_a_probe_is_paid_and_leaves_nothing_that_a_later_call_could_take_for_an_answer(tmp_path):
    async def main():
        async with place(tmp_path) as here:
            there = endpoint(here.server)
            vector = await here.client.probe_embedding("ab", endpoint=there, role="embedder")
            with sqlite3.connect(tmp_path / "calls" / "calls.sqlite") as db:
                kept = db.execute("SELECT count(*) FROM vectors").fetchone()[0]
            return vector.tolist(), kept, here.store.spent().calls

    assert run(main) == ([2, 97, 98], 0, 1)
