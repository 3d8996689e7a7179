from pathlib import Path

import numpy as np
import pytest

from hopsight.errors import StoreError
from hopsight.search import vectors as v
from hopsight.search.vectors import VectorIndex


def unit(count: int, length: int = 16, seed: int = 1) -> v.Vectors:
    made = np.random.default_rng(seed).normal(size=(count, length)).astype(np.float32)
    return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True), np.float32)


def test_the_nearest_vectors_are_found_best_first(tmp_path: Path) -> None:
    base = unit(300)
    index = VectorIndex.build(base, "e1", tmp_path)
    for row, answer in zip((3, 77), index.search(base[[3, 77]], 5), strict=True):
        dots = base @ base[row]
        assert [found for found, _ in answer] == np.argsort(-dots)[:5].tolist()
        assert answer[0][1] == pytest.approx(1.0, abs=1e-4)


def test_many_vectors_go_to_inverted_lists_and_are_still_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(v, "IVF_FROM", 1000)
    base = unit(4000)
    index = VectorIndex.build(base, "e1", tmp_path)
    assert (tmp_path / "vectors.faiss").stat().st_size < 4000 * 16 * 4 * 0.6
    found = [answer[0][0] for answer in index.search(base[:200], 1)]
    assert np.mean(np.array(found) == np.arange(200)) > 0.98


def test_an_index_of_another_embedder_is_refused(tmp_path: Path) -> None:
    VectorIndex.build(unit(3), "clip-a", tmp_path)
    with pytest.raises(StoreError, match=r"'clip-a', not by 'clip-b'"):
        VectorIndex.open(tmp_path, "clip-b")


def test_a_missing_or_cut_index_names_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="again"):
        VectorIndex.open(tmp_path, "e1")
    VectorIndex.build(unit(30), "e1", tmp_path)
    (tmp_path / "vectors.faiss").write_bytes(b"IxFI")
    with pytest.raises(StoreError, match="again"):
        VectorIndex.open(tmp_path, "e1")


def test_vectors_that_are_not_of_length_one_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="length 1"):
        VectorIndex.build(unit(3) * 2, "e1", tmp_path)


def test_an_empty_index_and_no_hits_asked_for_answer_nothing(tmp_path: Path) -> None:
    empty = VectorIndex.build(np.zeros((0, 16), np.float32), "e1", tmp_path / "a")
    assert empty.search(unit(1), 3) == [[]]
    assert VectorIndex.build(unit(5), "e1", tmp_path / "b").search(unit(1), 0) == [[]]
