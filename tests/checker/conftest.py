import pytest

from tests.checker.small_world import write_world
from tests.checker.world import World, read_world


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return read_world(*write_world(tmp_path_factory.mktemp("world")))
