"""What is wrong among all rows: duplicates, answers that the question tells, benchmarks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from curation.audit.item import Finding, Item
from curation.audit.pictures import Seen
from curation.audit.shapes import RESULT
from curation.contamination import Fingerprints, Hit
from curation.duplicates import TextRules, looks_of, near_texts
from hopsight.leak import folded, leaks

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
    """What the gates over all rows need of one; `said` is a hash of all that is said in it."""
    said = sha256("\n".join(folded(said.text) for said in item.messages).encode(errors="replace"))
    return Row(item.row, item.question, item.answers, said.hexdigest(), seen)


def answer_findings(row: Row) -> Iterator[Finding]:
    """Answers that are lacking, that no judge can grade, or that the question tells."""
    if not row.answers:
        yield Finding(row.number, "answer", "no_answer", "no column and no message tells one")
    words = max((len(answer.split()) for answer in row.answers[:1]), default=0)
    if words > LONG_ANSWER:
        yield Finding(row.number, "answer", "long_answer", f"{words} words")
    told = leaks(row.question, [answer for answer in row.answers if len(answer) <= _TOO_LONG])
    if told:
        yield Finding(row.number, "leak", "answer_in_question", "; ".join(told[:3]))


def duplicate_findings(rows: Sequence[Row], rules: TextRules) -> Iterator[Finding]:
    """Rows that repeat an earlier one under pictures that look the same."""
    looks = {seen.sha256: seen.look for row in rows for seen in row.seen}
    leaders = looks_of(looks, looks.__getitem__)
    texts = near_texts([row.question for row in rows], rules)
    near: dict[int, list[int]] = {}
    for first, second in texts.pairs.tolist():
        near.setdefault(second, []).append(first)
        near.setdefault(first, []).append(second)
    whole: dict[object, int] = {}
    questions: dict[object, int] = {}
    for row, text in zip(rows, texts.same_as.tolist(), strict=True):
        shown = tuple(leaders[seen.sha256] for seen in row.seen)
        earlier = next((at for one in near.get(text, ()) if (at := questions.get((one, shown)))), 0)
        if (row.said, shown) in whole:
            yield _repeats(row, "duplicate_row", whole[row.said, shown])
        elif (text, shown) in questions:
            yield _repeats(row, "duplicate_question", questions[text, shown])
        elif earlier:
            yield _repeats(row, "near_duplicate_question", earlier)
        whole.setdefault((row.said, shown), row.number)
        questions.setdefault((text, shown), row.number)


def benchmark_findings(rows: Sequence[Row], prints: Fingerprints) -> Iterator[Finding]:
    """Questions and pictures of rows that a benchmark has."""
    texts = [row.question for row in rows]
    answers = [row.answers for row in rows]
    frame = TextRules().frame(len(rows))
    looks = {seen.sha256: seen.look for row in rows for seen in row.seen}
    alike = dict(zip(looks, prints.of_looks(list(looks.values())), strict=True))
    for row, hits in zip(rows, prints.of_texts(texts, answers, frame), strict=True):
        pictures = (
            prints.of_picture(each.sha256, each.url) or alike[each.sha256] for each in row.seen
        )
        found = [*hits[:1], *(hit for hit in pictures if hit is not None)]
        yield from (_held(row.number, hit, "the question") for hit in found)


def observation_findings(item: Item, prints: Fingerprints) -> Iterator[Finding]:
    """Benchmark questions that stand in what a row's tools returned."""
    results = [said.text for said in item.messages if said.role in RESULT]
    for hits in prints.of_texts(results):
        yield from (_held(item.row, hit, "what a tool returned") for hit in hits[:1])


def _repeats(row: Row, reason: str, earlier: int) -> Finding:
    return Finding(row.number, "duplicate", reason, f"row {earlier}")


def _held(row: int, hit: Hit, where: str) -> Finding:
    told = f"{hit.row}: {hit.detail}" + (f", in {where}" if hit.kind == "text" else "")
    return Finding(row, "benchmark", f"benchmark_{hit.kind}", told)
