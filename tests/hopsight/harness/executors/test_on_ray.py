"""What of the Ray executor runs without Ray; the rest is in tests/services/test_ray.py."""

import asyncio
import importlib
from pathlib import Path
from typing import Any

import pytest

from hopsight.budget import BudgetExceeded
from hopsight.errors import ConfigError
from hopsight.harness.executors import OnRay
from hopsight.harness.executors.base import Fault
from hopsight.harness.executors.on_ray import _Actor
from hopsight.store import Journal
from tests.hopsight.harness.executors.echo import Echo


async def acted(work: Echo, mark: Path, item: str) -> tuple[Any, Any]:
    """Where an actor says that it is, and what it gives for an item."""
    actor = _Actor(work, mark)
    where = await actor.open()
    if isinstance(where, Fault):
        return where, None
    given = await actor.do(item)
    await actor.close()
    return where, given


def test_an_actor_that_sees_the_folder_writes_there_and_another_gives_the_record_back(
    tmp_path: Path,
) -> None:
    shared, other = tmp_path / "shared", tmp_path / "other"
    shared.mkdir()
    (shared / "mark").touch()
    work = Echo(tmp_path)
    where, given = asyncio.run(acted(work, shared / "mark", "plain:1"))
    assert (where.startswith("pid "), given) == (True, None)
    assert Journal(shared).load() == {"key of plain:1": b"plain:1 done"}
    _, given = asyncio.run(acted(work, other / "mark", "plain:1"))
    assert given == b"plain:1 done"
    assert not other.exists()
    assert len(work.notes("closed")) == 2


def test_an_actor_tells_what_went_wrong(tmp_path: Path) -> None:
    _, fault = asyncio.run(acted(Echo(tmp_path), tmp_path / "mark", "refuse:1"))
    assert type(fault.error) is BudgetExceeded
    fault, _ = asyncio.run(acted(Echo(tmp_path, closed=True), tmp_path / "mark", "plain:1"))
    assert str(fault.error) == "the index is missing — build it"


def test_without_ray_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(ConfigError, match=r"pip install 'hopsight\[ray\]'"):
        OnRay(1).run(["a"], Echo(tmp_path), Journal(tmp_path), lambda: None)


def test_counts_below_one_are_refused() -> None:
    with pytest.raises(ConfigError, match="0 workers"):
        OnRay(0)
