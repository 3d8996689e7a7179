"""Assets materialized on an ephemeral instance, over a small wiki of their own."""

import dagster as dg
import pytest

from hopsight.store import round_lock
from hopsight.types import FunnelRow, RoundRecord
from tests.assets.test_definitions import DEPENDENCIES
from tests.loop.fixtures import SMALL_CONFIGURATION
from tests.loop.place import (
    ROUND,
    SNAPSHOT_ASSETS,
    failures,
    make_round,
    with_world_of,
)

FIRST = ("round_config", "seed_entities")


@pytest.fixture
def place(small_round, small_dump, tmp_path):
    """A wiki, and no round."""
    return with_world_of(
        small_round, tmp_path / "own", SMALL_CONFIGURATION.format(folder=small_dump)
    )


@pytest.fixture(scope="module")
def whole(small_round, small_dump, tmp_path_factory):
    """A whole round, and what Dagster was told of it."""
    configuration = SMALL_CONFIGURATION.format(folder=small_dump)
    root = tmp_path_factory.mktemp("whole") / "own"
    place = with_world_of(small_round, root, configuration)
    return place, make_round(place)


def metadata(result):
    """What each asset reported, by name."""
    return {
        event.asset_key.to_user_string(): event.step_materialization_data.materialization.metadata
        for event in result.get_asset_materialization_events()
    }


def test_every_asset_of_a_round_is_materialized(whole):
    _, result = whole
    assert result.success
    assert set(metadata(result)) == set(DEPENDENCIES) - SNAPSHOT_ASSETS


def test_every_asset_reports_what_it_kept_rejected_spent_and_took(whole):
    place, result = whole
    for name, told in metadata(result).items():
        row = place.store.read(f"funnel_{name}", ROUND, FunnelRow)[0]
        assert told["entered"].value == row.entered, name
        assert told["kept"].value == row.kept, name
        assert told["rejected"].value == row.rejected, name
        assert told["seconds"].value >= 0, name
        assert told["cost_usd"].value == 0, name
        if row.rejected:
            table = told["rejected by reason"].value.replace("\\", "")
            for each in row.reasons:
                assert each.reason in table, name
                assert f"{each.count:,}" in table, name


def test_questions_are_shown_with_their_pictures_and_columns(whole):
    told = metadata(whole[1])["grounded_questions"]
    assert "data:image/webp;base64," in told["preview"].value
    columns = {column.name for column in told["dagster/column_schema"].value.columns}
    assert {"id", "text", "answer", "images", "chain_id"} <= columns
    assert told["dagster/row_count"].value == told["kept"].value


def test_a_round_without_a_file_is_refused_in_one_line(place):
    result = make_round(place, only=["round_config"], key="0002")
    (told,) = failures(result).values()
    assert "round 0002 has no configuration" in told
    assert " — " in told
    assert "\n" not in told
    assert not place.store.exists("round_configs", "0002")


def test_a_partition_that_nobody_added_is_refused(place):
    from assets.workspace import WorkspaceResource
    from pipelines.definitions import definitions

    built = definitions(WorkspaceResource(data=str(place.data), rounds=str(place.rounds)))
    job = built.resolve_job_def("full_round")
    with (
        dg.DagsterInstance.ephemeral() as instance,
        pytest.raises(dg.DagsterUnknownPartitionError, match="9999"),
    ):
        job.execute_in_process(partition_key="9999", instance=instance)


def test_what_a_user_can_mend_is_one_failure_with_cause_and_remedy_and_nothing_follows(place):
    assert make_round(place, only=["round_config"]).success
    result = make_round(place, only=["link_paths", "canonical_questions"])
    assert failures(result) == {
        "link_paths": "data set seed_entities of round 0001 does not exist (rounds that do: none)"
        " — materialize the asset seed_entities for round 0001 first"
    }
    failed = [event for event in result.all_events if event.is_step_failure]
    assert len(failed) == 1
    assert metadata(result) == {}
    assert not place.store.exists("canonical_questions", ROUND)


def test_a_configuration_that_changed_within_a_round_is_refused(place):
    assert make_round(place, only=FIRST).success
    before = place.contents()
    path = place.rounds / f"{ROUND}.yaml"
    path.write_text(path.read_text() + "seed: 7\n")

    told = failures(make_round(place, only=["link_paths"]))["link_paths"]
    assert "round 0001 was begun with another configuration — " in told
    assert "hopsight run --round 0001" in told
    assert place.contents() == before

    assert make_round(place, only=[*FIRST, "link_paths"]).success
    assert '"seed":7' in place.store.read("round_configs", ROUND, RoundRecord)[0].config


def test_what_may_be_spent_can_change_within_a_round(place):
    assert make_round(place, only=FIRST).success
    path = place.rounds / f"{ROUND}.yaml"
    path.write_text(path.read_text() + "budget:\n  max_usd: 3.5\n")
    assert make_round(place, only=["link_paths"]).success


def test_another_wiki_than_the_stored_one_is_refused(place):
    place.configure('round: "0001"\n')
    told = failures(make_round(place, only=FIRST))["seed_entities"]
    assert "dump.xml" in told
    assert "materialize wiki_scan" in told


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("  version: later\n", "names dump.xml later"),
        ("  select: {all_below: 1}\n", "were chosen for another configuration"),
    ],
)
def test_a_snapshot_of_another_state_or_choice_is_refused(place, line, told):
    path = place.rounds / f"{ROUND}.yaml"
    path.write_text(path.read_text().replace("source:\n", f"source:\n{line}"))
    assert told in failures(make_round(place, only=FIRST))["seed_entities"]


def test_an_asset_that_another_run_is_making_is_refused(place):
    with round_lock(place.data, f"{ROUND}-round_config"):
        told = failures(make_round(place, only=["round_config"]))["round_config"]
    assert "is in use by" in told
    assert not place.store.exists("round_configs", ROUND)


def test_materializing_an_asset_again_gives_the_same_bytes(place):
    assert make_round(place, only=FIRST).success
    before = place.contents()
    assert make_round(place, only=FIRST).success
    assert place.contents() == before
