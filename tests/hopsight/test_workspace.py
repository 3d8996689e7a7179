from pathlib import Path

import pytest

from hopsight.errors import ConfigError
from hopsight.workspace import DATA_VARIABLE, Workspace


def test_a_file_in_the_place_of_the_data_folder_is_told_with_the_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").write_text("x")
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path / "data"))
    with pytest.raises(ConfigError, match=DATA_VARIABLE):
        Workspace.from_environment()


def test_without_a_variable_data_lie_in_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(DATA_VARIABLE, raising=False)
    assert Workspace.from_environment().root == tmp_path / "data"
