"""Clients of the application: in this process, and over a port of this machine."""

import asyncio
import base64
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import httpx
import uvicorn

from hopsight.harness.backends import ImageHit, PageHit, PageText

HERE = "http://127.0.0.1:9000"


def client_of(app, **headers: str) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url=HERE, headers=headers, timeout=30)


def text_of(data: bytes) -> str:
    return base64.b64encode(data).decode()


@asynccontextmanager
async def listening(app):
    """The application behind a real port; gives its address."""
    config = uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error", ws="none")
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve())
    try:
        while not server.started:
            await asyncio.sleep(0.01)
            assert not task.done()
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        await task


@dataclass
class Failing:
    """A provider's far side that is down: every search raises what it was given."""

    error: Exception
    offers: frozenset[str] = frozenset(
        {"web_search", "image_search", "visual_search", "visit", "scholar_search", "fetch_image"}
    )
    asked: list[str] = field(default_factory=list)

    async def web_search(self, query: str, k: int) -> list[PageHit]:
        raise self.error

    async def image_search(self, query: str, k: int) -> list[ImageHit]:
        raise self.error

    async def visual_search(self, image: bytes, k: int) -> list[ImageHit]:
        raise self.error

    async def scholar_search(self, query: str, k: int) -> list[PageHit]:
        raise self.error

    async def visit(self, url: str) -> PageText | None:
        raise self.error

    async def fetch_image(self, url: str):
        raise self.error
