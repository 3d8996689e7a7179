import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopsight.net import Fetched
from hopsight.net.kinds import OCTETS, kind_of, wanted

SVG = b'<svg xmlns="http://www.w3.org/2000/svg"/>'


@pytest.mark.parametrize(
    ("body", "declared", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n...", "text/html", "image/png"),
        (b"\xff\xd8\xff\xe0", "image/png", "image/jpeg"),
        (b"GIF89a", "image/jpeg", "image/gif"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "", "image/webp"),
        (b"RIFF\0\0\0\0WAVEfmt ", "image/webp", OCTETS),
        (b"\0\0\0\x20ftypavif", "image/png", "image/avif"),
        (b"\0\0\0\x20ftypisom", "image/png", "video/mp4"),
        (b"%PDF-1.7", "text/html", "application/pdf"),
        (b"PK\3\4", "text/html", "application/zip"),
        (b"\x7fELF\2\1\1\0", "image/png", OCTETS),
        (b"<!DOCTYPE html><svg>", "image/svg+xml", "text/html"),
        (b"\xef\xbb\xbf\n<!-- a --><!-- b --> <HTML>", "", "text/html"),
        (SVG, "image/png", "image/svg+xml"),
        (b'<?xml version="1.0"?>\n<!-- a -->' + SVG, "text/plain", "image/svg+xml"),
        (b"<!DOCTYPE svg [<!ENTITY a '>'>]><x:svg>", "image/png", "image/svg+xml"),
        (b'<?xml version="1.0"?><rss/>', "application/rss+xml", "application/rss+xml"),
        (b"<p>A page with <svg> inside", "text/html; charset=x", "text/html"),
        (b'{"a": 1}', "Application/JSON", "application/json"),
        (b"plain", "image/png", "text/plain"),
        (b"plain", "image/svg+xml", "text/plain"),
        (b"", "", "text/plain"),
    ],
)
def test_a_kind_is_what_the_bytes_say(body: bytes, declared: str, kind: str) -> None:
    assert kind_of(body, declared) == kind


def test_comments_without_end_are_read_in_no_time() -> None:
    for body in (b"<!---->" * 600, b"<!--" * 1000, b"<!-- -->\n" * 400 + b"<"):
        assert kind_of(body, "text/html") == "text/html"


@given(st.binary(max_size=200), st.text(max_size=40))
def test_every_body_has_a_kind(body: bytes, declared: str) -> None:
    assert "/" in kind_of(body, declared)


def test_kinds_may_be_wanted_by_family() -> None:
    assert wanted("image/png", {"image/*"})
    assert wanted("image/png", {"*/*"})
    assert not wanted("image/png", {"text/*", "image/jpeg"})


@pytest.mark.parametrize(
    ("body", "declared", "text"),
    [
        ("Grüße".encode(), "text/html", "Grüße"),
        ("Grüße".encode("cp1252"), "text/html; charset=ISO-8859-1", "Grüße"),
        ("Привет".encode("koi8-r"), 'text/plain; charset="KOI8-R"', "Привет"),
        ("<meta charset=gbk>你好".encode("gbk"), "text/html", "<meta charset=gbk>你好"),
        ("Grüße".encode("utf-16"), "text/html; charset=utf-8", "Grüße"),
        (b"\xef\xbb\xbfhello", "", "hello"),
        (b"a\xffb", "text/plain; charset=utf-8", "a\ufffdb"),
        (b"abc", "text/plain; charset=zlib", "abc"),
        (b"abc", "text/plain; charset=no-such", "abc"),
        (b"\\u0041", "text/plain; charset=unicode_escape", "\\u0041"),
    ],
)
def test_text_is_read_in_the_charset_that_is_named(body: bytes, declared: str, text: str) -> None:
    assert Fetched("u", 200, "text/html", body, {"content-type": declared}).text == text
