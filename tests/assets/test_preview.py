import base64
import re
from pathlib import Path

import pytest

from assets.preview import (
    SHOWN,
    column_schema,
    escape,
    question_preview,
    rates_preview,
    rollout_preview,
    table,
)
from hopsight.chains.framed import by_id
from hopsight.store import ImageStore
from hopsight.types import PassRate, Question
from refine.operator import drafted
from tests.curation.made import PICTURES, grounded, trajectory


@pytest.fixture
def images(tmp_path: Path) -> ImageStore:
    store = ImageStore(tmp_path)
    grounded()
    for data in PICTURES.stored.values():
        store.put(data, "https://example.org", "CC0-1.0", "nobody")
    return store


def test_a_question_is_shown_with_its_picture_answer_way_and_evidence(images: ImageStore) -> None:
    question, chain = grounded().questions.kept[0], grounded().chains[0]
    shown = question_preview([question], by_id(grounded().chains), images)
    encoded = re.search(r"!\[picture\]\(data:image/webp;base64,([^)]+)\)", shown)
    assert encoded is not None
    assert base64.b64decode(encoded[1])[8:12] == b"WEBP"
    assert f"**{escape(question.text)}**" in shown
    assert f"Answer: **{escape(question.answer)}**" in shown
    assert f"With names: {escape(drafted(chain))}" in shown
    sentences = [node.hop.sentence for node in chain.nodes if node.hop is not None]
    for number, sentence in enumerate([*sentences, chain.answer_evidence.sentence], 1):
        assert f"{number}. {escape(sentence)}" in shown


def test_a_preview_stays_small_however_many_questions_there_are(images: ImageStore) -> None:
    framed = grounded()
    shown = question_preview(framed.questions.kept, by_id(framed.chains), images)
    assert shown.count("Answer:") == SHOWN
    assert len(shown) < 80_000


def test_rollouts_are_shown_once_for_each_question(images: ImageStore) -> None:
    questions = grounded().questions.kept[: SHOWN + 1]
    made = [trajectory(each, "42", sample=n, calls=2) for each in questions for n in range(3)]
    shown = rollout_preview(made, images)
    assert shown.count("Calls: web\\_search → web\\_search") == SHOWN
    assert shown.count("Answer: **42** (answered)") == SHOWN


def test_a_rollout_without_calls_and_answer_says_so(images: ImageStore) -> None:
    shown = rollout_preview([trajectory(grounded().questions.kept[0], None, calls=0)], images)
    assert "Calls: none" in shown
    assert "Answer: **none**" in shown


def test_rates_are_counted_by_policy_and_what_was_not_graded_is_left_out() -> None:
    def rate(correct: int, graded: int = 4) -> PassRate:
        return PassRate(question_id="q", policy="weak", n=4, graded=graded, correct=correct)

    shown = rates_preview([rate(0), rate(2), rate(3), rate(4), rate(0, graded=0)])
    assert shown.splitlines()[-1] == "| weak | 1 | 2 | 1 |"


def test_text_from_outside_brings_no_markup() -> None:
    hostile = "![x](http://e.org/p.png) <img src=x> | a\n# b &lt; **c** `d` ~~e~~"
    assert escape(hostile) == (
        r"\!\[x\](http://e.org/p.png) &lt;img src=x> \| a \# b &amp;lt; \*\*c\*\* \`d\` \~\~e\~\~"
    )
    assert table(("reason", "records"), [("a|b", 3)]).splitlines()[-1] == r"| a\|b | 3 |"


def test_nested_columns_are_named_without_their_parts() -> None:
    types = {column.name: column.type for column in column_schema(Question).columns}
    assert types["text"] == "string"
    assert types["images"] == "list of struct"
    assert types["prompt"] == "struct"
