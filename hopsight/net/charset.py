"""Text from bytes in the charset that a server or a page names."""

import re
from typing import Final

_LOOKED_AT: Final = 2048
_NAMED: Final = re.compile(r"charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.IGNORECASE)
_KNOWN: Final = frozenset(
    (
        "utf-8 utf8 utf-16 utf-16le utf-16be us-ascii ascii iso-8859-1 latin1 latin-1 iso-8859-2 "
        "iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-9 iso-8859-10 "
        "iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 windows-874 windows-1250 windows-1251 "
        "windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 "
        "windows-1258 koi8-r koi8-u gbk gb2312 gb18030 big5 euc-jp shift_jis iso-2022-jp euc-kr"
    ).split()
)
"""Python knows codecs that are no charsets, and some of those unpack."""
_MARKS: Final = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_AS_BROWSERS_DO: Final = {"iso-8859-1": "cp1252", "latin1": "cp1252", "us-ascii": "cp1252"}


def text_of(body: bytes, content_type: str) -> str:
    """`body` as text: its byte order mark decides, then `content_type`, then its own first
    bytes (a page's `<meta charset>`), else UTF-8. What does not fit becomes U+FFFD."""
    for mark, charset in _MARKS:
        if body.startswith(mark):
            return body.decode(charset, "replace")
    return body.decode(_charset(body, content_type), "replace")


def _charset(body: bytes, content_type: str) -> str:
    for place in (content_type, body[:_LOOKED_AT].decode("latin-1")):
        match = _NAMED.search(place)
        if match is not None and match.group(1).lower() in _KNOWN:
            name = match.group(1).lower()
            return _AS_BROWSERS_DO.get(name, name)
    return "utf-8"
