import pytest

from hopsight.types import Domain
from hopsight.wiki.domains import domain_of


@pytest.mark.parametrize(
    ("domain", "kinds"),
    [
        (Domain.PERSON, ["person", "scientist", "royalty", "musical artist"]),
        (Domain.BUILDING, ["building", "bridge", "religious building", "museum"]),
        (
            Domain.LOCATION,
            ["country", "settlement", "river", "mountain", "mountain range", "body of water"],
        ),
        (Domain.ORGANISM, ["organism", "taxobox", "speciesbox"]),
        (Domain.ARTIFACT, ["artwork", "book", "musical composition", "invention", "film"]),
        (None, ["election", "nothing like it"]),
    ],
)
def test_the_infobox_decides_the_domain(domain, kinds):
    assert {domain_of(kind) for kind in kinds} == {domain}


def test_no_infobox_means_no_domain():
    assert domain_of(None) is None
