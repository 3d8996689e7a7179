"""What is trained on and what is tested on are kept apart, and so are SFT and RL."""

import json
from collections import defaultdict

import pyarrow.parquet as pq
import pytest

from hopsight.types import EvidenceChain, ExportRow, Question, SplitAssignment
from tests.loop.place import ROUND


@pytest.fixture(scope="module")
def chains_by_split(mini_round):
    """The chains of the curated questions, by split."""
    store = mini_round.store
    chains = {chain.id: chain for chain in store.read("refined_chains", ROUND, EvidenceChain)}
    questions = {q.id: q for q in store.read("curated_questions", ROUND, Question)}
    found = defaultdict(list)
    for each in store.read("split_assignments", ROUND, SplitAssignment):
        found[each.split].append(chains[questions[each.question_id].chain_id])
    assert set(found) == {"sft", "rl", "eval"}
    return found


def test_sft_and_rl_share_no_question(mini_round):
    sft = json.loads((mini_round.exports / "sft" / "sft.json").read_text())
    rl = pq.read_table(mini_round.exports / "rl" / "rl.parquet").to_pylist()
    sft_ids, rl_ids = {row["id"] for row in sft}, {row["extra_info"]["question_id"] for row in rl}
    assert sft_ids
    assert rl_ids
    assert not sft_ids & rl_ids
    texts = {row["conversations"][0]["value"] for row in sft}
    assert not texts & {row["prompt"][1]["content"] for row in rl}


@pytest.mark.parametrize("split", ["sft", "rl"])
def test_evaluation_shares_no_anchor_picture_or_asked_fact_with_training(chains_by_split, split):
    for what in (_anchor, _pictures, _asked):
        held = {each for chain in chains_by_split["eval"] for each in what(chain)}
        used = {each for chain in chains_by_split[split] for each in what(chain)}
        assert held
        assert not held & used, what.__name__


def test_no_picture_that_evaluation_starts_from_is_shown_in_a_training_row(
    mini_round, chains_by_split
):
    held = {each for chain in chains_by_split["eval"] for each in _pictures(chain)}
    for name in ("sft_rows", "rl_rows"):
        for row in mini_round.store.read(name, ROUND, ExportRow):
            assert not held & set(row.images), f"{name} {row.row}"


def test_no_evaluation_question_is_exported(mini_round):
    store = mini_round.store
    exported = (mini_round.exports / "sft" / "sft.json").read_text()
    rl = pq.read_table(mini_round.exports / "rl" / "rl.parquet").to_pylist()
    told = exported + "".join(f"{row['prompt']} {row['extra_info']}" for row in rl)
    questions = {q.id: q for q in store.read("curated_questions", ROUND, Question)}
    held = [
        each.question_id
        for each in store.read("split_assignments", ROUND, SplitAssignment)
        if each.split == "eval"
    ]
    assert held
    for each in held:
        assert each not in told
        assert questions[each].text not in told


def _anchor(chain):
    return {chain.nodes[0].page_id}


def _pictures(chain):
    return {image.sha256 for image in chain.nodes[0].images}


def _asked(chain):
    return {(chain.nodes[-1].page_id, chain.attribute)}
