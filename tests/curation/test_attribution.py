"""Every picture that a data set shows is told with its licence, author and source."""

import random

import pytest

from curation.attribution import Credit, all_cc0, attribution, credits_of
from hopsight.chains import changed
from hopsight.errors import HopsightError
from hopsight.types import BankImage, ExportRow
from tests.curation.made import grounded, trajectory

QUESTION, OTHER, *_ = grounded().questions.kept
SHOWN = QUESTION.images[0]
FOUND = changed(SHOWN, sha256="a" * 64, license="CC BY-SA 4.0", author="Ada", source_url="u/a")
CUT = changed(FOUND, sha256="b" * 64)
UNSEEN = changed(FOUND, sha256="c" * 64)
BANK = tuple(
    BankImage(handle=handle, image=image, parent=parent)
    for handle, (image, parent) in enumerate(
        [(SHOWN, None), (FOUND, None), (CUT, 1), (UNSEEN, None)]
    )
)
TRACE = changed(trajectory(QUESTION, "x"), bank=BANK)


def row(*images):
    return ExportRow(
        file="sft.json", row=0, question_id=QUESTION.id, trajectory_id=TRACE.id, images=images
    )


ROWS = [row(SHOWN.sha256, FOUND.sha256, CUT.sha256)]


def credit(image, made_from=""):
    return Credit(image.sha256, image.license, image.author, image.source_url, made_from)


def test_pictures_of_questions_and_of_exported_rows_are_credited_and_no_others():
    found = credits_of([QUESTION, OTHER], ROWS, [TRACE], {})
    assert set(found) == {
        credit(SHOWN),
        credit(OTHER.images[0]),
        credit(FOUND),
        credit(CUT, made_from=FOUND.sha256),
    }
    assert [each.sha256 for each in found] == sorted(each.sha256 for each in found)


def test_a_degraded_picture_names_what_it_was_made_from():
    (found,) = credits_of([QUESTION], [], [], {SHOWN.sha256: "d" * 64})
    assert found == credit(SHOWN, made_from="d" * 64)


def test_one_that_is_also_shown_as_it_is_was_made_from_nothing():
    bank = (*BANK, BankImage(handle=4, image=SHOWN, parent=0), BankImage(handle=5, image=CUT))
    found = credits_of([], ROWS, [changed(TRACE, bank=bank)], {})
    assert {credit(SHOWN), credit(CUT)} <= set(found)
    assert len(found) == 3


def test_one_from_two_places_is_told_for_each():
    again = changed(SHOWN, license="CC0", author="somebody else")
    found = credits_of([QUESTION, changed(OTHER, images=(again,))], [], [], {})
    assert set(found) == {credit(SHOWN), credit(again)}


def test_a_picture_that_nobody_knows_is_refused():
    with pytest.raises(HopsightError, match="eeee is — hand over the questions"):
        credits_of([QUESTION], [row("e" * 64)], [TRACE], {})


def test_the_order_of_the_records_is_no_matter():
    traces = [TRACE, changed(TRACE, sample=1, bank=BANK[::-1])]
    expected = credits_of([QUESTION, OTHER], ROWS, traces, {})
    questions = [OTHER, QUESTION]
    random.Random(1).shuffle(traces)
    assert credits_of(questions, ROWS, traces[::-1], {}) == expected


def test_the_file_has_a_row_for_each_that_outside_text_cannot_break():
    evil = credit(changed(FOUND, author="A | B\n<b>C</b>"))
    told = attribution("Round", [evil, credit(CUT, "a" * 64)])
    assert f"| {'a' * 64} | CC BY-SA 4.0 | A \\| B &lt;b>C&lt;/b> | u/a |  |" in told
    assert f"| {'b' * 64} | CC BY-SA 4.0 | Ada | u/a | {'a' * 64} |" in told


@pytest.mark.parametrize(
    ("license", "free"),
    [
        ("CC0-1.0", True),
        ("cc0", True),
        ("Cc-zero", True),
        ("CC0 1.0", True),
        ("https://creativecommons.org/publicdomain/zero/1.0/", True),
        ("CC0-1.0; CC0", True),
        ("CC0-1.0; CC BY 4.0", False),
        ("CC BY-SA 4.0", False),
        ("not CC0", False),
        ("CC0-like", False),
        ("unknown", False),
        ("", False),
    ],
)
def test_a_licence_is_cc0_only_by_name(license, free):
    one = credit(changed(SHOWN, license=license))
    assert all_cc0([one]) is free
    assert all_cc0([credit(changed(SHOWN, license="CC0")), one]) is free
