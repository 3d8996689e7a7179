"""Answers of another backend, recorded and replayed: the same question is asked and paid once."""

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, TypeVar

from pydantic import TypeAdapter, ValidationError

from hopsight.errors import ProviderError, StoreError
from hopsight.harness.backends import PageText, SearchBackend
from hopsight.providers.tape import Question, Tape, key_of
from hopsight.search import ImageHit, PageHit
from hopsight.types import ImageRef
from hopsight.waiting import Flights

_PAGES: Final = TypeAdapter(list[PageHit])
_PICTURES: Final = TypeAdapter(list[ImageHit])
_PAGE: Final[TypeAdapter[PageText | None]] = TypeAdapter(PageText)
_PICTURE: Final[TypeAdapter[ImageRef | None]] = TypeAdapter(ImageRef)
SHOWN: Final = 80
T = TypeVar("T")


class ReplayBackend:
    """Answers from a tape; what is not on it is asked of `source` and recorded.

    Without a source nothing is ever asked: a question that was not recorded raises ProviderError,
    which names it. Only answers with something in them are recorded, so that "nothing found" is
    asked again. `identities` names each tool's answerer (`tools_of`): other providers, other
    settings, other answers. `hits` counts answers from the tape, `asked` those from the source.
    """

    def __init__(
        self, tape: Tape, identities: Mapping[str, str], source: SearchBackend | None = None
    ) -> None:
        self.hits = 0
        self.asked = 0
        self._tape = tape
        self._identities = dict(identities)
        self._source = source
        self._flights = Flights()

    @property
    def offers(self) -> frozenset[str]:
        """What the source offers; without one, what was recorded from."""
        return frozenset(self._identities) if self._source is None else self._source.offers

    async def web_search(self, query: str, k: int) -> list[PageHit]:
        """Pages for words."""
        return await self._answer(
            self._question("web_search", {"query": query, "k": k}),
            _PAGES,
            lambda source: source.web_search(query, k),
        )

    async def scholar_search(self, query: str, k: int) -> list[PageHit]:
        """Papers for words."""
        return await self._answer(
            self._question("scholar_search", {"query": query, "k": k}),
            _PAGES,
            lambda source: source.scholar_search(query, k),
        )

    async def image_search(self, query: str, k: int) -> list[ImageHit]:
        """Pictures for words."""
        return await self._answer(
            self._question("image_search", {"query": query, "k": k}),
            _PICTURES,
            lambda source: source.image_search(query, k),
        )

    async def visual_search(self, image: bytes, k: int) -> list[ImageHit]:
        """Pages that show this picture, which is told apart by the hash of its bytes."""
        sha256 = hashlib.sha256(image).hexdigest()
        return await self._answer(
            self._question("visual_search", {"image": sha256, "k": k}),
            _PICTURES,
            lambda source: source.visual_search(image, k),
        )

    async def visit(self, url: str) -> PageText | None:
        """The page at `url`, None where there is none."""
        return await self._answer(
            self._question("visit", {"url": url}), _PAGE, lambda source: source.visit(url)
        )

    async def fetch_image(self, url: str) -> ImageRef | None:
        """The picture at `url`, None where there is none."""
        return await self._answer(
            self._question("fetch_image", {"url": url}),
            _PICTURE,
            lambda source: source.fetch_image(url),
        )

    def _question(self, tool: str, parameters: Question) -> Question:
        return {"tool": tool, "from": self._identities.get(tool, ""), **parameters}

    async def _answer(
        self,
        question: Question,
        kind: TypeAdapter[T],
        ask: Callable[[SearchBackend], Awaitable[T]],
    ) -> T:
        def recorded() -> T | None:
            found = self._tape.find(question)
            if found is None:
                return None
            self.hits += 1
            return _read(kind, found, question)

        async def asked() -> T:
            if self._source is None:
                raise ProviderError(
                    f"not recorded: {_named(question)}",
                    "record it with the live backend first; to replay, name the same providers in "
                    "providers.yaml (auto goes by the keys that are set)",
                )
            self.asked += 1
            answer = await ask(self._source)
            if answer:
                self._tape.keep(question, kind.dump_json(answer).decode())
            return answer

        return await self._flights.once(key_of(question), recorded, asked)


def _read(kind: TypeAdapter[T], recorded: str, question: Question) -> T:
    try:
        return kind.validate_json(recorded)
    except ValidationError:
        pass
    raise StoreError(
        f"the recorded answer to {_named(question)} is damaged or of another version",
        "move the recordings away; their answers are then asked again",
    )


def _named(question: Question) -> str:
    """A question as an error tells it."""
    parameters = (
        f"{name}={str(value)[:SHOWN]!r}" if isinstance(value, str) else f"{name}={value}"
        for name, value in question.items()
        if name not in ("tool", "from")
    )
    return f"{question['tool']}({', '.join(parameters)})"
