"""Countries and leads: which article belongs to which country."""

import json

import pytest

from examples.monuments.countries import read_countries
from examples.monuments.leads import plain, read_leads
from hopsight.errors import SourceError


def leads(**described):
    rows = {
        title: {"title": title, "extract": f"{title} is told of.", "description": description}
        for title, description in described.items()
    }
    return read_leads(json.dumps(rows).encode())


def row(code, name, **more):
    given = {
        "name": {"common": name, "official": f"Republic of {name}"},
        "cca3": code,
        "area": 10,
        "region": "Asia",
    }
    return given | more


def countries(rows, known):
    return {each.title: each for each in read_countries(json.dumps(rows).encode(), known)}


def test_a_lead_about_something_else_is_not_the_country():
    known = leads(Georgia="U.S. state", **{"Georgia (country)": "Country in the Caucasus"})
    found = countries([row("GEO", "Georgia")], known)
    assert list(found) == ["Georgia (country)"]
    assert "Georgia" in found["Georgia (country)"].names
    none = countries([row("AAA", "Pear")], leads(Pear="Fruit"))
    assert none["Pear"].lead is None


def test_a_capital_has_its_lead_only_if_that_tells_of_the_country():
    known = leads(Lima="Capital of Peru", Male="Sex of an organism", Bern="City in Ohio")
    rows = [
        row("PER", "Peru", capital=["Lima"]),
        row("MDV", "Maldives", capital=["Malé"]),
        row("CHE", "Switzerland", capital=["Bern"]),
    ]
    found = countries(rows, known)
    assert found["Peru"].capitals[0].lead == known.by_title["Lima"]
    assert [found[name].capitals[0].title for name in ("Maldives", "Switzerland")] == [
        "Malé, Maldives",
        "Bern, Switzerland",
    ]


def test_capitals_of_one_name_are_told_apart_and_a_city_state_has_none():
    rows = [
        row("JAM", "Jamaica", capital=["Kingston"]),
        row("NFK", "Norfolk Island", capital=["Kingston"]),
        row("SGP", "Singapore", capital=["Singapore"]),
    ]
    found = countries(rows, leads())
    assert found["Jamaica"].capitals[0].title == "Kingston, Jamaica"
    assert found["Norfolk Island"].capitals[0].title == "Kingston, Norfolk Island"
    assert found["Singapore"].capitals == ()


def test_other_names_that_two_countries_share_are_dropped():
    rows = [
        row("AAA", "Alund", altSpellings=["AL", "Common Land", "Älund"]),
        row("BBB", "Boria", altSpellings=["Common Land", "Борія"]),
    ]
    found = countries(rows, leads())
    assert found["Alund"].names == ("Republic of Alund", "Älund")
    assert found["Boria"].names == ("Republic of Boria",)


def test_what_the_table_leaves_open_stays_empty():
    rows = [
        row("AAA", "Alund", region="Americas", subregion="Caribbean"),
        row("BBB", "Boria", idd={"root": "+1", "suffixes": ["2", "3"]}),
        row("CCC", "Cesta", demonyms={"eng": {"f": "Cestan", "m": "Cest"}}),
        row("DDD", "Iceland", region="Antarctic"),
    ]
    found = countries(rows, leads())
    assert set(found) == {"Alund", "Boria", "Cesta"}
    assert found["Alund"].continent == ""
    assert found["Boria"].calling_code == ""
    assert found["Cesta"].demonym == ""


@pytest.mark.parametrize("data", [b"", b"[1]", b'[{"name": "x"}]'])
def test_another_shape_of_table_is_a_clear_error(data):
    with pytest.raises(SourceError, match="not as expected"):
        read_countries(data, leads())
    with pytest.raises(SourceError, match="not as expected"):
        read_leads(data)


def test_spellings_that_read_alike_are_found_unless_two_titles_do():
    known = leads(**{"Washington, D.C.": "Capital", "Sanaa": "Capital", "Malé": "A", "Male": "B"})
    assert known.find("Washington D.C.") == known.by_title["Washington, D.C."]
    assert known.find("Sana'a") == known.by_title["Sanaa"]
    assert known.find("Malè") is None
    assert plain("São Tomé") == "sao tome"
