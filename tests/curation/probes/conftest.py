"""One folder with the atlas's index for all tests of the probes."""

import pytest

from tests.curation import planted


@pytest.fixture(scope="session")
def atlas_home(tmp_path_factory):
    """Search index and pictures of the atlas. Journals go elsewhere."""
    return planted.home(tmp_path_factory.mktemp("atlas"))
