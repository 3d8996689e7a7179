"""References over the world that ships with the project: how much of it they answer."""

from collections import Counter
from pathlib import Path

import pytest

from hopsight.config import RoundConfig
from hopsight.llm.chat import Picture
from hopsight.steps import CAPTION_PICTURE, EXTRACT_FACTS, VERIFY_HOP
from hopsight.steps.caption_picture import Shown
from hopsight.steps.extract_facts import MAX_SENTENCES, PageText
from hopsight.steps.verify_hop import HopClaim
from hopsight.store.images import ImageStore
from hopsight.wiki.build import build_snapshot
from hopsight.wiki.sentences import split_sentences
from hopsight.wiki.snapshot import Snapshot
from hopsight.wiki.sources import source_files
from tests.hopsight.steps.samples import wrong


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    return ImageStore(Path(tmp_path_factory.mktemp("pictures")))


@pytest.fixture(scope="module")
def world(pictures):
    files = source_files(RoundConfig().source, Path())
    return Snapshot(build_snapshot(files.dump, files.pictures, files.sidecar, pictures))


def test_nearly_every_stated_fact_is_extracted_as_its_sentence_writes_it(world):
    stated = found = 0
    for page_id in world.ids()[::6]:
        page, known = world.page(page_id), world.facts(page_id)
        sentences = tuple(page.text[a:b] for a, b in split_sentences(page.text))[:MAX_SENTENCES]
        if sentences:
            item = PageText(title=page.title, sentences=sentences, known=known)
            answer = EXTRACT_FACTS.reference(item)
            assert not wrong(EXTRACT_FACTS, item, answer)
            stated += sum(fact.evidence is not None for fact in known)
            found += len(answer.facts)
    assert stated > 2_000
    assert found / stated > 0.999


def test_nearly_every_hop_is_supported_by_its_own_sentence_and_few_by_another(world):
    own, other = Counter[str](), Counter[str]()
    for page_id in world.ids()[::6]:
        stated = [fact for fact in world.facts(page_id) if fact.evidence and fact.value_page]
        for fact, another in zip(stated, stated[1:] + stated[:1], strict=True):
            claim = HopClaim(
                source=fact.evidence.title,
                source_names=world.names(page_id),
                statement=f"{fact.attribute} of it is {fact.value}",
                attribute=fact.attribute,
                target=fact.value,
                target_names=world.names(fact.value_page),
                sentence=fact.evidence.sentence,
            )
            own[VERIFY_HOP.reference(claim).verdict] += 1
            if another.attribute != fact.attribute and another.evidence != fact.evidence:
                elsewhere = claim.model_copy(update={"sentence": another.evidence.sentence})
                other[VERIFY_HOP.reference(elsewhere).verdict] += 1
    assert own["supported"] / own.total() > 0.995
    assert other["supported"] / other.total() < 0.03


def test_every_picture_has_a_caption_that_passes_its_check(world, pictures):
    shown = [image for n in world.ids() if (image := world.image(n)) is not None]
    for image in shown[::20]:
        item = Shown(
            picture=Picture.of(pictures.bytes(image.image.sha256)),
            avoid=world.names(image.page_id),
            known=image.visual_facts,
            known_text=image.text,
        )
        for asked in (item, item.model_copy(update={"known": ()})):
            assert not wrong(CAPTION_PICTURE, asked, CAPTION_PICTURE.reference(asked))
