import dagster as dg
import pytest

from assets.workspace import PARTITIONS, WorkspaceResource
from hopsight.datasets import DATASETS, asset_of
from hopsight.stages import ROUND_STAGES, SNAPSHOT_STAGES
from pipelines.definitions import definitions

GROUPS = {
    "evolution": "round_config",
    "wiki": "wiki_scan link_graph wiki_snapshot search_index",
    "paths": "seed_entities link_paths",
    "questions": "canonical_questions fuzzed_questions grounded_questions",
    "refine": "imported_seeds linked_questions expanded_questions blurred_questions "
    "visualized_questions refined_questions",
    "filtering": "distinct_questions probe_results enhancements curated_questions",
    "rollouts": "policy_rollouts teacher_rollouts rollout_verdicts pass_rates",
    "datasets": "teacher_trajectories sft_dataset rl_dataset eval_dataset dataset_card",
}
DEPENDENCIES = {
    "round_config": "",
    "wiki_scan": "",
    "link_graph": "wiki_scan",
    "wiki_snapshot": "link_graph",
    "search_index": "wiki_snapshot",
    "seed_entities": "round_config wiki_snapshot",
    "link_paths": "seed_entities",
    "canonical_questions": "link_paths",
    "fuzzed_questions": "canonical_questions",
    "grounded_questions": "fuzzed_questions",
    "imported_seeds": "round_config wiki_snapshot",
    "linked_questions": "imported_seeds wiki_snapshot",
    "expanded_questions": "grounded_questions linked_questions",
    "blurred_questions": "expanded_questions",
    "visualized_questions": "blurred_questions",
    "refined_questions": "visualized_questions",
    "distinct_questions": "refined_questions",
    "probe_results": "distinct_questions search_index",
    "enhancements": "probe_results search_index",
    "policy_rollouts": "enhancements search_index",
    "teacher_rollouts": "enhancements search_index",
    "rollout_verdicts": "policy_rollouts teacher_rollouts",
    "pass_rates": "rollout_verdicts",
    "curated_questions": "enhancements pass_rates rollout_verdicts",
    "teacher_trajectories": "curated_questions enhancements rollout_verdicts teacher_rollouts",
    "sft_dataset": "teacher_trajectories",
    "rl_dataset": "curated_questions",
    "eval_dataset": "curated_questions",
    "dataset_card": "eval_dataset rl_dataset sft_dataset",
}


@pytest.fixture(scope="module")
def defs(tmp_path_factory):
    """The definitions over an empty workspace."""
    root = tmp_path_factory.mktemp("empty")
    return definitions(WorkspaceResource(data=str(root / "data"), rounds=str(root / "rounds")))


@pytest.fixture(scope="module")
def specs(defs):
    """Asset specs by name."""
    return {spec.key.to_user_string(): spec for spec in defs.resolve_all_asset_specs()}


def test_the_definitions_load(defs):
    dg.Definitions.validate_loadable(defs)


def test_what_the_command_line_of_dagster_loads_is_loadable():
    from pipelines.definitions import defs

    dg.Definitions.validate_loadable(defs)


def test_assets_stand_in_their_groups(specs):
    groups: dict[str, set[str]] = {}
    for name, spec in specs.items():
        groups.setdefault(str(spec.group_name), set()).add(name)
    assert groups == {group: set(names.split()) for group, names in GROUPS.items()}


def test_assets_depend_on_what_they_are_made_from(specs):
    found = {
        name: {dep.asset_key.to_user_string() for dep in spec.deps} for name, spec in specs.items()
    }
    assert found == {name: set(names.split()) for name, names in DEPENDENCIES.items()}


def test_every_asset_but_the_wiki_has_a_partition_per_round(specs):
    for name, spec in specs.items():
        partitioned = spec.partitions_def == PARTITIONS
        assert partitioned != (name in GROUPS["wiki"].split()), name


def test_every_asset_says_what_it_is(specs):
    for name, spec in specs.items():
        assert spec.description, name
        assert len(spec.description) > 30, name
        assert spec.kinds, name


def test_every_data_set_and_every_stage_of_the_funnel_has_its_asset(specs):
    assert {asset_of(name) for name in DATASETS} <= specs.keys()
    assert {*SNAPSHOT_STAGES, *ROUND_STAGES} <= specs.keys()


def test_jobs_run_in_one_process(defs):
    jobs = {job.name: job for job in defs.resolve_all_job_defs() if not job.name.startswith("__")}
    assert set(jobs) >= {"full_round", "quick_round"}
    for name in ("full_round", "quick_round"):
        assert jobs[name].executor_def.name == "in_process"
        assert jobs[name].partitions_def == PARTITIONS
    everything = set(DEPENDENCIES)
    assert {node.name for node in jobs["full_round"].graph.nodes} == everything
    quick = {node.name for node in jobs["quick_round"].graph.nodes}
    assert "grounded_questions" in quick
    assert not quick & {"policy_rollouts", "teacher_rollouts", "sft_dataset"}
