"""Everything that enters a stage comes out of it, kept or rejected; nothing is lost in silence."""

import xml.etree.ElementTree as ElementTree

import pytest

from hopsight.datasets import DATASETS, SNAPSHOT_ROUND
from hopsight.stages import ROUND_STAGES, SNAPSHOT_STAGES
from hopsight.types import (
    Alias,
    Difficulty,
    EvidenceChain,
    ExportRow,
    FunnelRow,
    LinkPath,
    Page,
    PageImage,
    PassRate,
    ProbeResult,
    Question,
    Rejection,
    SplitAssignment,
    Trajectory,
    Verdict,
)
from hopsight.wiki.mini import WORLD_XML
from tests.loop.place import ROUND

POLICY_SAMPLES, TEACHER_SAMPLES = 3, 2


@pytest.fixture(scope="module")
def read(mini_round):
    """Reads a data set of the round."""

    def read(name, record_type):
        wiki = name in {"aliases", "pages", "page_images"}
        key = SNAPSHOT_ROUND if wiki else ROUND
        return mini_round.store.read(name, key, record_type)

    return read


@pytest.fixture(scope="module")
def rejected(mini_round):
    """The ids of the records that a stage rejected."""

    def ids(stage):
        rows = mini_round.store.read(f"rejections_{stage}", ROUND, Rejection)
        return {row.record_id for row in rows}

    return ids


def ids(records):
    return {record.id for record in records}


def split_of(read, split):
    assigned = read("split_assignments", SplitAssignment)
    return {each.question_id for each in assigned if each.split == split}


def test_every_page_of_the_export_is_a_page_a_name_or_counted(read, mini_round):
    """The export is read here by another parser."""
    space = "{http://www.mediawiki.org/xml/export-0.11/}"
    entered = ElementTree.parse(WORLD_XML).getroot().findall(f"{space}page")
    pages = {page.title for page in read("pages", Page)}
    names = {alias.name for alias in read("aliases", Alias)} | pages
    names |= {f"File:{image.file}" for image in read("page_images", PageImage)}
    rejections = mini_round.store.read("rejections_wiki_snapshot", SNAPSHOT_ROUND, Rejection)
    told = "\n".join(f"{each.record_id} {each.detail}" for each in rejections)
    lost = []
    for page in entered:
        title = page.findtext(f"{space}title") or ""
        is_article = page.findtext(f"{space}ns") == "0" and page.find(f"{space}redirect") is None
        known = title in pages if is_article else title in names or title in told
        if not known:
            lost.append(page.findtext(f"{space}ns"))
    scan, _, snapshot = (
        mini_round.store.read(f"funnel_{stage}", SNAPSHOT_ROUND, FunnelRow)[0]
        for stage in SNAPSHOT_STAGES
    )
    assert (scan.entered, scan.rejected) == (len(entered), len(lost))
    assert not {"0", "6"} & set(lost)
    assert (snapshot.entered, snapshot.kept) == (len(pages), len(pages))


def test_every_link_in_prose_is_an_edge_or_counted(mini_round):
    row = mini_round.store.read("funnel_link_graph", SNAPSHOT_ROUND, FunnelRow)[0]
    assert row.entered == row.kept + row.rejected
    assert {each.reason for each in row.reasons} == {"link_repeated", "link_to_list"}


def test_every_page_is_a_seed_or_rejected(read, rejected):
    seeds, lost = ids(read("seed_entities", Page)), rejected("seed_entities")
    assert seeds | lost == ids(read("pages", Page))
    assert not seeds & lost


def test_every_seed_starts_a_path_or_is_rejected(read, rejected):
    walked = {path.entities[0] for path in read("link_paths", LinkPath)}
    lost = rejected("link_paths")
    for seed in read("seed_entities", Page):
        assert (seed.page_id in walked) != (seed.id in lost), seed.title


def test_every_path_becomes_a_question_or_is_rejected(read, rejected):
    chains = {chain.id: chain for chain in read("canonical_chains", EvidenceChain)}
    asked = {chains[q.chain_id].path_id for q in read("canonical_questions", Question)}
    lost = rejected("canonical_questions")
    assert asked | lost == ids(read("link_paths", LinkPath))
    assert not asked & lost


@pytest.mark.parametrize(
    ("before", "after", "stage"),
    [
        ("canonical_questions", "fuzzed_questions", "fuzzed_questions"),
        ("fuzzed_questions", "grounded_questions", "grounded_questions"),
    ],
)
def test_every_question_is_rewritten_or_rejected(read, rejected, before, after, stage):
    parents = [question.parent_id for question in read(after, Question)]
    assert len(set(parents)) == len(parents)
    assert set(parents) | rejected(stage) == ids(read(before, Question))
    assert not set(parents) & rejected(stage)


@pytest.mark.parametrize(
    ("before", "after", "stage"),
    [
        ("refined_questions", "distinct_questions", "distinct_questions"),
        ("distinct_questions", "probed_questions", "probe_results"),
        ("enhanced_questions", "curated_questions", "curated_questions"),
    ],
)
def test_every_question_passes_a_filter_or_is_rejected(read, rejected, before, after, stage):
    kept = ids(read(after, Question))
    assert kept | rejected(stage) == ids(read(before, Question))
    assert not kept & rejected(stage)


def test_every_question_is_probed(read):
    probed = {result.question_id for result in read("probe_results", ProbeResult)}
    assert probed == ids(read("distinct_questions", Question))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("grounded_questions", "expanded_questions"),
        ("expanded_questions", "blurred_questions"),
        ("blurred_questions", "visualized_questions"),
        ("visualized_questions", "refined_questions"),
    ],
)
def test_every_question_goes_on_harder_or_as_it_was(read, rejected, before, after):
    came, went = read(before, Question), {each.id: each for each in read(after, Question)}
    replaced = {each.parent_id: each for each in went.values() if each.id not in ids(came)}
    assert len(came) == len(went)
    for question in came:
        assert (question.id in went) != (question.id in replaced)
    assert not rejected(after) & set(replaced)
    assert rejected(after) <= ids(came)


def test_every_question_has_its_difficulty(read):
    rated = {each.question_id for each in read("difficulties", Difficulty)}
    assert rated == ids(read("refined_questions", Question))


def test_every_probed_question_goes_on_with_its_picture_or_a_degraded_one(read):
    probed = ids(read("probed_questions", Question))
    going_on = read("enhanced_questions", Question)
    assert {each.id if each.id in probed else each.parent_id for each in going_on} == probed


@pytest.mark.parametrize(
    ("name", "samples"), [("policy", POLICY_SAMPLES), ("teacher", TEACHER_SAMPLES)]
)
def test_every_question_is_tried_judged_and_rated(read, name, samples):
    questions = ids(read("enhanced_questions", Question))
    rollouts = read(f"{name}_rollouts", Trajectory)
    tried = sorted((each.question_id, each.sample) for each in rollouts)
    assert tried == sorted((each, sample) for each in questions for sample in range(samples))
    verdicts = read(f"{name}_verdicts", Verdict)
    assert sorted(each.trajectory_id for each in verdicts) == sorted(ids(rollouts))
    policy = rollouts[0].policy
    rates = {r.question_id: r for r in read("pass_rates", PassRate) if r.policy == policy}
    assert set(rates) == questions
    for verdict_question, rate in rates.items():
        own = [each for each in verdicts if each.question_id == verdict_question]
        assert rate.n == samples == len(own)
        assert rate.correct == sum(each.outcome == "correct" for each in own)


def test_every_curated_question_has_one_split(read):
    assigned = [each.question_id for each in read("split_assignments", SplitAssignment)]
    assert sorted(assigned) == sorted(ids(read("curated_questions", Question)))


def test_every_sft_question_has_a_trace_or_is_rejected(read, rejected):
    traced = {each.question_id for each in read("teacher_trajectories", Trajectory)}
    assert traced | rejected("teacher_trajectories") == split_of(read, "sft")
    assert not traced & rejected("teacher_trajectories")


def test_every_trace_and_rl_question_is_a_row_or_rejected(read, rejected):
    sft = {row.trajectory_id for row in read("sft_rows", ExportRow)}
    assert sft | rejected("sft_dataset") == ids(read("teacher_trajectories", Trajectory))
    rl = {row.question_id for row in read("rl_rows", ExportRow)}
    assert rl | rejected("rl_dataset") == split_of(read, "rl")


ATTEMPTS = {"expanded_questions", "blurred_questions", "visualized_questions"}
"""Stages that reject attempts: every question goes on, harder or as it was."""


def test_the_funnel_tells_the_data_sets_sizes(mini_round):
    store = mini_round.store
    for stage in ROUND_STAGES:
        row = store.read(f"funnel_{stage}", ROUND, FunnelRow)[0]
        if stage in ATTEMPTS:
            assert row.entered == row.kept, stage
        else:
            assert row.entered == row.kept + row.rejected, stage
        rejections = store.read(f"rejections_{stage}", ROUND, Rejection)
        assert row.rejected == len(rejections), stage
        assert {each.stage for each in rejections} <= {stage}
        assert all(each.reason for each in rejections)
        kept_in = {"probe_results": "probed_questions"}.get(stage, stage)
        if kept_in in DATASETS:
            assert row.kept == store.manifest(kept_in, ROUND).rows, stage


def test_no_stage_is_left_out_of_the_funnel(mini_round):
    made = {name.removeprefix("funnel_") for name in mini_round.store.names() if "funnel_" in name}
    told_elsewhere = {"round_config", "search_index", "pass_rates", "dataset_card"}
    assert made == set(ROUND_STAGES) | set(SNAPSHOT_STAGES) | told_elsewhere
