"""The audit of files: every row read once, then held against all the others."""

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from curation.audit.gates import (
    Row,
    answer_findings,
    benchmark_findings,
    duplicate_findings,
    observation_findings,
    row_of,
)
from curation.audit.item import Finding, Item, Shape
from curation.audit.pictures import seen_pictures
from curation.audit.shapes import CALL, RESULT, item_of
from curation.audit.templates import template_findings
from curation.contamination import Fingerprints
from curation.duplicates import TextRules, near_texts
from hopsight.errors import SourceError
from hopsight.store.files import storage_errors
from refine.imported.rows import rows_of
from refine.imported.seed import BadRow, ImportLimits

LIMITS: Final = ImportLimits(file_bytes=1 << 30)
_BLOCK: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Figures:
    """What a file holds: rows by shape, and numbers of a row (median, most).

    `unsaid` distinct questions say too little beside what many others say too: only their equals
    were found.
    """

    shapes: dict[Shape, int]
    messages: tuple[float, int]
    calls: tuple[float, int]
    answer_characters: tuple[float, int]
    question_words: tuple[float, int]
    pictures: int
    distinct_pictures: int
    addresses: int
    rows_without_picture: int
    unsaid: int


@dataclass(frozen=True, slots=True)
class Audit:
    """A file's audit. Every row was read: `unreadable` are findings too, one a row."""

    file: str
    sha256: str
    entered: int
    unreadable: int
    findings: tuple[Finding, ...]
    figures: Figures
    benchmark_rows: int

    @property
    def reasons(self) -> dict[tuple[str, str], list[Finding]]:
        """Findings by gate and reason, the most frequent first."""
        found: dict[tuple[str, str], list[Finding]] = {}
        for finding in self.findings:
            found.setdefault((finding.gate, finding.reason), []).append(finding)
        return dict(sorted(found.items(), key=lambda item: (-len(item[1]), item[0])))

    @property
    def clean_rows(self) -> int:
        """Rows that nothing was found against."""
        return self.entered - len({finding.row for finding in self.findings})


_RULES: Final = TextRules()


def audit_file(
    path: Path,
    folder: Path,
    prints: Fingerprints | None,
    *,
    limits: ImportLimits = LIMITS,
    rules: TextRules = _RULES,
) -> Audit:
    """Audit one file. Paths of pictures are relative to `folder`.

    Raises SourceError where the file cannot be read as one or holds no rows, StoreError where the
    disk fails.
    """
    rows: list[Row] = []
    counted: list[_Counted] = []
    findings: list[Finding] = []
    entered = unreadable = 0
    for row in rows_of(path, {}, limits, every=True):
        entered = row.number
        try:
            if isinstance(row.values, BadRow):
                raise row.values
            item = item_of(row.number, row.values, limits)
        except BadRow as error:
            findings.append(Finding(row.number, "row", error.reason, error.detail))
            unreadable += 1
            continue
        seen, faults = seen_pictures(item, folder)
        findings += [*faults, *template_findings(item)]
        if prints is not None:
            findings += observation_findings(item, prints)
        rows.append(row_of(item, seen))
        counted.append(_counted(item))
        findings += answer_findings(rows[-1])
    if not entered:
        raise SourceError(
            f"{path.name} holds no rows", "see that it is the file you mean, written to its end"
        )
    texts = near_texts([row.question for row in rows], rules)
    findings += duplicate_findings(rows, texts)
    if prints is not None:
        findings += benchmark_findings(rows, prints, rules.frame(len(rows)))
    return Audit(
        file=path.name,
        sha256=_hash(path),
        entered=entered,
        unreadable=unreadable,
        findings=tuple(sorted(findings, key=lambda each: each.row)),
        figures=_figures(rows, counted, texts.unsaid),
        benchmark_rows=0 if prints is None else len(prints.rows),
    )


@dataclass(frozen=True, slots=True)
class _Counted:
    shape: Shape
    messages: int
    calls: int


def _counted(item: Item) -> _Counted:
    roles = [said.role for said in item.messages]
    calls = sum(role in CALL for role in roles) or sum(role in RESULT for role in roles)
    return _Counted(item.shape, len(roles), calls)


def _figures(rows: Sequence[Row], counted: Sequence[_Counted], unsaid: int) -> Figures:
    seen = [each for row in rows for each in row.seen]
    return Figures(
        shapes=dict(sorted(Counter(each.shape for each in counted).items())),
        messages=_spread([each.messages for each in counted]),
        calls=_spread([each.calls for each in counted]),
        answer_characters=_spread([len(row.answers[0]) for row in rows if row.answers]),
        question_words=_spread([len(row.question.split()) for row in rows]),
        pictures=len(seen),
        distinct_pictures=len({each.sha256 for each in seen}),
        addresses=sum(bool(each.url) for each in seen),
        rows_without_picture=sum(not row.seen for row in rows),
        unsaid=unsaid,
    )


def _spread(values: Sequence[int]) -> tuple[float, int]:
    return (float(statistics.median(values)), max(values)) if values else (0.0, 0)


def _hash(path: Path) -> str:
    digest = sha256()
    with storage_errors(path), path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
