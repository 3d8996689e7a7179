"""`hopsight dev` as a newcomer meets it: the page, a round made by clicking, and what goes wrong.

The tests of this file share one UI and go from top to bottom.
"""

import hashlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.services.newcomer import LOCATION, RUN_S, Site, Ui, await_end

PATHS = 40
GROUPS = ("wiki", "paths", "questions", "filtering", "rollouts", "datasets", "evolution")
ADD_PARTITION = """
mutation Add($repository: RepositorySelector!, $key: String!) {
  addDynamicPartition(
    repositorySelector: $repository, partitionsDefName: "evolution_round", partitionKey: $key
  ) { __typename }
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    return Site(tmp_path_factory.mktemp("newcomer")).prepare(PATHS)


@pytest.fixture(scope="module")
def ui(site: Site) -> Iterator[Ui]:
    started = Ui(site)
    yield started
    started.kill_all()


@pytest.fixture
def page(chromium: Any, ui: Ui) -> Iterator[Any]:
    """A page, which must have asked nobody but the UI by the end of the test."""
    opened = chromium.new_page(viewport={"width": 1440, "height": 900})
    opened.set_default_timeout(60_000)
    asked: set[str] = set()
    opened.on("request", lambda request: asked.add(request.url))
    yield opened
    opened.close()
    elsewhere = [url for url in asked if not url.startswith((ui.address, "data:", "blob:"))]
    assert elsewhere == []


def sealed(data: Path) -> dict[str, str]:
    """Hashes of data sets and exports; times and run ids live in provenance alone."""
    files = [*data.glob("datasets/*/**/*"), *data.glob("exports/**/*")]
    return {
        str(path.relative_to(data)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(files)
        if path.is_file() and not path.relative_to(data).parts[1].startswith("provenance_")
    }


def test_the_first_page_shows_the_groups_and_nothing_in_front_of_them(page: Any, ui: Ui) -> None:
    page.goto(f"{ui.address}/asset-groups")
    page.get_by_text("Materialize all").wait_for()
    for group in GROUPS:
        page.get_by_text(group, exact=True).first.wait_for()
    page.wait_for_timeout(2000)  # a window that joins late would be there by now
    assert page.get_by_role("dialog").count() == 0
    assert page.get_by_text("Join the").count() == 0


def test_a_round_made_by_clicking_gives_the_same_bytes_as_the_command(
    page: Any, ui: Ui, site: Site, tmp_path: Path
) -> None:
    apart = Site(tmp_path / "terminal").prepare(PATHS)
    command = apart.start("run", "--round", "0001", log=tmp_path / "run.log")
    page.goto(f"{ui.address}/asset-groups")
    page.get_by_text("Materialize all").click()
    page.get_by_role("button", name="All", exact=True).click()
    page.get_by_role("button", name="Launch 1 run").click()
    page.get_by_text("Launched run").wait_for()
    assert [ui.wait(run) for run in ui.runs()] == ["SUCCESS"]
    assert command.wait(RUN_S) == 0, (tmp_path / "run.log").read_text()
    made = sealed(site.data)
    assert made == sealed(apart.data)
    assert {"exports/round=0001/sft/sft.json", "exports/round=0001/rl/rl.parquet"} <= set(made)
    assert len(made) > 100


def test_an_asset_shows_questions_with_their_pictures(page: Any, ui: Ui) -> None:
    page.goto(f"{ui.address}/assets/grounded_questions?view=events")
    page.get_by_role("row", name="preview").get_by_text("[Show Markdown]").click()
    picture = page.get_by_role("dialog").get_by_role("img", name="picture").first
    picture.wait_for()
    assert picture.evaluate("image => image.complete && image.naturalWidth") > 100
    assert page.get_by_role("dialog").get_by_text("Answer:").count() >= 2


def test_a_quick_round_stops_at_the_questions(ui: Ui) -> None:
    assert ui.wait(ui.launch("quick_round", "0001")) == "SUCCESS"


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("tomorrow", "'tomorrow' is not a round: the name of a round is four digits"),
        ("0002", "round 0002 has no configuration"),
    ],
)
def test_a_wrong_new_round_fails_with_cause_and_remedy(ui: Ui, key: str, told: str) -> None:
    added = ui.ask(ADD_PARTITION, repository=LOCATION, key=key)["addDynamicPartition"]
    assert added["__typename"] == "AddDynamicPartitionSuccess"
    run = ui.launch("full_round", key)
    assert ui.wait(run) == "FAILURE"
    said = ui.failures(run)
    assert said["round_config"].startswith("dagster._core.definitions.events.Failure: ")
    assert told in said["round_config"]
    assert " — " in said["round_config"]


def test_a_second_ui_on_the_same_port_is_refused(ui: Ui, site: Site, tmp_path: Path) -> None:
    second = site.start("dev", "--port", str(ui.port), log=tmp_path / "second.log")
    assert second.wait(60) == 1
    told = (tmp_path / "second.log").read_text()
    assert f"the UI cannot listen on 127.0.0.1:{ui.port}" in told
    assert "--port" in told


def test_an_env_file_that_contradicts_the_environment_is_told(tmp_path: Path) -> None:
    site = Site(tmp_path).prepare(PATHS)
    (tmp_path / ".env").write_text("DAGSTER_HOME=${PWD}\n")
    refused = site.start("dev", log=tmp_path / "dev.log")
    assert refused.wait(60) == 1
    told = (tmp_path / "dev.log").read_text()
    assert f"DAGSTER_HOME is {site.home} in the environment and {tmp_path} in" in told


def test_ctrl_c_ends_the_ui_and_all_that_it_started(ui: Ui) -> None:
    assert ui.stop() == 0
    await_end(ui.process.pid)


def test_a_run_that_was_killed_with_everything_is_told_and_can_be_launched_again(
    tmp_path: Path,
) -> None:
    site = Site(tmp_path).prepare(PATHS)
    first = Ui(site)
    run = first.launch("quick_round", "0001")
    await_files(site.data / "datasets", first)
    first.kill_all()
    second = Ui(site)
    try:
        assert f"quick_round of round 0001 ({run[:8]}) was killed" in second.said
        assert second.runs() == {run: "FAILURE"}
        assert "killed before it could report" in second.failures(run)[""]
        assert second.wait(second.launch("quick_round", "0001")) == "SUCCESS"
    finally:
        second.kill_all()


def await_files(folder: Path, ui: Ui) -> None:
    """Wait until the first stage has written something."""
    deadline = time.monotonic() + 120
    while not folder.exists():
        assert time.monotonic() < deadline, ui.said
        time.sleep(0.1)
