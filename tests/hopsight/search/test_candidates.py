from pathlib import Path

import numpy as np
import pytest

from hopsight.errors import StoreError
from hopsight.search import candidates as c
from hopsight.search.candidates import Candidates, write_codes

ROWS = 60
EACH = 40
OFFSETS = np.arange(0, ROWS * EACH + 1, EACH, dtype=np.int64)


def descriptors() -> np.ndarray:
    """Unit-sum random histograms, as RootSIFT: square roots times 255."""
    raw = np.random.default_rng(1).gamma(0.4, size=(ROWS * EACH, 128))
    root = np.sqrt(raw / raw.sum(axis=1, keepdims=True))
    return np.asarray(np.rint(root * 255), np.uint8)


DESCRIPTORS = descriptors()


def near(row: int) -> np.ndarray:
    noise = np.random.default_rng(row).integers(-4, 5, size=(EACH, 128))
    own = DESCRIPTORS[row * EACH : (row + 1) * EACH].astype(int)
    return np.clip(own + noise, 0, 255).astype(np.uint8)


@pytest.fixture
def few_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(c, "EXACT_BELOW", 1000)


def test_features_vote_for_the_picture_they_come_from(tmp_path: Path) -> None:
    votes = Candidates(DESCRIPTORS, OFFSETS, tmp_path).votes(near(7))
    assert votes.argmax() == 7
    assert votes[7] > EACH * 0.9


@pytest.mark.usefixtures("few_are_enough")
def test_codes_propose_what_comparing_all_finds(tmp_path: Path) -> None:
    write_codes(DESCRIPTORS, tmp_path)
    coded = Candidates(DESCRIPTORS, OFFSETS, tmp_path)
    for row in (0, 31, ROWS - 1):
        votes = coded.votes(near(row))
        assert votes.argmax() == row
        assert votes[row] > EACH * 0.8


@pytest.mark.usefixtures("few_are_enough")
def test_a_picture_gets_one_vote_of_a_feature_however_often_it_shows_it(tmp_path: Path) -> None:
    repeated = DESCRIPTORS.copy()
    repeated[:EACH] = repeated[0]
    write_codes(repeated, tmp_path)
    assert Candidates(repeated, OFFSETS, tmp_path).votes(repeated[:1])[0] == 1


@pytest.mark.usefixtures("few_are_enough")
def test_equal_descriptors_give_equal_codes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        write_codes(DESCRIPTORS, tmp_path / name)
    one, two = ((tmp_path / name / c.FILE).read_bytes() for name in "ab")
    assert one == two


@pytest.mark.usefixtures("few_are_enough")
def test_missing_or_foreign_codes_name_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="again"):
        Candidates(DESCRIPTORS, OFFSETS, tmp_path)
    write_codes(DESCRIPTORS[: ROWS * EACH // 2], tmp_path)
    with pytest.raises(StoreError, match="1200 codes for 2400"):
        Candidates(DESCRIPTORS, OFFSETS, tmp_path)
