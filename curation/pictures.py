"""Which of the anchor's pictures a question is asked of: candidates ranked, the others with why."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from curation.looks import Pictures, look_of
from hopsight.errors import PictureError, StoreError
from hopsight.imaging.hashes import difference_hash, near
from hopsight.leak import fold, leaks
from hopsight.search.embedder import ImageEmbedder, Vectors, checked
from hopsight.store.images import inspect_picture
from hopsight.types import PageImage
from hopsight.wiki.images import MAX_PICTURES


@dataclass(frozen=True, slots=True)
class PictureRules:
    """Which pictures will do: up to `candidates` are looked at [OpenSearch-VL].

    `min_px` bounds the shorter side, `longest` the longer side as a multiple of it [ours];
    `least_cosine` is that of a picture and its description [OpenSearch-VL: .28 with CLIP].
    """

    candidates: int = MAX_PICTURES
    min_px: int = 512
    longest: float = 4.0
    least_cosine: float = 0.28


@dataclass(frozen=True, slots=True)
class RefusedPicture:
    """A candidate that is not used: a short constant, and the case in words."""

    picture: PageImage
    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class Ranked:
    """Candidates that will do, best first, and the others."""

    usable: tuple[PageImage, ...]
    refused: tuple[RefusedPicture, ...]


@dataclass(frozen=True, slots=True)
class _Look:
    """What the pixels of a picture come to; sizes in pixels."""

    width: int
    height: int
    hash: int


class LookedInto:
    """The pictures of a store, each looked into once, and by a model where there is one."""

    def __init__(self, pictures: Pictures, embedder: ImageEmbedder | None = None) -> None:
        self.embedder = embedder
        self._pictures = pictures
        self._looks: dict[str, _Look] = {}
        self._vectors: dict[str, Vectors] = {}
        self._words: dict[str, Vectors] = {}

    def look(self, picture: PageImage) -> _Look:
        """Size and perceptual hash. Raises StoreError or PictureError where it is unreadable."""
        key = picture.image.sha256
        if key not in self._looks:
            data = self._pictures.bytes(key)
            _, width, height = inspect_picture(data, picture.file)
            self._looks[key] = _Look(width, height, difference_hash(data))
        return self._looks[key]

    def cosines(
        self, pictures: Sequence[PageImage], description: str, embedder: ImageEmbedder
    ) -> list[float]:
        """Of each picture and the description. Raises ProviderError."""
        shas = [each.image.sha256 for each in pictures]
        new = [sha for sha in shas if sha not in self._vectors]
        if new:
            data = [self._pictures.bytes(sha) for sha in new]
            self._vectors |= zip(new, checked(embedder.embed_images(data), embedder), strict=True)
        if description not in self._words:
            self._words[description] = checked(embedder.embed_texts([description]), embedder)[0]
        return [float(self._vectors[sha] @ self._words[description]) for sha in shas]


@dataclass(frozen=True, slots=True)
class _Seen:
    """A candidate whose pixels were looked at."""

    picture: PageImage
    look: int


_USUAL: Final = PictureRules()
_SEPARATORS: Final = re.compile(r"[_.\-]+")


def ranked_pictures(
    candidates: Sequence[PageImage],
    description: str,
    pictures: LookedInto,
    *,
    lead: PageImage | None = None,
    names: Sequence[str] = (),
    answers: Sequence[PageImage] = (),
    shared: Counter[object] | None = None,
    rules: PictureRules = _USUAL,
) -> Ranked:
    """Rank the pictures of a page; their order is of no account.

    With an embedder by the cosine with the short `description`; else the page's `lead` first, then
    the larger, and since nothing tells what the others show, their files have to be named after
    the page (`names`) [ours]. `answers` are pictures of the answer's page, which would give it
    away, `shared` counts the looks of all pages' pictures (`shared_looks`). Refused, those that
    came nearest first: `unlike_description`, `unreadable_picture`, `small_picture`,
    `long_picture`, `ambiguous_picture`, `answer_picture`, `same_picture` (as a better candidate),
    `too_many_candidates`. Raises ProviderError where the embedder fails.
    """
    ordered = sorted(candidates, key=lambda each: (each != lead, _by_size(each)))
    refused: list[RefusedPicture] = []
    beyond = [
        RefusedPicture(each, "too_many_candidates", f"only {rules.candidates} are looked at")
        for each in ordered[rules.candidates :]
    ]
    embedder = pictures.embedder
    given = _hashes(answers, pictures)
    seen: list[_Seen] = []
    for picture in ordered[: rules.candidates]:
        looked = _look_at(picture, pictures, rules)
        why = looked if isinstance(looked, RefusedPicture) else _unfit(looked, given, seen, shared)
        if why is None and embedder is None and lead not in (None, picture):
            why = _unnamed(picture, names)
        if isinstance(looked, _Seen) and why is None:
            seen.append(looked)
        elif why is not None:
            refused.append(why)
    if embedder is None or not seen:
        return Ranked(tuple(each.picture for each in seen), (*refused, *beyond))
    cosines = pictures.cosines([each.picture for each in seen], description, embedder)
    pairs = sorted(
        zip(cosines, seen, strict=True), key=lambda pair: (-pair[0], _by_size(pair[1].picture))
    )
    unlike = [
        RefusedPicture(each.picture, "unlike_description", f"cosine {cosine:.2f}")
        for cosine, each in pairs
        if cosine < rules.least_cosine
    ]
    usable = tuple(each.picture for cosine, each in pairs if cosine >= rules.least_cosine)
    return Ranked(usable, (*unlike, *refused, *beyond))


def _by_size(picture: PageImage) -> tuple[int, int, str]:
    """The one with the longer shorter side first, then the larger, then by hash."""
    width, height = picture.image.width, picture.image.height
    return -min(width, height), -width * height, picture.image.sha256


def _look_at(
    picture: PageImage, pictures: LookedInto, rules: PictureRules
) -> _Seen | RefusedPicture:
    try:
        look = pictures.look(picture)
    except (StoreError, PictureError) as error:
        return RefusedPicture(picture, "unreadable_picture", error.cause)
    size = f"{look.width}×{look.height}"
    shorter, longer = sorted((look.width, look.height))
    if shorter < rules.min_px:
        return RefusedPicture(picture, "small_picture", size)
    if longer > rules.longest * shorter:
        return RefusedPicture(picture, "long_picture", size)
    return _Seen(picture, look.hash)


def _unfit(
    seen: _Seen,
    answers: Sequence[tuple[str, int]],
    better: Sequence[_Seen],
    shared: Counter[object] | None,
) -> RefusedPicture | None:
    picture = seen.picture
    if shared is not None and shared[look_of(picture)] > 1:
        return RefusedPicture(
            picture, "ambiguous_picture", "another page has a picture that looks the same"
        )
    if any(_same(picture, seen.look, sha256, look) for sha256, look in answers):
        return RefusedPicture(picture, "answer_picture", "the answer's page has it")
    for each in better:
        if _same(picture, seen.look, each.picture.image.sha256, each.look):
            return RefusedPicture(picture, "same_picture", f"as {each.picture.file}")
    return None


def _unnamed(picture: PageImage, names: Sequence[str]) -> RefusedPicture | None:
    """Why a picture that no model looked at is not taken for one of the page's subject."""
    words = fold(_SEPARATORS.sub(" ", picture.file)).removeprefix("the ")
    # First: "Flag of Spain near Paris" is no picture of Paris.
    if any(words.startswith(fold(name).removeprefix("the ")) for name in leaks(words, names)):
        return None
    told = "no model looks at it, and its file is not named after the page"
    return RefusedPicture(picture, "unlike_description", told)


def _same(picture: PageImage, look: int, sha256: str, other: int) -> bool:
    return picture.image.sha256 == sha256 or near(look, other)


def _hashes(pictures: Sequence[PageImage], store: LookedInto) -> list[tuple[str, int]]:
    """Hashes of the answer's pictures. One that is unreadable is known by its bytes alone."""
    found = []
    for picture in pictures:
        try:
            look = store.look(picture).hash
        except (StoreError, PictureError):
            look = 0  # that of a plain picture, which is near no other
        found.append((picture.image.sha256, look))
    return found
