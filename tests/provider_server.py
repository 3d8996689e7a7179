"""Search, page and image-host services on loopback, in the formats that theirs document.

    /serper/…   Serper            /serpapi/…   SerpApi          /jina/    Jina Reader
    /github/…   GitHub Contents   /s3/…        S3 (signed)      /drop/…   any server that takes PUT
    /web/…      pages and pictures of the web, by `pages`       /layout   PP-StructureV3

`faults` are given before anything else is done; `seen` holds every request.
"""

import asyncio
import base64
import hashlib
import hmac
import json
from collections import Counter, deque
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlsplit

KEY = "sk-live-4f9a77c1e2b8"
TOKEN = "ghp-7c2e19aa04d5"
ACCESS, SECRET = "AKIDPROVIDERTEST", "s3cr3t/9b1f0c77d2"
Json = dict[str, Any]


@dataclass
class Seen:
    """A request."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)


@dataclass
class Reply:
    """What is answered. `body`: bytes, text, or what is sent as JSON. None hangs up."""

    status: int = 200
    body: object = b""
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    hang_up: bool = False


@dataclass
class ProviderServer:
    """What the services hold, and what they were asked."""

    organic: list[Any] = field(default_factory=list)
    images: list[Any] = field(default_factory=list)
    matches: list[Json] = field(default_factory=list)
    papers: list[Any] = field(default_factory=list)
    pages: dict[str, Reply] = field(default_factory=dict)
    read: dict[str, Json] = field(default_factory=dict)
    lines: list[tuple[str, float, list[int]]] = field(default_factory=list)
    faults: deque[Reply] = field(default_factory=deque)
    fault_on: str = "/"
    public: bool = True
    files: dict[str, bytes] = field(default_factory=dict)
    looked_at: list[bytes] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    at_once: int = 0
    peak: int = 0
    delay: float = 0.0
    port: int = 0

    @property
    def place(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"http://{self.place}"

    @asynccontextmanager
    async def running(self):
        server = await asyncio.start_server(self._talk, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()

    async def _talk(self, reader, writer) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                await self._one(head, reader, writer)
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _one(self, head, reader, writer) -> None:
        first, *lines = head.decode("latin-1").split("\r\n")
        method, target, _ = first.split(" ")
        headers = {
            name.lower(): value
            for name, _, value in (line.partition(": ") for line in lines)
            if name
        }
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        parts = urlsplit(target)
        request = Seen(method, unquote(parts.path), dict(parse_qsl(parts.query)), headers, body)
        self.seen.append(request)
        service = parts.path.split("/")[1]
        self.counts[service] += 1
        self.at_once += 1
        self.peak = max(self.peak, self.at_once)
        faulty = self.faults and parts.path.startswith(self.fault_on)
        reply = self.faults.popleft() if faulty else getattr(self, f"_{service}")(request)
        await asyncio.sleep(reply.delay or self.delay)
        self.at_once -= 1
        if reply.hang_up:
            writer.close()
            return
        sent = reply.body
        if not isinstance(sent, bytes):
            sent = sent.encode() if isinstance(sent, str) else json.dumps(sent).encode()
        kind = {"content-type": "application/json", "content-length": str(len(sent))}
        told = "".join(f"{n}: {v}\r\n" for n, v in (kind | reply.headers).items())
        writer.write(f"HTTP/1.1 {reply.status} X\r\n{told}\r\n".encode() + sent)
        await writer.drain()

    def _serper(self, request: Seen) -> Reply:
        if request.headers.get("x-api-key") != KEY:
            return Reply(403, {"message": "Unauthorized.", "statusCode": 403})
        kind = request.path.rpartition("/")[2]
        if kind == "lens":
            return Reply(200, {"organic": self._look(request.json["url"])})
        found = {"search": self.organic, "images": self.images, "scholar": self.papers}[kind]
        field_name = "images" if kind == "images" else "organic"
        return Reply(200, {"searchParameters": request.json, field_name: found, "credits": 1})

    def _serpapi(self, request: Seen) -> Reply:
        asked = request.query
        if asked.get("api_key") != KEY:
            return Reply(401, {"error": "Invalid API key. Your API key should be here: …"})
        engine = asked["engine"]
        told: Json = {"search_metadata": {"id": "1", "status": "Success"}}
        if engine == "google_lens":
            return Reply(200, told | {"visual_matches": self._look(asked["url"])})
        found = {"google": self.organic, "google_images": self.images}.get(engine, self.papers)
        name = "images_results" if engine == "google_images" else "organic_results"
        if not found:
            state = {"organic_results_state": "Fully empty"}
            said = "Google hasn't returned any results for this query."
            return Reply(200, told | {"search_information": state, "error": said})
        return Reply(200, told | {name: found})

    def _look(self, url: str) -> list[Json]:
        """Lens fetches the picture itself: it must be public at that moment."""
        self.looked_at.append(self.files[urlsplit(url).path.rpartition("/")[2]])
        return self.matches

    def _jina(self, request: Seen) -> Reply:
        if request.headers.get("authorization") not in (None, f"Bearer {KEY}"):
            return Reply(401, _jina_error(401, 40103, "AuthenticationFailedError", "Invalid key"))
        url = request.json["url"]
        if url not in self.read:
            said = f"Failed to goto {url}"
            return Reply(422, _jina_error(422, 42206, "AssertionFailureError", said))
        data = {"title": "", "description": "", "url": url, "content": ""} | self.read[url]
        return Reply(200, {"code": 200, "status": 20000, "data": data, "meta": {}})

    def _github(self, request: Seen) -> Reply:
        if request.headers.get("authorization") != f"Bearer {TOKEN}":
            return Reply(401, {"message": "Bad credentials", "status": "401"})
        if "user-agent" not in request.headers:
            return Reply(403, "Request forbidden by administrative rules.")
        name, body = request.path.rpartition("/")[2], request.json
        if request.method == "PUT":
            if name in self.files:
                return Reply(422, {"message": 'Invalid request.\n\n"sha" wasn\'t supplied.'})
            self.files[name] = base64.b64decode(body["content"])
            sha = hashlib.sha1(self.files[name]).hexdigest()
            private = "" if self.public else "?token=ABC"
            raw = f"{self.url}/raw/{name}{private}"
            return Reply(201, {"content": {"name": name, "sha": sha, "download_url": raw}})
        if name not in self.files:
            return Reply(404, {"message": "Not Found", "status": "404"})
        if body["sha"] != hashlib.sha1(self.files[name]).hexdigest():
            return Reply(409, {"message": f"{name} does not match {body['sha']}"})
        del self.files[name]
        return Reply(200, {"content": None, "commit": {}})

    def _s3(self, request: Seen) -> Reply:
        if not _well_signed(request):
            code = "<Error><Code>SignatureDoesNotMatch</Code><Message>…</Message></Error>"
            return Reply(403, code, {"content-type": "application/xml"})
        return self._stored(request)

    def _drop(self, request: Seen) -> Reply:
        if request.headers.get("authorization") != f"Bearer {TOKEN}":
            return Reply(401, "no")
        return self._stored(request)

    def _stored(self, request: Seen) -> Reply:
        name = request.path.rpartition("/")[2]
        if request.method == "PUT":
            self.files[name] = request.body
            return Reply(200)
        if request.method == "DELETE":
            self.files.pop(name, None)
            return Reply(204)
        return Reply(200, self.files[name], {"content-type": "image/png"})

    def _web(self, request: Seen) -> Reply:
        return self.pages.get(request.path, Reply(404, "<html><body>gone</body></html>"))

    def _layout(self, request: Seen) -> Reply:
        if request.headers.get("authorization") != f"token {TOKEN}":
            return Reply(403, {"logId": "1", "errorCode": 403, "errorMsg": "Invalid token"})
        texts, scores, boxes = (list(column) for column in zip(*self.lines, strict=True))
        ocr = {"rec_texts": texts, "rec_scores": scores, "rec_boxes": boxes}
        pruned = {"parsing_res_list": [], "overall_ocr_res": ocr}
        result = {"layoutParsingResults": [{"prunedResult": pruned, "markdown": {"text": ""}}]}
        return Reply(200, {"logId": "1", "errorCode": 0, "errorMsg": "Success", "result": result})


def _jina_error(code: int, status: int, name: str, message: str) -> Json:
    return {"data": None, "code": code, "name": name, "status": status, "message": message}


def _well_signed(request: Seen) -> bool:
    """Whether a request bears the signature that AWS describes for signed addresses."""
    told = dict(request.query)
    given = told.pop("X-Amz-Signature", "")
    access, day, region, service, end = told.get("X-Amz-Credential", "////").split("/")
    if (access, service, end) != (ACCESS, "s3", "aws4_request"):
        return False
    query = "&".join(f"{quote(n, safe='')}={quote(v, safe='')}" for n, v in sorted(told.items()))
    lines = (request.method, quote(request.path), query, f"host:{request.headers['host']}", "")
    canonical = "\n".join((*lines, "host", "UNSIGNED-PAYLOAD"))
    scope = f"{day}/{region}/s3/aws4_request"
    digest = hashlib.sha256(canonical.encode()).hexdigest()
    key = f"AWS4{SECRET}".encode()
    for piece in (day, region, "s3", "aws4_request"):
        key = hmac.new(key, piece.encode(), hashlib.sha256).digest()
    text = f"AWS4-HMAC-SHA256\n{told['X-Amz-Date']}\n{scope}\n{digest}"
    return hmac.compare_digest(given, hmac.new(key, text.encode(), hashlib.sha256).hexdigest())
