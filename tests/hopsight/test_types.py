from hypothesis import given
from hypothesis import strategies as st

from hopsight.types import Rejection, Task, content_hash


def test_equal_content_has_one_id_and_other_content_another() -> None:
    assert Task(text="a", images=()).id == Task(text="a", images=()).id
    assert Task(text="a", images=()).id != Task(text="b", images=()).id


def test_a_copy_with_other_values_has_another_id_even_if_the_first_was_read() -> None:
    first = Rejection(record_id="q_1", stage="s", reason="r", detail="d")
    before = first.id
    assert first.model_copy(update={"detail": "e"}).id != before
    assert first.id == before


def test_the_kind_stands_before_the_hash() -> None:
    assert Task(text="a", images=()).id.startswith("task_")


@given(st.dictionaries(st.text(), st.integers() | st.text(), max_size=5))
def test_the_order_of_keys_has_no_part_in_a_content_hash(value: dict[str, int | str]) -> None:
    assert content_hash(value) == content_hash(dict(reversed(value.items())))
