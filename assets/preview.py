"""What the UI shows of a data set: a few records with pictures, reasons, columns.

Everything here becomes Markdown. Texts come from outside and are escaped.
"""

import base64
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import dagster as dg
import pyarrow as pa

from hopsight.store import ImageStore, arrow_schema
from hopsight.types import (
    EvidenceChain,
    ImageRef,
    Page,
    PageImage,
    PassRate,
    Question,
    Record,
    Trajectory,
)
from refine.operator import drafted

SHOWN = 4
THUMBNAIL_PX = 160
MOST_BYTES = 12_000
"""A thumbnail above this is left out: previews are stored with every materialization."""
LEAD_CHARS = 300
RULE = "\n\n---\n\n"


def column_schema(record_type: type[Record]) -> dg.TableSchema:
    """The columns of a data set, with the names of nested parts left out."""
    return dg.TableSchema(
        columns=[
            dg.TableColumn(field.name, _short(field.type)) for field in arrow_schema(record_type)
        ]
    )


def reasons_table(reasons: Mapping[str, int]) -> str:
    """Rejections by reason, as Markdown."""
    return table(("reason", "records"), reasons.items())


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table whose first column is text and whose others are numbers."""
    rule = ["---", *["---:"] * (len(header) - 1)]
    lines = [header, rule, *([escape(str(cell)) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def page_preview(pages: Sequence[Page], pictured: Sequence[PageImage], images: ImageStore) -> str:
    """The first pages that have a picture, or the first of all: picture, title, opening words."""
    shown = {image.page_id: image.image for image in pictured if image.place == 0}
    with_picture = [page for page in pages if page.page_id in shown]
    return RULE.join(
        f"{_pictures([shown[page.page_id]] if page.page_id in shown else [], images)}\n\n"
        f"**{escape(page.title)}** ({escape(page.domain or 'no domain')})\n\n"
        f"{escape(page.lead[:LEAD_CHARS])}".strip()
        for page in (with_picture or list(pages))[:SHOWN]
    )


def question_preview(
    questions: Sequence[Question], chains: Mapping[str, EvidenceChain], images: ImageStore
) -> str:
    """The first questions: picture, text, answer, the way to it and the sentences that say so."""
    return RULE.join(
        _question(question, chains[question.chain_id], images) for question in questions[:SHOWN]
    )


def rollout_preview(trajectories: Sequence[Trajectory], images: ImageStore) -> str:
    """The first rollout of each of the first questions: what was asked, called and answered."""
    first: dict[str, Trajectory] = {}
    for trajectory in trajectories:
        if len(first) == SHOWN and trajectory.question_id not in first:
            break
        first.setdefault(trajectory.question_id, trajectory)
    return RULE.join(_rollout(trajectory, images) for trajectory in first.values())


def rates_preview(rates: Sequence[PassRate]) -> str:
    """How many questions each policy solves never, sometimes and always."""
    counts = Counter((rate.policy, _band(rate)) for rate in rates if rate.graded)
    bands = ("never", "sometimes", "always")
    policies = sorted({policy for policy, _ in counts})
    return table(
        ("answered right", *bands),
        [(policy, *(counts[policy, band] for band in bands)) for policy in policies],
    )


def text_preview(lines: Sequence[str]) -> str:
    """The first lines as a Markdown list."""
    return "\n".join(f"- {escape(line)}" for line in lines[: 2 * SHOWN])


def code_preview(text: str, language: str) -> str:
    """Text of our own making, as it stands."""
    return f"```{language}\n{text.strip()}\n```"


def _question(question: Question, chain: EvidenceChain, images: ImageStore) -> str:
    way = " → ".join(escape(node.title) for node in chain.nodes)
    attribute = escape(chain.attribute.replace("_", " "))
    hops = [node.hop.sentence for node in chain.nodes if node.hop is not None]
    sentences = [*hops, chain.answer_evidence.sentence]
    evidence = "\n".join(f"{n}. {escape(text)}" for n, text in enumerate(sentences, 1))
    return (
        f"{_pictures(question.images, images)}\n\n**{escape(question.text)}**\n\n"
        f"Answer: **{escape(question.answer)}**\n\n"
        f"With names: {escape(drafted(chain))}\n\n"
        f"Way: {way} → {attribute}\n\n{evidence}"
    ).strip()


def _rollout(trajectory: Trajectory, images: ImageStore) -> str:
    calls = [call.name for turn in trajectory.turns for call in turn.calls]
    answer = "none" if trajectory.final_answer is None else trajectory.final_answer
    return (
        f"{_pictures(trajectory.task.images, images)}\n\n**{escape(trajectory.task.text)}**\n\n"
        f"Calls: {escape(' → '.join(calls)) or 'none'}\n\n"
        f"Answer: **{escape(answer)}** ({escape(trajectory.stop_reason.replace('_', ' '))})"
    ).strip()


def _band(rate: PassRate) -> str:
    if rate.correct == 0:
        return "never"
    return "always" if rate.correct == rate.graded else "sometimes"


def _pictures(shown: Sequence[ImageRef], images: ImageStore) -> str:
    return " ".join(_picture(images, image.sha256) for image in shown)


def _short(type_: pa.DataType) -> str:
    if pa.types.is_list(type_):
        return f"list of {_short(type_.value_type)}"
    return "struct" if pa.types.is_struct(type_) else str(type_)


def _picture(images: ImageStore, sha256: str) -> str:
    data = images.thumbnail(sha256, THUMBNAIL_PX).read_bytes()
    if len(data) > MOST_BYTES:
        return f"(picture {sha256[:12]})"
    return f"![picture](data:image/webp;base64,{base64.b64encode(data).decode()})"


def escape(text: str) -> str:
    """Outside text in Markdown: no markup of its own."""
    flat = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;")
    return "".join(f"\\{mark}" if mark in "\\`*_[]|#!~" else mark for mark in flat)
