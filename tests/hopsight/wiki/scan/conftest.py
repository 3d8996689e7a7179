"""Scans of small exports, and what they found in a form that tests can compare."""

import pytest

from hopsight.wiki.scan import Scan
from hopsight.wiki.scan.run import scan_files


def links_of(scan):
    """Every link as (source, name of its target), in the order of the scan."""
    found = []
    for part in range(scan.parts):
        names = scan.targets(part)["title"].to_pylist()
        links = scan.links(part)
        pairs = zip(links["source"].to_pylist(), links["target_id"].to_pylist(), strict=True)
        found += [(source, names[target]) for source, target in pairs]
    return found


def pages_of(scan):
    """The rows of all pages, in the order of the scan."""
    return [row for part in range(scan.parts) for row in scan.pages(part).to_pylist()]


def files_of(folder):
    """Every file that a finished scan leaves, by name: its bytes."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "scan.lock"
    }


@pytest.fixture
def scan(export, tmp_path):
    """Scans pages given as to `export`."""

    def run(*pages, **options):
        path = export(
            *pages, **{key: options.pop(key) for key in ("namespaces",) if key in options}
        )
        scan_files([path], tmp_path / "scan", **options)
        return Scan.open(tmp_path / "scan")

    return run


@pytest.fixture
def targets(scan):
    """The names of the targets of one page's links."""
    return lambda text, **options: [name for _, name in links_of(scan(("Page", text), **options))]
