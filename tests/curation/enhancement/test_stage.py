import asyncio
from collections import Counter
from typing import Any

import pytest
from PIL import Image

from curation.enhancement import TOOL_OF, Studio, chosen, enhanced_questions, originals, possible
from hopsight.config.enhance import DegradeConfig, EnhanceConfig
from hopsight.errors import ConfigError, ProviderError, StoreError
from hopsight.harness.workbench import Workbench
from hopsight.imaging import Interpolation, LayoutLine
from hopsight.search.pixels import open_picture
from hopsight.store import ImageStore
from hopsight.types import Question
from tests.curation.made import grounded
from tests.hopsight.search import drawing

TOOLS = frozenset(TOOL_OF.values())
BASE = grounded().questions.kept[0]


class Nobody:
    """A backend that no tool of this stage asks."""

    offers: frozenset[str] = frozenset()


NOBODY: Any = Nobody()


class Reader:
    """Reads what it was told to read in pictures of a size."""

    name = "made-up"

    def __init__(self, texts):
        self.texts = texts

    async def parse(self, data):
        text = self.texts.get(open_picture(data).size, "")
        if text is None:
            raise ProviderError("the reader is down", "start it")
        return (LayoutLine(text, (0, 0, 1, 1), 1.0),) if text else ()


@pytest.fixture
def store(tmp_path):
    return ImageStore(tmp_path)


def scene(number):
    """Small, so that tests are quick."""
    return drawing.scene(number).resize((360, 256), Image.Resampling.BOX)


def asked(store, count, draw=scene) -> list[Question]:
    """Questions, each over a picture of its own."""
    questions = []
    for number in range(count):
        image = store.put(drawing.png(draw(number)), f"u{number}", "CC-BY-4.0", f"a{number}")
        questions.append(BASE.model_copy(update={"images": (image,), "text": f"{number}?"}))
    return questions


def enhance(store, questions, *, tools=TOOLS, seed=1, reader=None, written=None, **rules):
    bench = Workbench(NOBODY, layout=reader, upscaler=Interpolation())
    studio = Studio(store, bench, EnhanceConfig(**{"share": 1.0, **rules}), seed, written or {})
    return asyncio.run(enhanced_questions(questions, studio, tools))


def test_a_share_is_chosen_by_the_seed_and_not_by_the_order():
    questions = [BASE.model_copy(update={"text": f"{number}?"}) for number in range(200)]
    picked = [each.id for each in chosen(questions, 0.1, 1)]
    assert len(picked) == 20
    assert [each.id for each in chosen(questions[::-1], 0.1, 1)] == picked
    assert [each.id for each in chosen(questions, 0.1, 2)] != picked
    assert chosen([BASE.model_copy(update={"images": ()})], 1.0, 1) == []


def test_every_question_goes_on_and_a_degraded_one_knows_its_parent(store):
    questions = asked(store, 6)
    found = enhance(store, questions, share=0.5)
    assert found.attempts.entered == 3
    assert len(found.attempts.kept) + len(found.attempts.rejected) == 3
    assert found.attempts.kept
    by_parent = {each.parent_id: each for each in found.attempts.kept}
    assert len(found.questions) == 6
    for before, after in zip(questions, found.questions, strict=True):
        record = by_parent.get(before.id)
        if record is None:
            assert after == before
            continue
        assert (after.id, after.parent_id) == (record.question_id, before.id)
        assert (after.text, after.answer, after.operator) == (
            before.text,
            before.answer,
            before.operator,
        )
        image, source = after.images[0], before.images[0]
        assert (record.picture, record.source) == (image.sha256, source.sha256)
        assert (image.license, image.author) == (source.license, source.author)
        assert open_picture(store.bytes(image.sha256)) != open_picture(store.bytes(source.sha256))
        assert record.before - record.degraded >= 0.05
        assert record.restored - record.degraded >= 0.05
        assert record.tool == TOOL_OF[record.degradation.kind]
    assert originals(found.attempts.kept) == {
        each.picture: each.source for each in found.attempts.kept
    }


def test_the_same_seed_gives_the_same_records_in_whatever_order(store):
    questions = asked(store, 4)
    first, again = enhance(store, questions), enhance(store, questions[::-1])
    key = {each.id for each in first.questions}
    assert {each.id for each in again.questions} == key
    assert {each.id for each in first.attempts.kept} == {each.id for each in again.attempts.kept}
    other = enhance(store, questions, seed=2)
    assert {each.id for each in other.attempts.kept} != {each.id for each in first.attempts.kept}


def test_each_degradation_is_taken_back_by_its_own_tool(store):
    questions = asked(store, 3)
    for kind in ("gaussian_blur", "downsampling", "perspective"):
        kept = enhance(store, questions, kinds=(kind,)).attempts.kept
        assert len(kept) >= 2, kind
        assert {each.tool for each in kept} == {TOOL_OF[kind]}


def test_only_what_a_tool_of_the_round_takes_back_is_done(store):
    questions = asked(store, 4)
    rules = EnhanceConfig()
    assert possible(rules, {"sharpen"}) == ("gaussian_blur", "defocus_blur")
    assert possible(rules, {"web_search"}) == ()
    none = enhance(store, questions, tools={"web_search", "zoom_in"})
    assert none.questions == tuple(questions)
    assert none.attempts.entered == 0
    one = enhance(store, questions, tools={"perspective_correct"})
    assert {each.tool for each in one.attempts.kept} == {"perspective_correct"}


def test_a_picture_that_is_hardly_worse_is_not_degraded(store):
    mild = DegradeConfig(corner_shift=(0.0, 0.0))
    found = enhance(store, asked(store, 2), kinds=("perspective",), ranges=mild)
    assert found.attempts.reasons() == {"not_degraded": 2}
    assert all(each.parent_id == BASE.parent_id for each in found.questions)


def test_a_tool_that_hardly_helps_is_no_proof(store):
    found = enhance(store, asked(store, 3), kinds=("gaussian_blur",), min_gain=1.0)
    assert found.attempts.reasons() == {"not_restored": 3}
    assert "gaussian_blur, keypoints" in found.attempts.rejected[0].detail


def test_a_tool_that_finds_nothing_to_do_restores_nothing(store):
    def plain(number):
        return Image.new("RGB", (360, 256), drawing.COLOURS[number])

    found = enhance(store, asked(store, 2, plain), kinds=("gaussian_blur",), min_loss=0.0)
    assert found.attempts.reasons() == {"not_restored": 2}
    assert "nothing to sharpen" in found.attempts.rejected[0].detail


def test_a_picture_too_small_to_be_made_smaller_is_told_and_kept_as_it_is(store):
    small = asked(store, 1, lambda number: scene(number).resize((80, 60)))
    found = enhance(store, small, kinds=("downsampling",))
    assert found.attempts.reasons() == {"picture_unusable": 1}
    assert found.questions == tuple(small)


def test_writing_is_measured_by_how_much_of_it_is_read(store):
    questions = asked(store, 1, drawing.sign)
    factor = DegradeConfig(downsample_factor=(2.0, 2.0))
    reader = Reader({(720, 512): "Belcastle Corvin", (360, 256): "Belc"})
    found = enhance(
        store,
        questions,
        reader=reader,
        kinds=("downsampling",),
        measure="text",
        ranges=factor,
        written={questions[0].images[0].sha256: "BELCASTLE CORVIN!"},
    )
    record = found.attempts.kept[0]
    assert (record.measure, record.before, record.restored) == ("text", 1.0, 1.0)
    assert record.degraded < 0.5


def test_a_reader_that_fails_is_no_verdict_on_the_tool(store):
    reader = Reader({(720, 512): "Belcastle Corvin", (360, 256): None})
    factor = DegradeConfig(downsample_factor=(2.0, 2.0))
    found = enhance(
        store,
        asked(store, 1, drawing.sign),
        reader=reader,
        kinds=("downsampling",),
        measure="text",
        ranges=factor,
    )
    assert found.attempts.reasons() == {"reader_failed": 1}


def test_an_engine_that_fails_is_infrastructure(store):
    class Broken(Interpolation):
        async def upscale(self, image, factor):
            raise ProviderError("out of memory", "try again")

    bench = Workbench(NOBODY, upscaler=Broken())
    studio = Studio(store, bench, EnhanceConfig(share=1.0, kinds=("downsampling",)), 1)
    questions = asked(store, 1)
    found = asyncio.run(enhanced_questions(questions, studio, TOOLS))
    assert found.attempts.reasons() == {"tool_failed": 1}
    assert found.questions == tuple(questions)


def test_an_engine_that_is_missing_and_a_picture_that_is_lost_are_errors(store, tmp_path):
    questions = asked(store, 1)
    studio = Studio(store, Workbench(NOBODY), EnhanceConfig(share=1.0, kinds=("downsampling",)), 1)
    with pytest.raises(ConfigError, match="super_resolution"):
        asyncio.run(enhanced_questions(questions, studio, TOOLS))
    empty = ImageStore(tmp_path / "empty")
    with pytest.raises(StoreError):
        enhance(empty, questions)


def test_every_tool_gets_its_share(store):
    kinds = Counter(
        TOOL_OF[each.degradation.kind] for each in enhance(store, asked(store, 9)).attempts.kept
    )
    assert set(kinds) == TOOLS


def test_nothing_of_a_failed_attempt_is_stored(store):
    questions = asked(store, 1)
    held = sorted(store.root.rglob("*.*"))
    found = enhance(store, questions, min_gain=1.0)
    assert found.attempts.kept == ()
    assert sorted(store.root.rglob("*.*")) == held
