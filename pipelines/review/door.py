"""What stands before the page beside the search server's gate: signing in, and foreign pages."""

import hmac
from typing import Final
from urllib.parse import parse_qs, urlsplit

from fastapi.responses import RedirectResponse
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hopsight.serve.failures import told

COOKIE: Final = "hopsight_review"
SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Door:
    """ASGI middleware around the gate, which asks for the token and for this machine's names.

    A browser cannot send a token when it opens a page: `/?token=…` leaves it as a cookie, which is
    handed on to the gate as it expects it. What would change something comes from this page alone.
    """

    def __init__(self, app: ASGIApp, token: str | None) -> None:
        self._app = app
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, with headers that let the page do no more than it has to."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                more = [(name.lower().encode(), text.encode()) for name, text in HEADERS.items()]
                message = {**message, "headers": [*message["headers"], *more]}
            await send(message)

        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        if self._signs_in(scope):
            signed = RedirectResponse("/", 303)
            signed.set_cookie(COOKIE, self._token or "", httponly=True, samesite="strict")
            await signed(scope, receive, guarded)
        elif scope["method"] not in SAFE and _is_foreign(headers):
            refusal = told(403, "foreign_page", "decisions are taken from the review page alone")
            await refusal(scope, receive, guarded)
        else:
            await self._app(_with_token(scope, headers), receive, guarded)

    def _signs_in(self, scope: Scope) -> bool:
        if self._token is None or scope["path"] != "/":
            return False
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        return hmac.compare_digest(given.encode(), self._token.encode())


def _is_foreign(headers: dict[bytes, str]) -> bool:
    """Whether a page of another site sends this; a program sends neither header."""
    if headers.get(b"sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return True
    origin = headers.get(b"origin")
    if origin is None:
        return False
    try:
        return urlsplit(origin).netloc.lower() != headers.get(b"host", "").lower()
    except ValueError:
        return True


def _with_token(scope: Scope, headers: dict[bytes, str]) -> Scope:
    """The request with the cookie's token where the gate looks for one."""
    given = cookie_parser(headers.get(b"cookie", "")).get(COOKIE)
    if given is None or b"authorization" in headers:
        return scope
    bearer = (b"authorization", f"Bearer {given}".encode("latin-1", "replace"))
    return {**scope, "headers": [*scope["headers"], bearer]}
