"""Pictures for words, and for like pictures, through a model that puts both into one space."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from hopsight.errors import ProviderError, StoreError
from hopsight.search.vectors import VectorIndex
from hopsight.store.files import write_atomic

Vectors = npt.NDArray[np.float32]
KEYS: Final = "keys.json"
BATCH: Final = 32


class ImageEmbedder(Protocol):
    """A model of the kind of CLIP: words and pictures as float32 vectors (n, d) of length 1.

    `name` tells one model and version from another. Failures raise ProviderError, a picture that
    cannot be read PictureError. Each model has cosines of its own: below `least_text` words and a
    picture, below `least_image` two pictures, have nothing to do with each other.
    """

    @property
    def name(self) -> str:
        """Model and version."""
        ...

    @property
    def least_text(self) -> float:
        """Cosine of words and a picture that fit."""
        ...

    @property
    def least_image(self) -> float:
        """Cosine of two pictures that are alike."""
        ...

    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """A vector per text."""
        ...

    def embed_images(self, images: Sequence[bytes]) -> Vectors:
        """A vector per picture."""
        ...


class EmbeddedPictures:
    """Pictures of an index by their sha256, looked up by words or by pixels.

    Likeness to a model is no proof of sameness; the embedder's least cosines bound it.
    """

    def __init__(self, index: VectorIndex, keys: Sequence[str], embedder: ImageEmbedder) -> None:
        self._index = index
        self._keys = keys
        self._embedder = embedder

    @staticmethod
    def build(
        hashes: Sequence[str],
        image_bytes: Callable[[str], bytes],
        embedder: ImageEmbedder,
        folder: Path,
    ) -> None:
        """Write the index of the pictures with these hashes; their order is of no account."""
        ordered = sorted(set(hashes))
        parts = []
        for start in range(0, len(ordered), BATCH):
            images = [image_bytes(sha256) for sha256 in ordered[start : start + BATCH]]
            parts.append(checked(embedder.embed_images(images), embedder))
        vectors = np.concatenate(parts) if parts else np.zeros((0, 1), np.float32)
        VectorIndex.build(vectors, embedder.name, folder)
        write_atomic(folder / KEYS, json.dumps(ordered).encode(), sync=False)

    @classmethod
    def open(cls, folder: Path, embedder: ImageEmbedder) -> "EmbeddedPictures":
        """Open an index. Raises StoreError where it is missing, damaged or another embedder's."""
        index = VectorIndex.open(folder, embedder.name)
        try:
            keys = json.loads((folder / KEYS).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise StoreError(
                f"no readable vector index in {folder}", "build the search index again"
            ) from error
        if len(keys) != len(index):
            raise StoreError(
                f"the vector index in {folder} names {len(keys)} pictures and holds {len(index)}",
                "build the search index again",
            )
        return cls(index, keys, embedder)

    def by_text(self, text: str, k: int) -> list[tuple[str, float]]:
        """Up to `k` pictures (sha256, cosine) for words, best first."""
        return self._near(self._embedder.embed_texts([text]), k, self._embedder.least_text)

    def by_image(self, data: bytes, k: int) -> list[tuple[str, float]]:
        """Up to `k` pictures (sha256, cosine) that look like this one, best first."""
        return self._near(self._embedder.embed_images([data]), k, self._embedder.least_image)

    def _near(self, vectors: Vectors, k: int, least: float) -> list[tuple[str, float]]:
        found = self._index.search(checked(vectors, self._embedder), k)[0]
        return [(self._keys[row], cosine) for row, cosine in found if cosine >= least]


def checked(vectors: Vectors, embedder: ImageEmbedder) -> Vectors:
    """What an embedder gave, if it is what it promises. Raises ProviderError."""
    given = np.asarray(vectors)
    lengths = np.linalg.norm(given, axis=-1) if given.ndim == 2 else np.zeros(1)
    if given.dtype != np.float32 or not bool((np.abs(lengths - 1) < 1e-2).all()):
        raise ProviderError(
            f"the embedder {embedder.name!r} gave something else than float32 vectors of length 1",
            "use one that does, or turn it off",
        )
    return given
