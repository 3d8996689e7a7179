"""The mini world, built once a session: drawing is what takes time."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from hopsight.wiki.mini import DATA_DIR
from hopsight.wiki.mini.build import build
from hopsight.wiki.mini.draw import Picture, draw_all


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Picture]]:
    """The folder of a world built from the committed tables, and its pictures."""
    folder = tmp_path_factory.mktemp("world")
    pictures: list[Picture] = []

    def draw(data_dir: Path, out_dir: Path) -> Sequence[Picture]:
        pictures.extend(draw_all(data_dir, out_dir))
        return pictures

    build(DATA_DIR, folder, draw)
    return folder, pictures


@pytest.fixture(scope="session")
def drawn(built: tuple[Path, list[Picture]]) -> tuple[Path, list[Picture]]:
    """The folder of the drawn pictures, and the pictures."""
    folder, pictures = built
    return folder / "pictures", pictures
