"""The anchor's candidate pictures: ranked by rule or by likeness, the others told why."""

import hashlib
import io

import numpy as np
import pytest
from PIL import Image

from curation.looks import shared_looks
from curation.pictures import LookedInto, PictureRules, ranked_pictures
from hopsight.errors import ProviderError, StoreError
from hopsight.types import ImageRef, PageImage
from tests.curation import made

RULES = PictureRules(min_px=64)


class Store:
    """Pictures of noise, each with its own seed."""

    def __init__(self):
        self.held = {}

    def bytes(self, sha256):
        if sha256 not in self.held:
            raise StoreError(f"picture {sha256} is not there", "store it")
        return self.held[sha256]

    def add(self, seed, size=(96, 64), *, file="", quality=None, text=()):
        cells = np.random.default_rng(seed).integers(0, 256, (8, 8, 3), dtype=np.uint8)
        image = Image.fromarray(cells).resize(size, Image.Resampling.NEAREST)
        out = io.BytesIO()
        image.save(out, "JPEG" if quality else "PNG", **({"quality": quality} if quality else {}))
        data = out.getvalue()
        sha256 = hashlib.sha256(data).hexdigest()
        self.held[sha256] = data
        reference = ImageRef(
            sha256=sha256,
            mime="image/jpeg" if quality else "image/png",
            width=size[0],
            height=size[1],
            source_url="",
            license="CC0-1.0",
            author="nobody",
        )
        return PageImage(
            page_id=1, file=file or f"{seed}.png", image=reference, visual_facts=(), text=text
        )


class Embedder:
    """Puts a picture at the cosine that is set for its size of file."""

    name, least_text, least_image = "made", 0.2, 0.5

    def __init__(self, cosines):
        self.cosines = cosines

    def embed_texts(self, texts):
        return np.array([[1, 0]] * len(texts), np.float32)

    def embed_images(self, images):
        cosines = [self.cosines[hashlib.sha256(data).hexdigest()] for data in images]
        return np.array([[c, abs(1 - c * c) ** 0.5] for c in cosines], np.float32)


@pytest.fixture
def store():
    return Store()


def rank(store, candidates, embedder=None, **options):
    seen = LookedInto(store, embedder)
    ranked = ranked_pictures(candidates, "a bridge", seen, rules=RULES, **options)
    told = {each.picture.file: each.reason for each in ranked.refused}
    assert len(ranked.usable) + len(ranked.refused) == len(candidates)
    return [each.file for each in ranked.usable], told


def test_by_rule_the_larger_picture_comes_first_in_whatever_order_they_are_given(store):
    small, large = store.add(1), store.add(2, (200, 128))
    assert rank(store, [small, large]) == rank(store, [large, small]) == (["2.png", "1.png"], {})


def test_each_candidate_that_will_not_do_is_told_why(store):
    good = store.add(1, (400, 300))
    copy = store.add(1, (200, 150), file="copy.jpg", quality=80)
    answer, gone = store.add(3, (300, 200), file="answer.png"), store.add(4)
    del store.held[gone.image.sha256]
    others = [store.add(5, (63, 80)), store.add(6, (500, 100)), answer, gone, copy, good]
    usable, told = rank(store, others, answers=[store.add(3, (150, 100), quality=85)])
    assert usable == ["1.png"]
    assert told == {
        "5.png": "small_picture",
        "6.png": "long_picture",
        "answer.png": "answer_picture",
        "4.png": "unreadable_picture",
        "copy.jpg": "same_picture",
    }


def test_a_picture_that_another_page_has_too_is_ambiguous(store):
    label = store.add(1, text=("Museum",))
    shared = shared_looks(made.walker().world)
    assert rank(store, [label], shared=shared) == (["1.png"], {})
    shared[((), ("Museum",))] = 2
    assert rank(store, [label], shared=shared) == ([], {"1.png": "ambiguous_picture"})


def test_no_more_than_eight_are_looked_at(store):
    usable, told = rank(store, [store.add(seed) for seed in range(10)])
    assert (len(usable), list(told.values())) == (8, ["too_many_candidates"] * 2)


def test_an_embedder_ranks_by_likeness_and_refuses_what_is_unlike(store):
    pictures = [store.add(seed) for seed in range(3)]
    cosines = {each.image.sha256: c for each, c in zip(pictures, (0.3, 0.27, 0.5), strict=True)}
    assert rank(store, pictures, embedder=Embedder(cosines)) == (
        ["2.png", "0.png"],
        {"1.png": "unlike_description"},
    )


def test_an_embedder_that_gives_no_vectors_of_length_one_is_no_verdict(store):
    one = store.add(1)
    with pytest.raises(ProviderError):
        rank(store, [one], embedder=Embedder({one.image.sha256: 3.0}))


def test_without_an_embedder_the_lead_comes_before_a_larger_one(store):
    lead, large = store.add(1), store.add(2, (200, 128), file="Old_Bridge-at_night.png")
    found = rank(store, [large, lead], lead=lead, names=("Old Bridge",))
    assert found == (["1.png", "Old_Bridge-at_night.png"], {})


def test_a_lead_that_will_not_do_gives_way(store):
    lead, large = store.add(1, (60, 60)), store.add(2, file="The old bridge.png")
    assert rank(store, [large, lead], lead=lead, names=("Old Bridge",)) == (
        ["The old bridge.png"],
        {"1.png": "small_picture"},
    )


def test_without_an_embedder_a_picture_that_is_not_named_after_the_page_is_not_taken(store):
    lead, other = store.add(1), store.add(2, file="Its architect.png")
    beside = store.add(3, file="Flag of a ship near the old bridge.png")
    options = {"lead": lead, "names": ("Old Bridge",)}
    assert rank(store, [lead, other, beside], **options) == (
        ["1.png"],
        {
            "Its architect.png": "unlike_description",
            "Flag of a ship near the old bridge.png": "unlike_description",
        },
    )
    alike = Embedder({lead.image.sha256: 0.4, other.image.sha256: 0.5})
    assert rank(store, [lead, other], embedder=alike, **options)[0] == [
        "Its architect.png",
        "1.png",
    ]


def test_the_lead_is_among_those_looked_at_however_small(store):
    lead = store.add(99, (70, 70), file="lead.png")
    larger = [store.add(seed, (96, 96), file=f"Bridge {seed}.png") for seed in range(9)]
    usable, told = rank(store, [*larger, lead], lead=lead, names=("Bridge",))
    assert usable[0] == "lead.png"
    assert len(usable) == 8
    assert list(told.values()) == ["too_many_candidates"] * 2


def test_what_came_nearest_is_refused_first(store):
    small, near, far = store.add(1, (60, 60)), store.add(2), store.add(3)
    embedder = Embedder({near.image.sha256: 0.2, far.image.sha256: 0.1})
    assert list(rank(store, [small, far, near], embedder=embedder)[1]) == [
        "2.png", "3.png", "1.png",
    ]  # fmt: skip


def test_a_picture_is_shown_to_the_embedder_once(store):
    one = store.add(1)
    embedder = Embedder({one.image.sha256: 0.4})
    seen = LookedInto(store, embedder)
    first = ranked_pictures([one], "a bridge", seen, rules=RULES)
    embedder.cosines = {}
    store.held.clear()
    assert ranked_pictures([one], "a bridge", seen, rules=RULES) == first
