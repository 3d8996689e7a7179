"""A chat server on loopback that echoes, counts what it bills, and breaks in every way asked for.

In a test it runs in the test's event loop; `python -m tests.llm_server` runs it in a process of
its own, prints its port, and ends when its standard input does.
"""

import argparse
import asyncio
import gzip
import json
import sys
from collections import Counter, deque
from collections.abc import Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email.utils import formatdate
from time import time
from typing import Any

MODEL = "echo-1"
Json = dict[str, Any]


@dataclass
class LlmServer:
    """What it does next (`faults`, then `always`), and what it has done."""

    delay: float = 0.0
    faults: deque[str] = field(default_factory=deque)
    always: str | None = None
    most_at_once: int | None = None
    retry_after: str = "0.05"
    asked: Counter[str] = field(default_factory=Counter)
    billed: Counter[str] = field(default_factory=Counter)
    prompt_tokens: int = 0
    completion_tokens: int = 0
    at_once: int = 0
    peak: int = 0
    times: list[float] = field(default_factory=list)
    bodies: list[Json] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    keep_bodies: bool = False
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def count(self) -> Json:
        return {
            "asked": self.asked,
            "billed": self.billed,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "peak": self.peak,
        }

    @asynccontextmanager
    async def running(self):
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: _Talk(self, loop), "127.0.0.1", 0, backlog=1024)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()

    def fault_of_next(self) -> str | None:
        if self.faults:
            return self.faults.popleft()
        if self.most_at_once is not None and self.at_once > self.most_at_once:
            return "rate_limit"
        return self.always


class _Talk(asyncio.Protocol):
    """One connection: a request at a time."""

    def __init__(self, server: LlmServer, loop: asyncio.AbstractEventLoop) -> None:
        self.server = server
        self.loop = loop
        self.data = b""

    def connection_made(self, transport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.data += data
        head, found, rest = self.data.partition(b"\r\n\r\n")
        if not found:
            return
        lines = head.decode("latin-1").split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in lines[1:])
        size = int(headers.get("content-length", "0"))
        if len(rest) < size:
            return
        self.data = rest[size:]
        original = dict(line.split(": ", 1) for line in lines[1:])
        self.server.headers = {name.lower(): value for name, value in original.items()}
        if lines[0].startswith("GET"):
            self.write(json.dumps(self.server.count()).encode())
        else:
            self.answer(json.loads(rest[:size]))

    def answer(self, body: Json) -> None:
        server = self.server
        text = _last_text(body)
        server.asked[text] += 1
        server.times.append(time())
        if server.keep_bodies:
            server.bodies.append(body)
        server.at_once += 1
        server.peak = max(server.peak, server.at_once)
        fault = server.fault_of_next()
        if fault == "hang":
            server.at_once -= 1
            return
        self.loop.call_later(server.delay, self.respond, body, text, fault)

    def respond(self, body: Json, text: str, fault: str | None) -> None:
        self.server.at_once -= 1
        if fault is not None:
            REFUSALS.get(fault, _billed_fault)(self, body, text, fault)
        else:
            self.write(json.dumps(self.completion(body, text)).encode())

    def completion(self, body: Json, text: str) -> Json:
        """A whole answer; it is billed from here on."""
        if "input" in body:
            return self.embeddings(body, text)
        prompt, completion = 10 + len(text.split()), 1 + len(text) % 7
        self.server.billed[text] += 1
        self.server.prompt_tokens += prompt
        self.server.completion_tokens += completion
        message: Json = {"role": "assistant", "content": json.dumps({"echo": text})}
        choice: Json = {"index": 0, "message": message, "finish_reason": "stop"}
        if body.get("logprobs"):
            top = [{"token": "{", "logprob": -0.1}, {"token": "[", "logprob": -2.5}]
            choice["logprobs"] = {"content": [{**top[0], "top_logprobs": top}]}
        if body.get("tools"):
            function = {"name": body["tools"][0]["function"]["name"], "arguments": '{"a": 1}'}
            message["tool_calls"] = [{"id": "call_1", "type": "function", "function": function}]
            choice["finish_reason"] = "tool_calls"
        return {
            "id": "x",
            "object": "chat.completion",
            "created": 0,
            "model": body["model"],
            "choices": [choice],
            "usage": {
                "prompt_tokens": prompt,
                "completion_tokens": completion,
                "total_tokens": prompt + completion,
            },
        }

    def embeddings(self, body: Json, text: str) -> Json:
        """For each text its length and its first and last letter, in reverse order."""
        prompt = sum(1 + len(each.split()) for each in body["input"])
        self.server.billed[text] += 1
        self.server.prompt_tokens += prompt
        rows = [
            {"object": "embedding", "index": n, "embedding": [len(t), ord(t[0]), ord(t[-1])]}
            for n, t in enumerate(body["input"])
        ]
        usage = {"prompt_tokens": prompt, "total_tokens": prompt}
        return {"object": "list", "model": body["model"], "data": rows[::-1], "usage": usage}

    def write(
        self, body: bytes, status: str = "200 OK", kind: str = "application/json", more: str = ""
    ) -> None:
        head = f"HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\n"
        self.transport.write(f"{head}{more}\r\n".encode() + body)

    def status(self, status: str, message: str, code: str = "", more: str = "") -> None:
        told = {"error": {"message": message, "type": "error", "code": code}}
        self.write(json.dumps(told).encode(), status, more=more)


Fault = Callable[[_Talk, Json, str, str], None]


def _billed_fault(talk: _Talk, body: Json, text: str, fault: str) -> None:
    """Answers that were made, and paid, and then spoilt."""
    whole = talk.completion(body, text)
    if "data" in whole:
        _spoilt_vectors(talk, whole, fault)
        return
    choice = whole["choices"][0]
    if fault == "empty_choices":
        whole["choices"] = []
    elif fault == "content_filter":
        choice |= {"finish_reason": "content_filter"}
        choice["message"]["content"] = ""
    elif fault == "wrong_model":
        whole["model"] = "another-model"
    elif fault == "dated_model":
        whole["model"] += "-2025-06-01"
    elif fault == "no_usage":
        del whole["usage"]
    elif fault == "truncated":
        choice["finish_reason"] = "length"
    elif fault == "no_finish":
        choice["finish_reason"] = None
    elif fault == "wrong_shape":
        choice["message"] = [1, 2]
    elif fault == "no_logprobs":
        choice.pop("logprobs", None)
    elif fault == "key_in_answer":
        choice["message"]["content"] = f"you sent {talk.server.headers['authorization']}"
    sent = json.dumps(whole).encode()
    if fault == "wrong_json":
        talk.write(sent[:-9] + b'"oops": }')
    elif fault == "half_closed":
        head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(sent)}"
        talk.transport.write(f"{head}\r\n\r\n".encode() + sent[:40])
        talk.transport.close()
    elif fault == "cut_chunks":
        head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked"
        talk.transport.write(f"{head}\r\n\r\n28\r\n".encode() + sent[:40] + b"\r\n")
        talk.transport.close()
    elif fault == "half_then_silence":
        head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(sent)}"
        talk.transport.write(f"{head}\r\n\r\n".encode() + sent[:40])
    elif fault == "packed":
        talk.write(gzip.compress(sent), more="content-encoding: gzip\r\n")
    elif fault == "closed":
        talk.transport.close()
    else:
        talk.write(sent)


def _spoilt_vectors(talk: _Talk, whole: Json, fault: str) -> None:
    rows = whole["data"]
    if fault == "one_missing":
        rows.pop()
    elif fault == "one_twice":
        rows[0] |= {"index": rows[-1]["index"]}
    elif fault == "one_longer":
        rows[0]["embedding"].append(1.0)
    elif fault == "not_finite":
        rows[0]["embedding"][0] = 1e39
    elif fault == "wrong_model":
        whole["model"] = "another-model"
    talk.write(json.dumps(whole).encode())


def _html(talk: _Talk, body: Json, text: str, fault: str) -> None:
    status = "502 Bad Gateway" if fault == "html_502" else "200 OK"
    talk.write(b"<html><body>Bad gateway</body></html>", status, "text/html")


def _rate_limit(talk: _Talk, body: Json, text: str, fault: str) -> None:
    wait = talk.server.retry_after
    if fault == "rate_limit_date":
        wait = formatdate(time() + 2, usegmt=True)
    talk.status("429 Too Many Requests", "slow down", more=f"retry-after: {wait}\r\n")


def _endless(talk: _Talk, body: Json, text: str, fault: str) -> None:
    head = (
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99999999999\r\n\r\n"
    )
    talk.transport.write(head.encode())

    def more() -> None:
        if not talk.transport.is_closing():
            if talk.transport.get_write_buffer_size() < 1 << 22:
                talk.transport.write(b" " * (1 << 20))
            talk.loop.call_later(0.001, more)

    more()


def _plain(status: str, message: str, code: str = "", more: str = "") -> Fault:
    return lambda talk, body, text, fault: talk.status(status, message, code, more)


REFUSALS: dict[str, Fault] = {
    "rate_limit": _rate_limit,
    "rate_limit_date": _rate_limit,
    "rate_limit_silent": _plain("429 Too Many Requests", "slow down"),
    "quota": _plain("429 Too Many Requests", "no money", "insufficient_quota"),
    "error_500": _plain("500 Internal Server Error", "oops"),
    "error_503": _plain("503 Service Unavailable", "busy"),
    "error_400": _plain("400 Bad Request", "no such parameter"),
    "error_404": _plain("404 Not Found", "no such model"),
    "error_413": _plain("413 Content Too Large", "too long"),
    "filter_400": _plain("400 Bad Request", "not allowed", "content_filter"),
    "redirect": _plain("307 Moved", "moved", more="location: http://127.0.0.1:1/\r\n"),
    "error_in_200": _plain("200 OK", "upstream failed"),
    "key_in_error": lambda talk, body, text, fault: talk.status(
        "401 Unauthorized", f"wrong key: {talk.server.headers['authorization']}\nforged=line"
    ),
    "html_200": _html,
    "html_502": _html,
    "endless": _endless,
}
"""Answers that are not billed; all other faults are."""


def _last_text(body: Json) -> str:
    if "input" in body:
        return "|".join(body["input"])
    content = body["messages"][-1]["content"]
    if isinstance(content, str):
        return content
    return " ".join(part["text"] for part in content if part["type"] == "text")


async def _serve(delay: float) -> None:
    async with LlmServer(delay=delay).running() as server:
        sys.stdout.write(f"{server.port}\n")
        sys.stdout.flush()
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--delay", type=float, default=0.0)
    asyncio.run(_serve(parser.parse_args().delay))
