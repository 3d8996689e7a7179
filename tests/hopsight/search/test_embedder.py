"""A stand-in for CLIP: colours are a space that words and pictures share."""

import hashlib
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from hopsight.errors import ProviderError, StoreError
from hopsight.search.embedder import EmbeddedPictures, Vectors
from tests.hopsight.search import drawing

COLOURS = {"red": (255, 0, 0), "green": (0, 255, 0), "blue": (0, 0, 255)}


@dataclass(frozen=True)
class Colours:
    name: str = "colours-1"
    scale: float = 1.0
    least_text: float = 0.5
    least_image: float = 0.5

    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        words = [[COLOURS[word] for word in text.split() if word in COLOURS] for text in texts]
        return self._unit([np.sum([*each, (1, 1, 1)], axis=0) for each in words])

    def embed_images(self, images: Sequence[bytes]) -> Vectors:
        opened = [Image.open(io.BytesIO(data)) for data in images]
        return self._unit([np.asarray(each).mean(axis=(0, 1)) for each in opened])

    def _unit(self, rows: Sequence[np.ndarray]) -> Vectors:
        made = np.array(rows, np.float32).reshape(-1, 3)
        unit = made / np.maximum(np.linalg.norm(made, axis=1, keepdims=True), 1e-6)
        return np.asarray(self.scale * unit, np.float32)


def picture(colour: tuple[int, int, int]) -> tuple[str, bytes]:
    data = drawing.png(Image.new("RGB", (8, 8), colour))
    return hashlib.sha256(data).hexdigest(), data


PICTURES = {name: picture(colour) for name, colour in COLOURS.items()}
BYTES = dict(PICTURES.values())
HASHES = list(BYTES)


def test_words_and_like_pictures_find_a_picture(tmp_path: Path) -> None:
    EmbeddedPictures.build(HASHES, BYTES.__getitem__, Colours(), tmp_path)
    found = EmbeddedPictures.open(tmp_path, Colours())
    assert [sha256 for sha256, _ in found.by_text("green", 3)] == [PICTURES["green"][0]]
    assert found.by_image(picture((240, 30, 10))[1], 1)[0][0] == PICTURES["red"][0]


def test_the_order_of_pictures_does_not_change_the_index(tmp_path: Path) -> None:
    for name, hashes in (("a", HASHES), ("b", HASHES[::-1])):
        EmbeddedPictures.build(hashes, BYTES.__getitem__, Colours(), tmp_path / name)
    one, two = (EmbeddedPictures.open(tmp_path / n, Colours()) for n in "ab")
    assert one.by_text("red blue", 3) == two.by_text("red blue", 3)


def test_another_embedder_is_refused_an_index(tmp_path: Path) -> None:
    EmbeddedPictures.build(HASHES, BYTES.__getitem__, Colours(), tmp_path)
    with pytest.raises(StoreError, match="colours-1"):
        EmbeddedPictures.open(tmp_path, Colours("colours-2"))


def test_an_embedder_that_breaks_its_promise_is_a_failure_of_the_provider(tmp_path: Path) -> None:
    with pytest.raises(ProviderError, match="length 1"):
        EmbeddedPictures.build(HASHES, BYTES.__getitem__, Colours(scale=3.0), tmp_path)
