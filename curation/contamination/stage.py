"""Questions and rollouts that hold a benchmark are out."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from curation.contamination.fingerprints import Fingerprints, Hit
from curation.duplicates import TextRules
from hopsight.chains.framed import by_id, chain_of
from hopsight.stage import Staged
from hopsight.types import EvidenceChain, ImageRef, Question, Rejection, Trajectory

QUESTIONS: Final = "distinct_questions"
"""That of the duplicates: both gates make one data set."""

ROLLOUTS: Final = "clean_rollouts"

PictureHash = Callable[[str], int]
"""The perceptual hash of a picture, by its sha256."""


def contaminated(
    questions: Sequence[Question],
    chains: Iterable[EvidenceChain],
    fingerprints: Fingerprints,
    picture_hash: PictureHash,
) -> Staged[Question]:
    """Keep the questions that no benchmark has.

    Reasons: `benchmark_text`, `benchmark_picture`, `benchmark_chain`; `detail` names the row. Long
    runs of words that many of these questions share are their frames and are left out.
    """
    ordered = sorted(questions, key=lambda question: question.id)
    texts = [question.text for question in ordered]
    answers = [(question.answer, *question.answer_aliases) for question in ordered]
    in_text = fingerprints.in_questions(texts, answers, TextRules().frame(len(texts)))
    shown = [image for question in ordered for image in question.images]
    pictures = _picture_hits(shown, fingerprints, picture_hash)
    chain_by_id = by_id(chains)
    kept, rejected = [], []
    for question, said, forms in zip(ordered, in_text, answers, strict=True):
        titles = [node.title for node in chain_of(question, chain_by_id).nodes]
        seen = (pictures.get(image.sha256) for image in question.images)
        hits: Iterator[Hit | None] = iter((*said, *seen, fingerprints.of_chain(forms, titles)))
        hit = next((hit for hit in hits if hit is not None), None)
        if hit is None:
            kept.append(question)
        else:
            rejected.append(_rejection(question.id, QUESTIONS, hit))
    return Staged(len(ordered), tuple(kept), tuple(rejected))


def contaminated_rollouts(
    trajectories: Sequence[Trajectory], fingerprints: Fingerprints, picture_hash: PictureHash
) -> Staged[Trajectory]:
    """Keep the rollouts that were shown no benchmark: neither its questions nor its pictures.

    What tools returned is looked at, not the task itself. Reasons: `benchmark_text`,
    `benchmark_picture`.
    """
    texts = list(dict.fromkeys(text for each in trajectories for text in _observed(each)))
    held = dict(zip(texts, fingerprints.in_pages(texts), strict=True))
    brought = [_brought(trajectory) for trajectory in trajectories]
    everything = [image for images in brought for image in images]
    pictures = _picture_hits(everything, fingerprints, picture_hash)
    kept, rejected = [], []
    for trajectory, images in zip(trajectories, brought, strict=True):
        read = [hit for text in _observed(trajectory) for hit in held[text]]
        seen = [pictures[image.sha256] for image in images if image.sha256 in pictures]
        hit = next(iter(read + seen), None)
        if hit is None:
            kept.append(trajectory)
        else:
            rejected.append(_rejection(trajectory.id, ROLLOUTS, hit))
    return Staged(len(trajectories), tuple(kept), tuple(rejected))


def _observed(trajectory: Trajectory) -> Iterator[str]:
    for turn in trajectory.turns:
        for observation in turn.observations:
            yield observation.text


def _brought(trajectory: Trajectory) -> list[ImageRef]:
    """The pictures that tools found; those that they made of the task's are the task's."""
    return [
        entry.image
        for entry in trajectory.bank
        if entry.call_id is not None and entry.parent is None and entry.same_as is None
    ]


def _picture_hits(
    images: Sequence[ImageRef], fingerprints: Fingerprints, picture_hash: PictureHash
) -> dict[str, Hit]:
    """The hit of each picture that is a benchmark's, by its sha256."""
    urls: dict[str, list[str]] = defaultdict(list)
    for image in images:
        urls[image.sha256].append(image.source_url)
    found: dict[str, Hit] = {}
    for sha256, addresses in urls.items():
        hits = (fingerprints.of_picture(sha256, url) for url in addresses)
        hit = next((hit for hit in hits if hit is not None), None)
        if hit is not None:
            found[sha256] = hit
    others = sorted(urls.keys() - found.keys()) if fingerprints.looks.rows else []
    alike = fingerprints.of_looks([picture_hash(sha256) for sha256 in others])
    return found | {
        sha256: hit for sha256, hit in zip(others, alike, strict=True) if hit is not None
    }


def _rejection(record_id: str, stage: str, hit: Hit) -> Rejection:
    return Rejection(
        record_id=record_id,
        stage=stage,
        reason=f"benchmark_{hit.kind}",
        detail=f"{hit.row}: {hit.detail}",
    )
