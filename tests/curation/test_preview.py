"""A preview shows what the round makes, imported questions too, and writes nothing to it."""

import asyncio
import hashlib
import io
import json

import pytest
import yaml
from PIL import Image

from curation.preview import preview_questions
from examples.seeds.told import stated
from hopsight.chains.framed import by_id
from hopsight.config import RoundConfig
from hopsight.llm.service import ModelSettings, open_models
from hopsight.types import EvidenceChain, Question
from hopsight.workspace import Workspace
from refine.build_link import OPERATOR
from refine.imported.unchanged import STAGE as REFINED
from refine.stages import STAGES

EXTRA = (37, 41, 97)
"""The colour of a picture that no wiki has."""


@pytest.fixture
def config(small_round):
    return RoundConfig.model_validate(
        yaml.safe_load((small_round.rounds / "0001.yaml").read_text())
    )


@pytest.fixture
def preview(small_round, tmp_path):
    def run(config):
        async def made():
            async with open_models(ModelSettings.of_rules()) as models:
                scratch = Workspace(tmp_path / "scratch")
                return await preview_questions(config, small_round.workspace, scratch, models)

        before = small_round.contents()
        found = asyncio.run(made())
        assert small_round.contents() == before
        return found

    return run


@pytest.fixture
def solved(small_round):
    """Questions of the round that are told like those of a file, each with another picture."""
    store = small_round.store
    chains = by_id(store.read("grounded_chains", "0001", EvidenceChain))
    questions = store.read("grounded_questions", "0001", Question)
    return [(question, chains[question.chain_id]) for question in questions]


def imports(config, folder, pairs, plan="none", limit=24):
    """A configuration that imports these, the last with its answer in its text."""
    out = io.BytesIO()
    Image.new("RGB", (600, 600), EXTRA).save(out, "PNG")
    (folder / "a.png").write_bytes(out.getvalue())
    rows = [
        {"question": q.text, "answer": q.answer, "image": "a.png", "reasoning": stated(chain)}
        for q, chain in pairs
    ]
    names = pairs[-1][1].nodes
    rows[-1]["question"] += f" (Not of {names[-1].title}.)"
    (folder / "seeds.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    refine = {"imported": {"files": [str(folder / "seeds.jsonl")]}, "plans": {plan: 1.0}}
    given = config.model_dump(mode="json")
    given["refine"] |= refine
    given["explore"]["paths"] = limit
    return RoundConfig.model_validate(given), hashlib.sha256(out.getvalue()).hexdigest()


def test_a_preview_of_all_paths_shows_the_very_questions_of_the_round(small_round, config, preview):
    found = preview(config)
    store = small_round.store
    stored = store.read("refined_questions", "0001", Question)
    made = {question.id: (question, chain.id) for question, chain in found.pairs}
    assert made == {question.id: (question, question.chain_id) for question in stored}
    assert {each.operator for each in stored} & set(STAGES)
    assert (found.asked, found.seeds, found.rows, found.imported) == ({}, frozenset(), 0, 0)


def test_imported_questions_are_shown_as_the_round_would_make_them(
    config, preview, solved, tmp_path
):
    changed, picture = imports(config, tmp_path, solved)
    found = preview(changed)
    texts = [question.text for question, _ in found.pairs if question.operator == OPERATOR]
    assert set(texts) <= {question.text for question, _ in solved[:-1]}
    assert len(texts) == found.imported > 3
    assert (found.read, found.rows) == (len(solved), len(solved))
    assert len(found.questions.kept) > found.imported
    assert found.reasons[REFINED] == {"name_leak": 1}
    assert hashlib.sha256(found.pictures.bytes(picture)).hexdigest() == picture
    grounded = next(q for q in found.questions.kept if q.operator != OPERATOR)
    assert found.pictures.bytes(grounded.images[0].sha256)


def test_only_as_many_rows_as_paths_are_read_and_all_are_counted(config, preview, solved, tmp_path):
    changed, _ = imports(config, tmp_path, solved, limit=3)
    found = preview(changed)
    assert (found.read, len(found.seeds), found.rows) == (3, 3, len(solved))
    assert found.imported <= 3


def test_imported_questions_go_through_the_operators(config, preview, solved, tmp_path):
    changed, _ = imports(config, tmp_path, solved, plan="expand")
    found = preview(changed)
    harder = [q for q, chain in found.pairs if chain.path_id in found.seeds]
    assert "expand" in {question.operator for question in harder}
    assert not {question.text for question in harder if question.operator == "expand"} & {
        question.text for question, _ in solved
    }
