"""A question is followed back through the ids that it went on under."""

from curation.origins import origins
from hopsight.chains import changed
from tests.curation.made import grounded

FIRST, OTHER, *_ = grounded().questions.kept
EDITED = changed(FIRST, text=f"{FIRST.text} Really?", parent_id=FIRST.id, operator="review")
WORSE = changed(EDITED, images=(), parent_id=EDITED.id)


def test_parents_are_followed_to_the_one_that_is_known_in_any_order():
    known = {FIRST.id, OTHER.id}
    expected = {FIRST.id: FIRST.id, EDITED.id: FIRST.id, WORSE.id: FIRST.id, OTHER.id: OTHER.id}
    assert origins([FIRST, EDITED, WORSE, OTHER], known) == expected
    assert origins([WORSE, OTHER, EDITED, FIRST], known) == expected


def test_what_comes_from_nothing_known_is_left_out():
    assert origins([WORSE], {FIRST.id}) == {}  # the generation between is missing
    assert origins([EDITED], set()) == {}
