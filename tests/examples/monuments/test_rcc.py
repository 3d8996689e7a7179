"""Reading Qt resource files: every version and packing, and nothing else."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples.monuments import rcc as reader
from examples.monuments.rcc import read_rcc
from hopsight.errors import SourceError
from tests.examples.monuments.rcc_files import PLAIN, ZLIB, ZSTD, rcc

FILES = {
    "a/Ünï.txt": (b"plain", PLAIN),
    "a/b/c.qml": (b"text " * 400, ZLIB),
    "a/b/d.qml": (b"more " * 400, ZSTD),
    "e": (b"", PLAIN),
}


@pytest.mark.parametrize("version", [1, 2, 3])
def test_every_file_of_every_version_comes_out_unpacked(version):
    assert read_rcc(rcc(FILES, version)) == {path: each[0] for path, each in FILES.items()}


def test_a_file_of_another_kind_or_version_is_refused():
    with pytest.raises(SourceError, match="no Qt resource file"):
        read_rcc(b"PK\x03\x04" + bytes(100))
    with pytest.raises(SourceError, match="version 4"):
        read_rcc(b"qres" + struct.pack(">IIII", 4, 24, 24, 24) + bytes(100))


def test_unknown_flags_are_refused():
    data = bytearray(rcc({"a": (b"x", PLAIN)}))
    data[24 + 22 + 4 : 24 + 22 + 6] = struct.pack(">H", 8)
    with pytest.raises(SourceError, match="unknown flags"):
        read_rcc(bytes(data))


def test_a_tree_that_loops_is_refused():
    data = bytearray(rcc({"a/b": (b"x", PLAIN)}))
    folder = 24 + 22
    data[folder + 10 : folder + 14] = struct.pack(">I", 0)
    with pytest.raises(SourceError, match="loops"):
        read_rcc(bytes(data))


@pytest.mark.parametrize("name", ["..", ".", "a\\", "x/../y"])
def test_names_that_lead_elsewhere_are_refused(name):
    data = rcc({"abcdef"[: len(name)]: (b"x", PLAIN)})
    old = "abcdef"[: len(name)].encode("utf-16-be")
    changed = data.replace(old, name.encode("utf-16-be"))
    if "/" in name or name in {".", ".."}:
        with pytest.raises(SourceError, match="no usable name"):
            read_rcc(changed)
    else:
        assert read_rcc(changed) == {name: b"x"}


@pytest.mark.parametrize("packing", [ZLIB, ZSTD])
def test_an_entry_that_unpacks_to_too_much_is_refused(packing, monkeypatch):
    monkeypatch.setattr(reader, "MAX_FILE", 1000)
    assert read_rcc(rcc({"a": (bytes(1000), packing)})) == {"a": bytes(1000)}
    with pytest.raises(SourceError, match="too large"):
        read_rcc(rcc({"a": (bytes(1001), packing)}))


def test_a_size_that_the_content_does_not_have_is_refused():
    data = bytearray(rcc({"a": (bytes(500), ZLIB)}))
    at = data.index(struct.pack(">I", 500))
    data[at : at + 4] = struct.pack(">I", 501)
    with pytest.raises(SourceError, match="not whole"):
        read_rcc(bytes(data))


@given(cut=st.integers(0, 400))
def test_a_file_that_ends_early_is_refused(cut):
    data = rcc(FILES)
    if cut:
        with pytest.raises(SourceError):
            read_rcc(data[:-cut])


@given(at=st.integers(0, 500), value=st.integers(0, 255))
def test_a_changed_byte_gives_files_or_a_clear_error(at, value):
    data = bytearray(rcc(FILES))
    data[at % len(data)] = value
    try:
        files = read_rcc(bytes(data))
    except SourceError as error:
        assert error.cause
        assert error.remedy
    else:
        assert all(isinstance(content, bytes) for content in files.values())
