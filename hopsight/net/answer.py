"""What a server answered: status, kind, body within a bound, headers without cookies."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import httpcore2

from hopsight.net.address import shown
from hopsight.net.charset import text_of
from hopsight.net.failures import BodyRefused
from hopsight.net.kinds import wanted


@dataclass(frozen=True, slots=True)
class Fetched:
    """A whole answer, whatever its status. `url` is where it came from after all redirects.

    `mime` tells what the body is by its bytes; header names are lower case, cookies left out.
    """

    url: str
    status: int
    mime: str
    body: bytes
    headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def ok(self) -> bool:
        """Whether the status is one of success."""
        return 200 <= self.status < 300

    @property
    def text(self) -> str:
        """The body as text, in the charset that it names, else UTF-8; what is none is replaced."""
        return text_of(self.body, self.headers.get("content-type", ""))


async def read_body(response: httpcore2.Response, declared: str, limit: int) -> bytes:
    """The body as it was sent, packed. `declared` is its Content-Length.

    Raises BodyRefused as soon as it is known to be longer than `limit` bytes.
    """
    total = int(declared) if declared.isdecimal() and len(declared) < 19 else 0
    pieces = []
    if total <= limit:
        total = 0
        async for piece in response.aiter_stream():
            total += len(piece)
            if total > limit:
                break
            pieces.append(piece)
    if total > limit:
        raise BodyRefused(f"the answer has more than {limit} bytes", "ask for something smaller")
    return b"".join(pieces)


def headers_of(sent: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Headers by lower-case name, repeated ones joined by commas, cookies left out."""
    headers: dict[str, str] = {}
    for raw_name, raw_value in sent:
        name, value = raw_name.decode("latin-1").lower(), _header_text(raw_value)
        if name not in {"set-cookie", "set-cookie2"}:
            headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return headers


def of_kind(answer: Fetched, kinds: Collection[str]) -> Fetched:
    """The answer. Raises BodyRefused where it succeeded with another kind than those wanted."""
    if answer.ok and not wanted(answer.mime, kinds):
        kind = ", ".join(sorted(kinds))
        raise BodyRefused(f"{shown(answer.url)} is {answer.mime}", f"give an address of {kind}")
    return answer


def _header_text(value: bytes) -> str:
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("latin-1")
