"""The system's browser, and a small round for what takes longer than `make test` has."""

import importlib
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from tests.loop.fixtures import small_dump, small_round

__all__ = ["chromium", "small_dump", "small_round"]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """The system's Chromium, which is told to call nobody.

    For one module: the driver's event loop occupies the thread, and other tests need their own.
    """
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    assert path is not None, "Chromium is missing: run tests/services/run, which installs it"
    # By name, since the type checker runs where the driver is not installed.
    playwright = importlib.import_module("playwright.sync_api")
    quiet = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=quiet)
        yield browser
        browser.close()
