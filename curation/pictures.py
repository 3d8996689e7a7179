"""Which of the anchor's pictures a question is asked of: candidates ranked, the others with why."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from curation.looks import Pictures, look_of
from hopsight.errors import PictureError, StoreError
from hopsight.imaging.hashes import difference_hash, near
from hopsight.search.embedder import ImageEmbedder, checked
from hopsight.store.images import inspect_picture
from hopsight.types import PageImage


@dataclass(frozen=True, slots=True)
class PictureRules:
    """Which pictures will do: up to `candidates` are looked at [OpenSearch-VL].

    `min_px` bounds the shorter side, `longest` the longer side as a multiple of it [ours];
    `least_cosine` is that of a picture and its description [OpenSearch-VL: .28 with CLIP].
    """

    candidates: int = 8
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
class _Seen:
    """A candidate whose pixels were looked at."""

    picture: PageImage
    data: bytes
    look: int


_USUAL: Final = PictureRules()


def ranked_pictures(
    candidates: Sequence[PageImage],
    description: str,
    pictures: Pictures,
    *,
    answers: Sequence[PageImage] = (),
    shared: Counter[object] | None = None,
    embedder: ImageEmbedder | None = None,
    rules: PictureRules = _USUAL,
) -> Ranked:
    """Rank the pictures of a page; their order is of no account.

    With an embedder by the cosine with the short `description`, else the larger first. `answers`
    are pictures of the answer's page, which would give it away, `shared` counts the looks of all
    pages' pictures (`shared_looks`). Refused: `too_many_candidates`, `unreadable_picture`,
    `small_picture`, `long_picture`, `ambiguous_picture`, `answer_picture`, `same_picture` (as a
    better candidate), `unlike_description`. Raises ProviderError where the embedder fails.
    """
    ordered = sorted(candidates, key=_by_size)
    refused = [
        RefusedPicture(each, "too_many_candidates", f"only {rules.candidates} are looked at")
        for each in ordered[rules.candidates :]
    ]
    given = _hashes(answers, pictures)
    seen: list[_Seen] = []
    for picture in ordered[: rules.candidates]:
        looked = _look_at(picture, pictures, rules)
        why = looked if isinstance(looked, RefusedPicture) else _unfit(looked, given, seen, shared)
        if isinstance(looked, _Seen) and why is None:
            seen.append(looked)
        elif why is not None:
            refused.append(why)
    if embedder is None or not seen:
        return Ranked(tuple(each.picture for each in seen), tuple(refused))
    cosines = _cosines(seen, description, embedder)
    pairs = sorted(
        zip(cosines, seen, strict=True), key=lambda pair: (-pair[0], _by_size(pair[1].picture))
    )
    refused += [
        RefusedPicture(each.picture, "unlike_description", f"cosine {cosine:.2f}")
        for cosine, each in pairs
        if cosine < rules.least_cosine
    ]
    usable = tuple(each.picture for cosine, each in pairs if cosine >= rules.least_cosine)
    return Ranked(usable, tuple(refused))


def _by_size(picture: PageImage) -> tuple[int, int, str]:
    """The one with the longer shorter side first, then the larger, then by hash."""
    width, height = picture.image.width, picture.image.height
    return -min(width, height), -width * height, picture.image.sha256


def _look_at(picture: PageImage, pictures: Pictures, rules: PictureRules) -> _Seen | RefusedPicture:
    try:
        data = pictures.bytes(picture.image.sha256)
        _, width, height = inspect_picture(data, picture.file)
        look = difference_hash(data)
    except (StoreError, PictureError) as error:
        return RefusedPicture(picture, "unreadable_picture", error.cause)
    shorter, longer = sorted((width, height))
    if shorter < rules.min_px:
        return RefusedPicture(picture, "small_picture", f"{width}×{height}")
    if longer > rules.longest * shorter:
        return RefusedPicture(picture, "long_picture", f"{width}×{height}")
    return _Seen(picture, data, look)


def _unfit(
    seen: _Seen,
    answers: Sequence[tuple[str, int]],
    better: Sequence[_Seen],
    shared: Counter[object] | None,
) -> RefusedPicture | None:
    picture = seen.picture
    if shared is not None and shared[look_of(picture)] > 1:
        return RefusedPicture(
            picture, "ambiguous_picture", "another page has one that looks the same"
        )
    if any(_same(picture, seen.look, sha256, look) for sha256, look in answers):
        return RefusedPicture(picture, "answer_picture", "the answer's page has it")
    for each in better:
        if _same(picture, seen.look, each.picture.image.sha256, each.look):
            return RefusedPicture(picture, "same_picture", f"as {each.picture.file}")
    return None


def _same(picture: PageImage, look: int, sha256: str, other: int) -> bool:
    return picture.image.sha256 == sha256 or near(look, other)


def _hashes(pictures: Sequence[PageImage], store: Pictures) -> list[tuple[str, int]]:
    """Hashes of the answer's pictures. One that is unreadable is known by its bytes alone."""
    found = []
    for picture in pictures:
        try:
            look = difference_hash(store.bytes(picture.image.sha256))
        except (StoreError, PictureError):
            look = 0
        found.append((picture.image.sha256, look))
    return found


def _cosines(seen: Sequence[_Seen], description: str, embedder: ImageEmbedder) -> list[float]:
    text = checked(embedder.embed_texts([description]), embedder)
    images = checked(embedder.embed_images([each.data for each in seen]), embedder)
    return [float(cosine) for cosine in images @ text[0]]
