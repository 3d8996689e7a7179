"""Rivers, lakes and seas are held against the packages' own words."""

import json
from dataclasses import replace

import pytest

from examples.monuments.countries import read_countries
from examples.monuments.leads import Lead, Leads
from examples.monuments.waters import WaterClaim, checked_waters, read_waters, unsupported_water
from hopsight.errors import SourceError

ROWS = [
    {
        "name": {"common": name, "official": name},
        "cca3": code,
        "area": 1,
        "capital": [capital],
        "demonyms": {"eng": {"f": people, "m": people}},
    }
    for name, code, capital, people in (
        ("Alund", "ALU", "Dom", "Alundian"),
        ("Boria", "BOR", "Bor", "Borish"),
        ("Celia", "CEL", "Cel", "Celian"),
    )
]
LEAD = Lead(
    title="Long", extract="The Long, 1,200 km in length, runs past Borish hills to the Sea."
)
TOLD = (
    LEAD,
    Lead(title="Alund", extract="Alund is a country on the Long.", description="Country"),
    Lead(title="Dom", extract="Dom, capital of Alund, is on the Long.", description="Capital city"),
    Lead(title="Sea", extract="A sea."),
)
LEADS = Leads({lead.title: lead for lead in TOLD}, {})
COUNTRIES = read_countries(json.dumps(ROWS).encode(), LEADS)
CLAIM = WaterClaim("Long", "river", ("Alund", "Boria"), ("Dom",), "Sea", "1200", "", ())


def test_the_table_names_each_water_once_and_only_waters_as_mouths():
    claims = read_waters()
    titles = {claim.title for claim in claims}
    assert len(claims) == len(titles) > 100
    assert {claim.mouth for claim in claims if claim.mouth} <= titles
    assert {claim.infobox for claim in claims} == {"river", "body of water"}


def test_a_place_is_held_by_either_text_and_by_what_its_people_are_called():
    assert unsupported_water(CLAIM, LEAD, COUNTRIES, LEADS) == []
    assert [each.claim for each in checked_waters((CLAIM,), COUNTRIES, LEADS)] == [CLAIM]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"countries": ("Celia",)}, "country Celia"),
        ({"countries": ("Nowhere",)}, "country Nowhere"),
        ({"cities": ("Bor",)}, "city Bor"),
        ({"mouth": "Lake"}, "mouth Lake"),
        ({"length_km": "1201"}, "length_km 1201"),
        ({"area_km2": "5"}, "area_km2 5"),
    ],
)
def test_what_no_text_says_is_an_error(changes, told):
    claim = replace(CLAIM, **changes)
    assert unsupported_water(claim, LEAD, COUNTRIES, LEADS) == [told]
    with pytest.raises(SourceError, match=told):
        checked_waters((claim,), COUNTRIES, LEADS)
