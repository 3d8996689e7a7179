"""A fake wiki, and crawls of it."""

import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hopsight.wiki.api import ApiSource, CrawlFiles, crawl
from tests.hopsight.wiki.api.fake_wiki import BASE, FakeWiki

Crawl = Callable[..., CrawlFiles]


def source(*seeds: str, **more: Any) -> ApiSource:
    return ApiSource(base_url=BASE, contact="us@example.org", seeds=seeds or ("A",), **more)


def cases(files: CrawlFiles) -> set[tuple[str, str]]:
    """Reason and subject of every rejection."""
    rows = map(json.loads, files.rejections.read_text().splitlines())
    return {(row["reason"], row["subject"]) for row in rows}


@pytest.fixture
def wiki() -> FakeWiki:
    return FakeWiki()


@pytest.fixture
def waits() -> list[float]:
    """The pauses that a crawl made, in seconds."""
    return []


@pytest.fixture
def run(wiki: FakeWiki, waits: list[float], tmp_path: Path) -> Crawl:
    """Crawls the fake wiki from seeds, into the folder `into` of this test."""

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    def start(*seeds: str, into: str = "crawl", refresh: bool = False, **more: Any) -> CrawlFiles:
        return crawl(
            source(*seeds, **more),
            tmp_path / into,
            refresh=refresh,
            transport=wiki.transport,
            sleep=sleep,
        )

    return start


@pytest.fixture
def unused_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
