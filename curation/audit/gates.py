"""What is wrong among all rows: duplicates, answers that the question tells, benchmarks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import product
from typing import Final

from curation.audit.item import Finding, Item
from curation.audit.pictures import Seen
from curation.audit.shapes import RESULT
from curation.contamination import Fingerprints, Hit
from curation.duplicates import NearTexts, looks_of
from hopsight.leak import fold, folded, leaks

LONG_ANSWER: Final = 20
"""Words up to which an answer can be graded as one [ours]; the published recipe asks for six."""

_TOO_LONG: Final = 2_000
"""Characters of an answer that is looked for in its question."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row, without what was looked at once: its pictures' bytes and its observations."""

    number: int
    question: str
    answers: tuple[str, ...]
    said: str
    seen: tuple[Seen, ...]


def row_of(item: Item, seen: tuple[Seen, ...]) -> Row:
    """What the gates over all rows need of one; `said` is a hash of its messages and answers."""
    lines = [*(said.text for said in item.messages), *sorted(item.answers)]
    said = sha256("\n".join(map(folded, lines)).encode(errors="replace"))
    return Row(item.row, item.question, item.answers, said.hexdigest(), seen)


def answer_findings(row: Row) -> Iterator[Finding]:
    """Answers that are lacking, that no judge can grade, or that the question tells."""
    if not row.answers:
        yield Finding(row.number, "answer", "no_answer", "no column and no message tells one")
    if (words := _answer_words(row)) > LONG_ANSWER:
        yield Finding(row.number, "answer", "long_answer", f"{words} words")
    told = leaks(row.question, [answer for answer in row.answers if len(answer) <= _TOO_LONG])
    if told:
        yield Finding(row.number, "leak", "answer_in_question", "; ".join(told[:3]))


def duplicate_findings(rows: Sequence[Row], texts: NearTexts) -> Iterator[Finding]:
    """Rows that repeat an earlier one under pictures that look the same.

    `texts` are the rows' questions. Near ones count where both may have one answer: those that one
    frame made ask for different things.
    """
    looks = {seen.sha256: seen.look for row in rows for seen in row.seen}
    leaders = looks_of(looks, looks.__getitem__)
    near = texts.neighbours
    whole: dict[object, Row] = {}
    questions: dict[object, Row] = {}
    for row, text in zip(rows, texts.same_as.tolist(), strict=True):
        shown = tuple(leaders[seen.sha256] for seen in row.seen)
        others = (questions.get((one, shown)) for one in near.get(text, ()))
        alike = next((one for one in others if one and _may_agree(row, one)), None)
        equal = questions.get((text, shown))
        if same := whole.get((row.said, shown)):
            yield _repeats(row, "duplicate_row", same)
        elif equal is not None:
            agree = _may_agree(row, equal)
            yield _repeats(row, "duplicate_question" if agree else "answers_differ", equal)
        elif alike is not None:
            yield _repeats(row, "near_duplicate_question", alike)
        whole.setdefault((row.said, shown), row)
        questions.setdefault((text, shown), row)


def benchmark_findings(rows: Sequence[Row], prints: Fingerprints, frame: int) -> Iterator[Finding]:
    """Questions and pictures of rows that a benchmark has; `frame` as in `in_questions`."""
    texts = [row.question for row in rows]
    answers = [row.answers for row in rows]
    looks = {seen.sha256: seen.look for row in rows for seen in row.seen}
    alike = dict(zip(looks, prints.of_looks(list(looks.values())), strict=True))
    for row, hits in zip(rows, prints.in_questions(texts, answers, frame), strict=True):
        pictures = (
            prints.of_picture(each.sha256, each.url) or alike[each.sha256] for each in row.seen
        )
        found = [*hits[:1], *(hit for hit in pictures if hit is not None)]
        yield from (_held(row.number, hit, "the question") for hit in found)


def observation_findings(item: Item, prints: Fingerprints) -> Iterator[Finding]:
    """Benchmark questions that stand in what a row's tools returned."""
    results = [said.text for said in item.messages if said.role in RESULT]
    for hits in prints.in_pages(results):
        yield from (_held(item.row, hit, "what a tool returned") for hit in hits[:1])


def _may_agree(row: Row, other: Row) -> bool:
    """Whether an answer of one stands in one of the other's, or one tells none but prose."""
    if not all(0 < _answer_words(each) <= LONG_ANSWER for each in (row, other)):
        return True
    pairs = product(row.answers, other.answers)
    return any(
        fold(one) == fold(two) or leaks(one, [two]) or leaks(two, [one]) for one, two in pairs
    )


def _answer_words(row: Row) -> int:
    return len(row.answers[0].split()) if row.answers else 0


def _repeats(row: Row, reason: str, earlier: Row) -> Finding:
    return Finding(row.number, "duplicate", reason, f"row {earlier.number}")


def _held(row: int, hit: Hit, where: str) -> Finding:
    told = f"{hit.row}: {hit.detail}" + (f", in {where}" if hit.kind == "text" else "")
    return Finding(row, "benchmark", f"benchmark_{hit.kind}", told)
