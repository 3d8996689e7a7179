"""A small MediaWiki that speaks the documented format of api.php, and can be made to misbehave.

It stands on the network's far side: as a transport for tests in one process (`transport`), behind
a real server for those that need one (`answer`).
"""

import hashlib
import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlsplit

import httpx
from PIL import Image

BASE = "https://wiki.test/w/api.php"
Params = Mapping[str, str]
FILE_PROPERTIES = {"thumburl": "url", "width": "size", "height": "size"}
"""Under which name of `iiprop` a part of a file's description is asked for, if not its own."""


@dataclass
class FakePage:
    text: str
    page_id: int
    revision: int
    redirect: str = ""
    model: str = "wikitext"
    hidden: bool = False


@dataclass
class FakeFile:
    data: bytes
    url: str = ""
    license: str = "CC BY-SA 4.0"
    artist: str = '<a href="//x">Ann <b>Smith</b></a><span style="display: none;">Ann</span>'
    told: dict[str, Any] = field(default_factory=dict)
    thumb: bytes = b""
    redirected_to: str = ""


@dataclass
class Reply:
    """What is sent. `body` may be anything that JSON can hold, or bytes."""

    body: Any
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def content(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


def png(width: int = 40, height: int = 30, colour: str = "red") -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (width, height), colour).save(out, "PNG")
    return out.getvalue()


def maxlag(retry_after: str = "5") -> Reply:
    error = {"code": "maxlag", "info": "Waiting for a database server: 7 seconds lagged."}
    headers = {"Retry-After": retry_after, "MediaWiki-API-Error": "maxlag"}
    return Reply({"error": error}, headers=headers)


class FakeWiki:
    """Titles to pages, names to files. `troubles` are sent first, one a request."""

    def __init__(self, per_answer: int = 500) -> None:
        self.pages: dict[str, FakePage] = {}
        self.files: dict[str, FakeFile] = {}
        self.troubles: list[Reply | Exception] = []
        self.per_answer = per_answer
        self.extensions = ["PageImages"]
        self.leading: dict[str, str] = {}
        self.asked: Counter[str] = Counter()
        self.requests: list[tuple[str, Params]] = []
        self.latest: set[str] = set()
        self.agents: set[str] = set()
        self.before: Callable[[Params], None] = lambda _: None

    def add(self, title: str, text: str, **more: Any) -> "FakeWiki":
        number = len(self.pages) + 1
        self.pages[title] = FakePage(text, number, 1000 + number, **more)
        return self

    def redirect(self, title: str, target: str) -> "FakeWiki":
        return self.add(title, f"#REDIRECT [[{target}]]", redirect=target)

    @property
    def transport(self) -> httpx.MockTransport:
        def send(request: httpx.Request) -> httpx.Response:
            self.agents.add(request.headers["user-agent"])
            reply = self.answer(str(request.url))
            return httpx.Response(reply.status, headers=reply.headers, content=reply.content)

        return httpx.MockTransport(send)

    def answer(self, url: str) -> Reply:
        """Answer one request; `latest` then holds what it asked for."""
        before = self.asked.copy()
        reply = self._answer(url)
        self.latest = set(self.asked - before)
        return reply

    def _answer(self, url: str) -> Reply:
        parts = urlsplit(url)
        params = dict(parse_qsl(parts.query, keep_blank_values=True))
        self.requests.append((parts.path, params))
        if self.troubles:
            trouble = self.troubles.pop(0)
            if isinstance(trouble, Exception):
                raise trouble
            return trouble
        if parts.path.endswith("/api.php"):
            self.before(params)
            return Reply(self._api(params), headers={"Content-Type": "application/json"})
        return self._picture(parts.path)

    def _picture(self, path: str) -> Reply:
        folder, _, name = unquote(path).rpartition("/")
        self.asked[f"picture {name}"] += 1
        file = self.files.get(name)
        if file is None:
            return Reply(b"no such file", 404, {"Content-Type": "text/html"})
        data = file.thumb if folder.endswith("thumb") else file.data
        return Reply(data, headers={"Content-Type": "image/png"})

    def _api(self, params: Params) -> Any:
        assert params["maxlag"] and params["format"] == "json"
        if params.get("meta") == "siteinfo":
            return {"batchcomplete": True, "query": self._siteinfo()}
        if params.get("list") == "search":
            words = params["srsearch"].lower()
            hits = [t for t, page in self.pages.items() if words in page.text.lower()]
            rows = [{"ns": 0, "title": title} for title in hits]
            return self._cut(params, "sroffset", rows, lambda some: {"search": some})
        if "revids" in params:
            return self._revisions(params)
        return self._titles(params)

    def _siteinfo(self) -> dict[str, Any]:
        names = {-1: "Special", 0: "", 6: "File", 10: "Template"}
        return {
            "general": {
                "sitename": "Fake & wiki",
                "base": "https://wiki.test/wiki/Main_Page",
                "generator": "MediaWiki 1.39.17",
                "case": "first-letter",
                "lang": "en",
                "wikiid": "fake",
            },
            "namespaces": {
                str(key): {"id": key, "case": "first-letter", "name": name}
                for key, name in names.items()
            },
            "extensions": [{"type": "other", "name": name} for name in self.extensions],
        }

    def _titles(self, params: Params) -> Any:
        asked = params["titles"].split("|")
        assert len(asked) <= 50
        normal = {title: self._normal(title) for title in asked}
        query: dict[str, Any] = {}
        changed = [{"from": a, "to": b, "fromencoded": False} for a, b in normal.items() if a != b]
        if changed:
            query["normalized"] = changed
        titles = list(dict.fromkeys(normal.values()))
        other = [title for title in titles if title.startswith("de:")]
        if other:
            query["interwiki"] = [{"title": title, "iw": "de"} for title in other]
        titles = [title for title in titles if title not in other]
        prop = params.get("prop", "")
        for title in titles:
            self.asked[f"{prop or 'redirect'} {title}"] += 1
        if params.get("redirects") and prop != "links":
            query["redirects"] = list(self._steps(titles))
            return {"batchcomplete": True, "query": query}
        if prop == "redirects":
            rows = [(title, name) for title in titles for name in self._names_of(title)]
            return self._cut(params, "rdcontinue", rows, lambda some: {
                **query, "pages": [
                    {**self._info(title), "redirects": [
                        {"title": name, "ns": 0} for of, name in some if of == title
                    ]} for title in titles
                ],
            })  # fmt: skip
        if prop == "links":
            return self._links(titles[0], params)
        found = [self._info(title) | self._more(prop, title, params) for title in titles]
        moved = [
            {"from": title, "to": f"File:{self._file(title).redirected_to}"}
            for title in titles
            if prop == "imageinfo" and self._file(title).redirected_to
        ]
        if moved:
            query["redirects"] = moved
        return {"batchcomplete": True, "query": {**query, "pages": found}}

    def _more(self, prop: str, title: str, params: Params) -> dict[str, Any]:
        if prop == "pageimages" and title in self.leading:
            return {"pageimage": self.leading[title]}
        if prop == "imageinfo" and title.removeprefix("File:") in self.files:
            file, properties = self._file(title), params["iiprop"].split("|")
            if file.redirected_to:
                return {"title": f"File:{file.redirected_to}", **self._imageinfo(
                    file.redirected_to, self.files[file.redirected_to], properties
                )}  # fmt: skip
            return self._imageinfo(title.removeprefix("File:"), file, properties)
        return {}

    def _file(self, title: str) -> FakeFile:
        return self.files.get(title.removeprefix("File:"), FakeFile(b""))

    def _imageinfo(self, name: str, file: FakeFile, properties: list[str]) -> dict[str, Any]:
        address = file.url or f"https://wiki.test/images/{name}"
        info: dict[str, Any] = {
            "url": address,
            "size": len(file.data),
            "sha1": hashlib.sha1(file.data).hexdigest(),
            "mime": "image/png",
            "extmetadata": {
                key: {"value": value, "source": "commons-desc-page"}
                for key, value in (("LicenseShortName", file.license), ("Artist", file.artist))
                if value
            },
        }
        try:
            info["width"], info["height"] = Image.open(io.BytesIO(file.data)).size
        except OSError:
            info |= {"width": 10, "height": 10}
        info |= {"thumburl": address, "thumbmime": "image/png"}
        if file.thumb:
            info["thumburl"] = f"https://wiki.test/thumb/{quote(name)}"
        info = {key: info[key] for key in info if FILE_PROPERTIES.get(key, key) in properties}
        return {"imagerepository": "local", "imageinfo": [info | file.told]}

    def _info(self, title: str) -> dict[str, Any]:
        namespace = 6 if title.startswith("File:") else 10 if title.startswith("Template:") else 0
        if title.startswith("Special:"):
            return {"ns": -1, "title": title, "special": True}
        if title.startswith("_bad") or "::" in title:
            return {"title": title, "invalid": True, "invalidreason": "The title is not valid."}
        page = self.pages.get(title)
        if page is None:
            return {"ns": namespace, "title": title, "missing": True}
        found = {
            "pageid": page.page_id,
            "ns": namespace,
            "title": title,
            "lastrevid": page.revision,
            "length": len(page.text.encode("utf-8", "replace")),
            "contentmodel": page.model,
        }
        return found | ({"redirect": True} if page.redirect else {})

    def _revisions(self, params: Params) -> Any:
        numbers = [int(number) for number in params["revids"].split("|")]
        assert len(numbers) <= 50
        by_number = {page.revision: (title, page) for title, page in self.pages.items()}
        known = [number for number in numbers if number in by_number]
        bad = {str(n): {"revid": n, "missing": True} for n in numbers if n not in by_number}
        for number in numbers:
            self.asked[f"revision {number}"] += 1

        def pages(some: list[int]) -> dict[str, Any]:
            rows = []
            for number in some:
                title, page = by_number[number]
                slot: dict[str, Any] = {"contentmodel": page.model}
                slot |= {"texthidden": True} if page.hidden else {"content": page.text}
                row: dict[str, Any] = {"revid": number, "timestamp": "2024-05-06T07:08:09Z"}
                row["slots"] = {"main": slot}
                rows.append({**self._info(title), "revisions": [row]})
            return {"pages": rows, **({"badrevids": bad} if bad else {})}

        return self._cut(params, "rvcontinue", known, pages)

    def _links(self, title: str, params: Params) -> Any:
        """In format version 1, which wikipedia-api asks for: pages keyed by id."""
        page = self.pages.get(title)
        if page is None:
            return {"query": {"pages": {"-1": {"ns": 0, "title": title, "missing": ""}}}}
        names = sorted(part.split("]]")[0].split("|")[0] for part in page.text.split("[[")[1:])
        rows = [{"ns": 0, "title": name} for name in names]
        return self._cut(params, "plcontinue", rows, lambda some: {
            "pages": {str(page.page_id): {"pageid": page.page_id, "ns": 0, "title": title,
                                          "links": some}}
        })  # fmt: skip

    def _cut(
        self, params: Params, name: str, rows: list[Any], query: Callable[[list[Any]], Any]
    ) -> Any:
        """A part of the rows, and where to go on."""
        start = int(params.get(name, "0"))
        end = start + self.per_answer
        answer: dict[str, Any] = {"query": query(rows[start:end])}
        if end < len(rows):
            answer["continue"] = {name: str(end), "continue": "||"}
        return answer

    def _names_of(self, title: str) -> list[str]:
        return [name for name, page in self.pages.items() if page.redirect.split("#")[0] == title]

    def _steps(self, titles: Iterable[str]) -> Iterable[dict[str, Any]]:
        pending = list(titles)
        seen: set[str] = set()
        while pending:
            title = pending.pop(0)
            page = self.pages.get(title)
            if page is None or not page.redirect or title in seen:
                continue
            seen.add(title)
            target, _, section = page.redirect.partition("#")
            yield {"from": title, "to": target, **({"tofragment": section} if section else {})}
            pending.append(target)

    @staticmethod
    def _normal(title: str) -> str:
        name = " ".join(title.replace("_", " ").split())
        prefix, colon, rest = name.partition(":")
        if colon and prefix in ("File", "Template"):
            return f"{prefix}:{rest[:1].upper()}{rest[1:]}"
        return name[:1].upper() + name[1:] if not name.startswith("de:") else name
