import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopsight.config.rounds import ExploreConfig, OrganizeConfig, RoundConfig, fingerprint
from hopsight.errors import ConfigError
from hopsight.steps import DIAGNOSE_TRACE, PROPOSE_PATCH
from hopsight.steps.diagnose_trace import diagnosis_of
from hopsight.steps.propose_patch import (
    Change,
    DiagnosisSummary,
    ProposedChange,
    apply,
    patch_of,
)
from tests.curation import made
from tests.hopsight.steps.samples import state, trace, wrong

CONFIG = RoundConfig()


def change(section, key, value):
    return Change(section=section, key=key, value=value)


def test_a_change_is_applied_to_one_key_alone():
    changed = apply(CONFIG, change("organize", "min_candidates", 4))
    assert changed.organize.min_candidates == 4
    assert changed == CONFIG.model_copy(
        update={"organize": CONFIG.organize.model_copy(update={"min_candidates": 4})}
    )
    assert apply(CONFIG, change("explore", "hops", {"3": 1.0})).explore.hops == {3: 1.0}
    assert apply(CONFIG, change("explore", "paths", 50.0)).explore.paths == 50
    assert apply(CONFIG, change("curate", "rl_share", 0.5)).curate.rl_share == 0.5


@pytest.mark.parametrize(
    ("key", "value", "problem"),
    [
        ("hops", 3, "should be an object"),
        ("hops", {"9": 1.0}, "less than or equal to 8"),
        ("hops", {"three": 1.0}, "valid integer"),
        ("hops", {}, "at least one weight"),
        ("paths", 0, "greater than or equal to 1"),
        ("paths", "480", "valid integer"),
        ("paths", 480, "has that value already"),
        ("model_fields", 1, "does not exist"),
        ("seed", 2, "does not exist"),
    ],
)
def test_a_change_that_the_configuration_does_not_allow_is_refused_with_the_reason(
    key, value, problem
):
    proposed = ProposedChange(reason="r", change=change("explore", key, value))
    assert problem in wrong(PROPOSE_PATCH, state(), proposed)
    with pytest.raises(ConfigError):
        apply(CONFIG, change("explore", key, value))


KEYS = st.sampled_from([*ExploreConfig.model_fields, *OrganizeConfig.model_fields]) | st.text(
    min_size=1, max_size=10
)
WEIGHTS = st.dictionaries(st.text(max_size=3), st.floats(), max_size=3)
VALUES = st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | WEIGHTS


@given(st.sampled_from(["seed_entities", "explore", "organize", "curate"]), KEYS, VALUES)
def test_whatever_passes_the_check_gives_a_valid_configuration(section, key, value):
    proposed = ProposedChange(reason="r", change=change(section, key, value))
    if not wrong(PROPOSE_PATCH, state(), proposed):
        changed = apply(CONFIG, change(section, key, value))
        assert RoundConfig.model_validate_json(changed.model_dump_json()) == changed
        assert fingerprint(changed) != fingerprint(CONFIG)


def by_rule(config=None, **summary):
    item = state(config, **summary)
    found = PROPOSE_PATCH.reference(item)
    assert not wrong(PROPOSE_PATCH, item, found)
    return None if found.change is None else (found.change.key, found.change.value)


def test_the_rules_act_on_what_most_traces_show():
    assert by_rule(scores={"shortcut_leakage": -1.0}) == ("min_candidates", 4)
    key, longer = by_rule(labels={"too_easy": 6})
    assert (key, longer) == ("hops", {"2": 0.286, "3": 0.429, "4": 0.286})
    shorter = by_rule(labels={"too_hard": 6})[1]
    assert shorter["2"] > 0.4 > shorter["3"] > shorter["4"]
    assert by_rule(labels={"good_match": 6}) is None
    assert by_rule(traces=0, labels={"infra_failure": 9}) is None


def test_the_rules_stop_at_the_bounds_of_the_configuration():
    def with_hops(hops):
        return CONFIG.model_copy(update={"explore": ExploreConfig(hops=hops)})

    assert by_rule(with_hops({8: 1.0}), labels={"too_easy": 9}) is None
    assert by_rule(with_hops({1: 1.0}), labels={"too_hard": 9}) is None
    assert by_rule(with_hops({3: 1.0}), labels={"too_hard": 9}) == ("hops", {"2": 0.5, "3": 0.5})
    full = CONFIG.model_copy(update={"organize": OrganizeConfig(min_candidates=10)})
    assert by_rule(full, scores={"shortcut_leakage": -1.0}) is None
    one = CONFIG.model_copy(update={"organize": OrganizeConfig(descriptors_per_node=1)})
    assert by_rule(one, labels={"fake_hard": 9}) == ("descriptors_per_node", 2)


def test_a_summary_counts_lost_traces_under_their_label_alone():
    question = made.grounded().questions.kept[0]
    trajectory = made.trajectory(question, "x")
    diagnoses = [
        diagnosis_of(trajectory, "rl", DIAGNOSE_TRACE.reference(item))
        for item in (trace(), trace(leaks=("a page",)), trace(outcome="infra"))
    ]
    summary = DiagnosisSummary.of(diagnoses)
    assert summary.traces == 2
    assert summary.labels == {"good_match": 2, "infra_failure": 1}
    assert summary.scores["shortcut_leakage"] == -0.5
    assert summary.faults["organize"] == 1
    assert summary.share("good_match") == 1.0


def test_a_patch_is_a_record_of_the_configuration_that_it_changes():
    proposed = ProposedChange(reason="r", change=change("explore", "hops", {"3": 1.0, "2": 0.5}))
    patch = patch_of(CONFIG, proposed)
    assert patch is not None
    assert (patch.config, patch.section, patch.key) == (fingerprint(CONFIG), "explore", "hops")
    assert json.loads(patch.value) == {"2": 0.5, "3": 1.0}
    assert patch_of(CONFIG, ProposedChange(reason="r", change=None)) is None


def test_a_model_is_shown_every_key_that_it_may_change():
    shown = PROPOSE_PATCH.fill(state())["config"]
    assert "explore.hops = " in shown
    for section in ("seed_entities", "explore", "organize", "curate"):
        part = getattr(CONFIG, section)
        assert all(f"{section}.{key} = " in shown for key in type(part).model_fields)
