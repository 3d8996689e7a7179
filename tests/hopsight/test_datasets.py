"""The list of data sets."""

import pytest

from hopsight.datasets import DATASETS, asset_of, family_of, record_type
from hopsight.errors import StoreError
from hopsight.provenance import ProvenanceRow
from hopsight.types import Question, Rejection


def test_a_name_leads_to_its_record_type() -> None:
    assert record_type("curated_questions") is Question
    assert record_type("rejections_link_paths") is Rejection
    assert record_type("provenance_link_paths") is ProvenanceRow


def test_an_unknown_name_is_told_with_the_nearest() -> None:
    with pytest.raises(StoreError, match="did you mean curated_questions"):
        record_type("curated_question")
    with pytest.raises(StoreError, match="one of snapshots, pages, links"):
        record_type("xyz")


def test_only_families_have_members() -> None:
    assert family_of("rejections_paths") == "rejections"
    assert all(family_of(name) is None for name in [*DATASETS, "rejections", "provenance"])


def test_remedies_name_the_asset_that_makes_a_data_set() -> None:
    assert asset_of("facts") == "wiki_snapshot"
    assert asset_of("link_paths") == "link_paths"
    assert asset_of("rejections_fuzzed_questions") == "fuzzed_questions"
