"""A claim that two things have to do with each other needs a sentence that names both."""

from hopsight.steps.verify_hop import HopClaim, reference
from hopsight.unique import LINKED


def verdict(sentence: str) -> str:
    claim = HopClaim(
        source="Ulm",
        source_names=(),
        statement="Ulm has to do with Danube.",
        attribute=LINKED,
        target="Danube",
        target_names=(),
        sentence=sentence,
    )
    return reference(claim).verdict


def test_a_sentence_that_names_both_supports_it():
    assert verdict("Ulm lies on the Danube.") == "supported"


def test_a_sentence_that_names_one_does_not():
    assert verdict("Ulm lies on a river.") == "not_supported"
