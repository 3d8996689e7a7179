import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopsight.harness.sandbox.inside import frames


@given(st.dictionaries(st.text(), st.integers()), st.lists(st.binary(max_size=200), max_size=5))
def test_a_message_arrives_as_it_was_sent(header: dict[str, int], parts: list[bytes]) -> None:
    header.pop("sizes", None)
    reader, writer = os.pipe()
    try:
        frames.write(writer, frames.pack(header, parts))
        assert frames.read(reader) == (header, parts)
    finally:
        os.close(reader)
        os.close(writer)


def test_sizes_that_do_not_add_up_are_refused() -> None:
    for sizes in ("[3]", "[2, -1, 1]"):
        with pytest.raises(ValueError, match="do not add up"):
            frames.unpack(b'{"sizes": %s}' % sizes.encode(), b"xx")


def test_the_other_side_gone_is_told_from_an_empty_message() -> None:
    reader, writer = os.pipe()
    os.write(writer, frames.pack({})[:3])
    os.close(writer)
    with pytest.raises(EOFError):
        frames.read(reader)
    os.close(reader)
