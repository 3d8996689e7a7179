"""Files that a round names and that are not there stop it before it begins."""

import pytest
import yaml

from assets.named_files import check_named_files
from hopsight.config import RoundConfig
from hopsight.errors import ConfigError
from tests.loop.fixtures import SMALL_CONFIGURATION
from tests.loop.place import ROUND, failures, make_round, with_world_of
from tests.pipelines.told import told_in_one_line

NAMED = [
    ({"refine": {"imported": {"files": ["gone.jsonl"]}}}, "refine.imported.files names gone.jsonl"),
    ({"curate": {"benchmarks": ["gone.csv"]}}, "curate.benchmarks names gone.csv"),
]


@pytest.mark.parametrize(("values", "told"), NAMED)
def test_a_named_file_must_be_there(values, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    config = RoundConfig.model_validate(values)
    with pytest.raises(ConfigError, match="name a file that exists") as caught:
        check_named_files(config)
    assert told in str(caught.value)
    name = told.split()[-1]
    (tmp_path / name).mkdir()
    with pytest.raises(ConfigError, match="no such file"):
        check_named_files(config)
    (tmp_path / name).rmdir()
    (tmp_path / name).touch()
    check_named_files(config)


def test_a_folder_of_pictures_must_be_one(tmp_path):
    for name, there in ((tmp_path, True), (tmp_path / "gone", False)):
        imported = {"pictures": str(name)}
        config = RoundConfig.model_validate({"refine": {"imported": imported}})
        if there:
            check_named_files(config)
        else:
            with pytest.raises(ConfigError, match="name a folder that exists"):
                check_named_files(config)


def test_a_name_that_no_file_can_have_is_none_that_exists():
    config = RoundConfig.model_validate({"curate": {"benchmarks": ["a" * 900]}})
    with pytest.raises(ConfigError, match="name a file that exists"):
        check_named_files(config)


def test_a_round_that_names_a_missing_file_does_not_begin(small_round, small_dump, tmp_path):
    values, told = NAMED[0]
    configuration = SMALL_CONFIGURATION.format(folder=small_dump)
    known = yaml.safe_load(configuration)
    place = with_world_of(small_round, tmp_path / "own", yaml.safe_dump(known | values))
    (failure,) = failures(make_round(place, only=["round_config"])).values()
    assert told in failure
    assert "name a file that exists" in failure
    assert not place.store.exists("round_configs", ROUND)
    assert told in told_in_one_line(place.run("check"))
