import subprocess
import sys
from pathlib import Path

import pytest

from tests.hopsight.net import bombs
from tests.hopsight.net import far_side as far

ROOT = Path(__file__).parents[3]
MOST_MIB = 64.0


def fetched(answers: dict[str, far.Answer], kind: str) -> dict[str, tuple[float, str]]:
    """By path: mebibytes that the fetch added to its process, and what became of it."""
    with far.serving(answers) as server:
        told = subprocess.run(
            [
                *(sys.executable, "-m", "tests.hopsight.net.fetch_apart"),
                *(str(server.port), kind, *answers),
            ],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )
    rows = [line.split("\t") for line in told.stdout.splitlines()]
    return {path: (float(peak), outcome) for path, peak, outcome in rows}


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_every_encoding_bomb_is_stopped_within_64_mib() -> None:
    answers = bombs.encodings()
    found = fetched(answers, "body")
    assert set(found) == set(answers)
    for path, (peak, outcome) in found.items():
        assert peak <= MOST_MIB, (path, peak, outcome)
        assert outcome.startswith(("BodyRefused", "FetchFailed")), (path, outcome)


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_every_picture_bomb_is_refused_before_its_pixels_are_made() -> None:
    answers = bombs.pictures()
    found = fetched(answers, "picture")
    assert set(found) == set(answers)
    for path, (peak, outcome) in found.items():
        assert outcome.startswith("PictureError"), (path, outcome)
        assert peak <= MOST_MIB, (path, peak, outcome)
