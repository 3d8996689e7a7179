"""An audit in words: a card of what the file holds, a report of what was found, and the findings.

Whatever comes from the file is escaped: it stands as text in Markdown, not as markup.
"""

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from curation.audit.item import Finding
from curation.audit.run import Audit
from hopsight.store.files import write_atomic

EXAMPLES: Final = 3
_CUT: Final = 300
_SHOWN: Final = 80

MEANINGS: Final = {
    "row": "the row cannot be read",
    "picture": "a picture is missing, broken or of a kind that processors refuse or distort",
    "template": "a trainer's template would drop, refuse or misread the row",
    "answer": "the answer is lacking, or too long to be graded as one",
    "leak": "the question tells its answer",
    "duplicate": "an earlier row asks the same under pictures that look the same",
    "benchmark": "a benchmark has the question or the picture",
}
"""What each gate has against a row."""


def write_audit(audit: Audit, folder: Path) -> tuple[Path, ...]:
    """Write card.md, report.md and findings.jsonl. Raises StoreError."""
    files = {
        "card.md": audit_card(audit),
        "report.md": audit_report(audit),
        "findings.jsonl": "".join(_line(each) for each in audit.findings),
    }
    paths = []
    for name, text in files.items():
        write_atomic(folder / name, text.encode(errors="replace"))
        paths.append(folder / name)
    return tuple(paths)


def audit_card(audit: Audit) -> str:
    """What the file holds, as Markdown."""
    return f"# {escaped(audit.file)}\n\nsha256 `{audit.sha256}`\n\n" + _table(
        ("", ""), facts(audit)
    )


def audit_report(audit: Audit) -> str:
    """What was found, as Markdown: a table by gate and reason, and what the gates mean."""
    told = f"{audit.clean_rows:,} of {audit.entered:,} rows have no finding."
    against = (
        f" Held against {audit.benchmark_rows:,} benchmark rows."
        if audit.benchmark_rows
        else " No benchmark was given."
    )
    sections = [f"# Audit of {escaped(audit.file)}", told + against]
    if audit.findings:
        header = ("gate", "reason", "rows", "share", "examples")
        sections.append(_table(header, found(audit)))
        gates = sorted({each.gate for each in audit.findings})
        sections.append("\n".join(f"- {gate}: {MEANINGS[gate]}" for gate in gates))
    if audit.figures.addresses:
        sections.append(
            f"{audit.figures.addresses:,} pictures are addresses: nothing was fetched, and they "
            "were not looked at."
        )
    return "\n\n".join(sections) + "\n"


def found(audit: Audit) -> list[tuple[str, ...]]:
    """Gate, reason, rows, share of all rows, and a few examples, the most frequent first."""
    rows: list[tuple[str, ...]] = []
    for (gate, reason), findings in audit.reasons.items():
        hit = len({finding.row for finding in findings})
        share = f"{100 * hit / audit.entered:.1f} %"
        rows.append((gate, reason, f"{hit:,}", share, _examples(findings)))
    return rows


def facts(audit: Audit) -> list[tuple[str, str]]:
    """What the file holds: names and numbers."""
    figures = audit.figures
    shapes = ", ".join(f"{shape} {count:,}" for shape, count in figures.shapes.items())
    return [
        ("rows", f"{audit.entered:,}"),
        ("unreadable", f"{audit.unreadable:,}"),
        ("shapes", shapes or "none"),
        ("question, words", _spread(figures.question_words)),
        ("answer, characters", _spread(figures.answer_characters)),
        ("messages a row", _spread(figures.messages)),
        ("tool turns a row", _spread(figures.calls)),
        ("pictures", f"{figures.pictures:,} ({figures.distinct_pictures:,} distinct)"),
        ("of them addresses", f"{figures.addresses:,}"),
        ("rows without a picture", f"{figures.rows_without_picture:,}"),
        ("questions too short or too alike to compare", f"{figures.unsaid:,}"),
    ]


def escaped(text: str) -> str:
    """Outside text as it stands, in one line: no markup, no control characters, not too long."""
    flat = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    cut = flat if len(flat) <= _CUT else flat[: _CUT - 1] + "…"
    plain = cut.replace("&", "&amp;").replace("<", "&lt;")
    return re.sub(r"([\\`*{}\[\]#|~!]|(?<!\w)_|_(?!\w))", r"\\\1", plain)


def _examples(findings: Sequence[Finding]) -> str:
    return "; ".join(f"row {each.row}: {each.detail[:_SHOWN]}" for each in findings[:EXAMPLES])


def _spread(values: tuple[float, int]) -> str:
    middle, most = values
    return f"median {middle:,.0f}, at most {most:,}"


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header)]
    lines += [[escaped(cell) for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _line(finding: Finding) -> str:
    told = {
        "row": finding.row,
        "gate": finding.gate,
        "reason": finding.reason,
        "detail": finding.detail,
    }
    return json.dumps(told) + "\n"
