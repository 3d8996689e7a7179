"""Whose pictures a data set shows, and under which licence: one row a picture, none left out."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from curation.tables import markdown_table
from hopsight.errors import HopsightError
from hopsight.types import ExportRow, ImageRef, Question, Trajectory

HEADER: Final = ("picture (sha-256)", "licence", "author", "source", "made from")

_CC0: Final = re.compile(
    r"cc[ -]?(?:0|zero)(?:[ -]1\.0)?|https?://creativecommons\.org/publicdomain/zero/1\.0/?\w*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, order=True)
class Credit:
    """What is owed for one picture.

    `made_from` is the hash of the picture that it is a part or another state of, "" where it is
    shown as its source has it.
    """

    sha256: str
    license: str
    author: str
    source_url: str
    made_from: str = ""


def credits_of(
    questions: Iterable[Question],
    rows: Iterable[ExportRow],
    trajectories: Iterable[Trajectory],
    originals: Mapping[str, str],
) -> tuple[Credit, ...]:
    """The credits of every picture of the questions and of the exported rows, by hash.

    `originals` maps degraded pictures to what they were made from. A picture that came from
    several places has a row for each. Raises HopsightError for a row's picture that neither a
    question nor a trajectory knows.
    """
    asked = [(image, "") for question in questions for image in question.images]
    exported = {sha256 for row in rows for sha256 in row.images}
    shown = {image.sha256 for image, _ in asked} | exported
    found: dict[Credit, set[str]] = {}
    for image, parent in [*asked, *_held(trajectories)]:
        if image.sha256 in shown:
            source = parent or originals.get(image.sha256, "")
            credit = Credit(image.sha256, image.license, image.author, image.source_url)
            found.setdefault(credit, set()).add("" if source == image.sha256 else source)
    lacking = sorted(shown - {credit.sha256 for credit in found})
    if lacking:
        raise HopsightError(
            f"nothing tells whose the exported picture {lacking[0]} is",
            "hand over the questions and trajectories that the rows were made from",
        )
    return tuple(
        Credit(each.sha256, each.license, each.author, each.source_url, min(made_from))
        for each, made_from in sorted(found.items())
    )


def attribution(name: str, pictures: Iterable[Credit]) -> str:
    """The file that stands beside the card: every picture with its licence, author and source."""
    rows = [
        (each.sha256, each.license, each.author, each.source_url, each.made_from)
        for each in pictures
    ]
    told = "Every picture of the data set. Where a picture was made from another, it was changed."
    return f"# Pictures of {name}\n\n{told}\n\n{markdown_table(HEADER, rows)}\n"


def all_cc0(pictures: Iterable[Credit]) -> bool:
    """Whether every picture is under CC0; one mixed from several names each one's licence."""
    parts = [part for each in pictures for part in each.license.split(";")]
    return all(_CC0.fullmatch(part.strip()) for part in parts)


def _held(trajectories: Iterable[Trajectory]) -> Iterator[tuple[ImageRef, str]]:
    """Each picture of each bank, and the hash of the one that it was cut or made from."""
    for each in trajectories:
        bank = {entry.handle: entry.image.sha256 for entry in each.bank}
        for entry in each.bank:
            yield entry.image, "" if entry.parent is None else bank.get(entry.parent, "")
