"""Claims are held against the packages' own words."""

from dataclasses import replace

import pytest

from examples.monuments.boards import LICENSES, Credit, Monument
from examples.monuments.claims import Checked, bare, checked, read_claims, unsupported
from examples.monuments.leads import Lead, Leads
from hopsight.errors import SourceError

CLAIM = next(claim for claim in read_claims() if claim.key == "wonders/colosseum")
MONUMENT = Monument(
    "wonders/colosseum",
    "Colosseum",
    "The Colosseum or Coliseum stands in Rome.",
    b"",
    "webp",
    Credit("someone", "CC0-1.0", "somewhere"),
)
LEAD = Lead(title="Colosseum", extract="An amphitheatre in Rome, Italy, built from 72 to AD 80.")


def test_the_table_names_every_photograph_once_and_only_known_kinds():
    claims = read_claims()
    assert len(claims) == len({claim.key for claim in claims}) == 49
    assert len({claim.title for claim in claims}) == 49
    assert all(claim.country and claim.infobox for claim in claims)
    assert all(claim.started.isdigit() for claim in claims if claim.started)


def test_what_the_texts_say_is_supported():
    assert unsupported(Checked(CLAIM, MONUMENT, LEAD)) == []


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("city", "Milan"),
        ("country", "Spain"),
        ("started", "7"),
        ("completed", "81"),
        ("height_m", "2"),
        ("kind", "temple"),
        ("title", "Arena"),
        ("names", ("Arena",)),
    ],
)
def test_what_they_do_not_say_is_told(attribute, value):
    told = unsupported(Checked(replace(CLAIM, **{attribute: value}), MONUMENT, LEAD))
    shown = value[0] if isinstance(value, tuple) else value
    assert [each.split(" ")[-1] for each in told] == [shown]


def test_the_country_may_follow_from_the_board_alone():
    claim = replace(CLAIM, key="france/x", country="France")
    assert unsupported(Checked(claim, MONUMENT, LEAD)) == []
    elsewhere = replace(CLAIM, key="india/x", country="France")
    assert unsupported(Checked(elsewhere, MONUMENT, LEAD)) == ["country France"]


def test_a_table_that_does_not_fit_the_photographs_is_an_error():
    leads = Leads({"Colosseum": LEAD}, {})
    (found,) = checked((CLAIM,), (MONUMENT,), leads)
    assert found.lead == LEAD
    with pytest.raises(SourceError, match=r"monuments.csv and the photographs differ"):
        checked((CLAIM,), (), leads)
    with pytest.raises(SourceError, match="completed 81"):
        checked((replace(CLAIM, completed="81"),), (MONUMENT,), leads)


def test_titles_lose_what_only_tells_them_from_namesakes():
    assert bare("Worms, Germany") == "Worms"
    assert bare("Christ the Redeemer (statue)") == "Christ the Redeemer"
    assert set(LICENSES.values()) == {"CC-BY-SA-4.0", "CC0-1.0", "Public domain"}
