"""What the UI shows of a data set: a few records with pictures, reasons, columns."""

import base64
from collections.abc import Mapping, Sequence

import dagster as dg

from hopsight.store import ImageStore, arrow_schema
from hopsight.types import EvidenceChain, Question, Record

SHOWN = 4
THUMBNAIL_PX = 160
MOST_BYTES = 12_000
"""A thumbnail above this is left out: previews are stored with every materialization."""


def column_schema(record_type: type[Record]) -> dg.TableSchema:
    """The columns of a data set."""
    return dg.TableSchema(
        columns=[dg.TableColumn(field.name, str(field.type)) for field in arrow_schema(record_type)]
    )


def reasons_table(reasons: Mapping[str, int]) -> str:
    """Rejections by reason, as Markdown."""
    rows = [f"| {reason} | {count} |" for reason, count in reasons.items()]
    return "\n".join(["| reason | records |", "| --- | ---: |", *rows])


def question_preview(
    questions: Sequence[Question], chains: Mapping[str, EvidenceChain], images: ImageStore
) -> str:
    """The first questions with picture, answer and the way to it, as Markdown."""
    return "\n\n---\n\n".join(
        _question(question, chains[question.chain_id], images) for question in questions[:SHOWN]
    )


def text_preview(lines: Sequence[str]) -> str:
    """The first lines as a Markdown list."""
    return "\n".join(f"- {escape(line)}" for line in lines[: 2 * SHOWN])


def _question(question: Question, chain: EvidenceChain, images: ImageStore) -> str:
    pictures = "".join(_picture(images, image.sha256) for image in question.images)
    way = " → ".join(node.title for node in chain.nodes)
    return (
        f"{pictures}\n\n{escape(question.text)}\n\n"
        f"**{escape(question.answer)}** · {escape(way)} · {chain.attribute}"
    ).strip()


def _picture(images: ImageStore, sha256: str) -> str:
    data = images.thumbnail(sha256, THUMBNAIL_PX).read_bytes()
    if len(data) > MOST_BYTES:
        return f"(picture {sha256[:12]})"
    return f"![picture](data:image/webp;base64,{base64.b64encode(data).decode()})"


def escape(text: str) -> str:
    """Outside text in Markdown: no markup of its own."""
    flat = " ".join(text.split()).replace("<", "&lt;")
    return "".join(f"\\{mark}" if mark in "\\`*_[]|#!" else mark for mark in flat)
