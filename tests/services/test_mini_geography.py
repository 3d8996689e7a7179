"""The countries of the mini world, compared with a list of countries that others keep.

HOPSIGHT_WORLD_COUNTRIES names the folder of the unpacked npm package world-countries 5.1.0.
Every difference must be one of the exceptions below, exactly; every exception must still differ.
"""

import csv
import json
import os
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).parents[2] / "hopsight" / "wiki" / "mini" / "data"
VARIABLE = "HOPSIGHT_WORLD_COUNTRIES"
VERSION = "5.1.0"
AREA_TOLERANCE = 0.02

Row = Mapping[str, str]
Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Difference:
    """What only our cell says, what only the package says, and why both are left as they are."""

    reason: str
    ours: frozenset[str] = frozenset()
    theirs: frozenset[str] = frozenset()


def differs(reason: str, ours: str = "", theirs: str = "") -> Difference:
    return Difference(reason, _names(ours), _names(theirs))


def _names(cell: str) -> frozenset[str]:
    return frozenset(name for name in cell.split(";") if name)


# The package's spelling -> ours. Neither is an error.
SPELLING = {
    "Dalasi": "Gambian dalasi",
    "Lari": "Georgian lari",
    "Denar": "Macedonian denar",
    "British pound": "Pound sterling",
    "Venezuelan bolívar soberano": "Venezuelan bolívar",
    "Sami": "Sámi",
    "Norwegian Bokmål": "Norwegian",
    "Norwegian Nynorsk": "Norwegian",
    "Southern Sotho": "Sotho",
    "Persian (Farsi)": "Persian",
    "Sorani": "Kurdish",
    "Nauru": "Nauruan",
    "Moldavian": "Romanian",
    "Swiss German": "German",
    "Austro-Bavarian German": "German",
}

CITY_STATE = "a city-state has no capital beside itself"
CITY_SUFFIX = "the city bears the country's name, so its page is called ... City"
CAPITALS = {
    "IDN": differs("the seat is being moved to Nusantara", theirs="Jakarta"),
    "MCO": differs(CITY_STATE, theirs="Monaco"),
    "SGP": differs(CITY_STATE, theirs="Singapore"),
    "VAT": differs(CITY_STATE, theirs="Vatican City"),
    "DJI": differs(CITY_SUFFIX, "Djibouti City", "Djibouti"),
    "LUX": differs(CITY_SUFFIX, "Luxembourg City", "Luxembourg"),
    "GNQ": differs("the seat is being moved to Ciudad de la Paz", theirs="Malabo"),
    "ISR": differs("the capital is disputed", theirs="Jerusalem"),
    "PSE": differs("the capital is disputed", theirs="Ramallah"),
    "LKA": differs("Kotte is the official capital", "Sri Jayawardenepura Kotte", "Colombo"),
    "NRU": differs("no capital is laid down; Yaren is the seat in practice", theirs="Yaren"),
    "SWZ": differs("Mbabane is the seat of government, Lobamba of parliament", ours="Mbabane"),
}

GUIANA = "French Guiana is part of France"
BORDERS = {
    "FRA": differs(GUIANA, ours="Brazil;Suriname"),
    "BRA": differs(GUIANA, ours="France"),
    "SUR": differs(GUIANA, ours="France"),
    "LKA": differs("Sri Lanka is an island without a land border", theirs="India"),
}

SURVEYS_DIFFER = "published areas differ by more than the tolerance"
PARTS_DIFFER = "sources count different parts of the country"
UNSETTLED = "the territory is disputed"
GROWS = "the area grows by land reclamation"
EMPTY_AREAS = {
    "BEN": SURVEYS_DIFFER,
    "TJK": SURVEYS_DIFFER,
    "SSD": UNSETTLED,
    "SDN": UNSETTLED,
    "SYR": UNSETTLED,
    "CHN": UNSETTLED,
    "IND": UNSETTLED,
    "MCO": GROWS,
    "ARE": SURVEYS_DIFFER,
    "VAT": SURVEYS_DIFFER,
    "EGY": SURVEYS_DIFFER,
    "AUS": SURVEYS_DIFFER,
    "GBR": SURVEYS_DIFFER,
    "NLD": PARTS_DIFFER,
    "MDV": SURVEYS_DIFFER,
    "BGD": SURVEYS_DIFFER,
    "CUB": SURVEYS_DIFFER,
    "BHR": GROWS,
    "SGP": GROWS,
    "ECU": SURVEYS_DIFFER,
    "GMB": SURVEYS_DIFFER,
    "PHL": SURVEYS_DIFFER,
    "URY": SURVEYS_DIFFER,
    "YEM": SURVEYS_DIFFER,
    "FRA": PARTS_DIFFER,
    "NOR": PARTS_DIFFER,
    "USA": PARTS_DIFFER,
    "COM": UNSETTLED,
    "ISR": UNSETTLED,
    "MAR": UNSETTLED,
    "PAK": UNSETTLED,
    "PSE": UNSETTLED,
    "SRB": UNSETTLED,
}

# What follows the root in these four is an area code, not a part of the country's code.
AREA_CODES = frozenset({"CAN", "KAZ", "RUS", "USA"})
CALLING_CODES = {
    "JAM": differs("658 was added beside 876", ours="+1658"),
    "VAT": differs("+379 is not in use, calls go through Italy", theirs="+379;+3906698"),
}

OTHER_TENDER = "accepted beside the national currency, not the country's own"
LOCAL_COINS = "local coins of the Australian dollar, not a currency with a code"
CURRENCIES = {
    "BGR": differs("the euro replaced the lev on 1 January 2026", "Euro", "Bulgarian lev"),
    "BHS": differs(OTHER_TENDER, theirs="United States dollar"),
    "CUB": differs("withdrawn in 2021", theirs="Cuban convertible peso"),
    "FSM": differs("missing in the package", ours="United States dollar"),
    "KHM": differs(OTHER_TENDER, theirs="United States dollar"),
    "KIR": differs(LOCAL_COINS, theirs="Kiribati dollar"),
    "TUV": differs(LOCAL_COINS, theirs="Tuvaluan dollar"),
    "PSE": differs(
        "no currency of its own, the cell is empty",
        theirs="Egyptian pound;Israeli new shekel;Jordanian dinar",
    ),
    "ZWE": differs(
        "the currency changes too often, the cell is empty",
        theirs="Botswana pula;Pound sterling;Chinese yuan;Euro;Indian rupee;Japanese yen;"
        "South African rand;United States dollar;Zimbabwean bonds",
    ),
}

REGIONAL = "spoken or recognised, but not an official language of the whole state"
CHANGED = "French lost its rank as official language in 2023 to 2025, the cell is empty"
CUSTOM = "in use by custom, no law makes it official"
LANGUAGES = {
    "AUS": differs(CUSTOM, theirs="English"),
    "DNK": differs(CUSTOM, theirs="Danish"),
    "JAM": differs(CUSTOM, theirs="English;Jamaican Patois"),
    "JPN": differs(CUSTOM, theirs="Japanese"),
    "MUS": differs(CUSTOM, theirs="English;French;Mauritian Creole"),
    "MEX": differs(CUSTOM, theirs="Spanish"),
    "GBR": differs(CUSTOM, theirs="English"),
    "VAT": differs(CUSTOM, theirs="Italian;Latin"),
    "NZL": differs(CUSTOM, theirs="English"),
    "BWA": differs("a national language; the official one is English", theirs="Tswana"),
    "TJK": differs("a language of exchange between peoples, not official", theirs="Russian"),
    "AFG": differs(REGIONAL, theirs="Turkmen"),
    "ARG": differs(REGIONAL, theirs="Guaraní"),
    "AZE": differs(REGIONAL, theirs="Russian"),
    "BLZ": differs(REGIONAL, theirs="Belizean Creole;Spanish"),
    "COD": differs(REGIONAL, theirs="Kikongo;Lingala;Swahili;Tshiluba"),
    "COG": differs(REGIONAL, theirs="Kikongo;Lingala"),
    "CZE": differs(REGIONAL, theirs="Slovak"),
    "GNB": differs(REGIONAL, theirs="Upper Guinea Creole"),
    "IND": differs(REGIONAL, theirs="Tamil"),
    "IRQ": differs(REGIONAL, theirs="Aramaic"),
    "ISR": differs(REGIONAL, theirs="Arabic"),
    "LBN": differs(REGIONAL, theirs="French"),
    "MYS": differs(REGIONAL, theirs="English"),
    "NAM": differs(
        REGIONAL,
        theirs="Afrikaans;German;Herero;Khoekhoe;Kwangali;Lozi;Ndonga;Tswana",
    ),
    "TKM": differs(REGIONAL, theirs="Russian"),
    "UZB": differs(REGIONAL, theirs="Russian"),
    "BFA": differs(CHANGED, theirs="French"),
    "MLI": differs(CHANGED, theirs="French"),
    "NER": differs(CHANGED, theirs="French"),
    "BDI": differs("official since 2014", ours="English"),
    "DZA": differs("official since 2016", ours="Berber"),
    "MKD": differs("co-official since 2019", ours="Albanian"),
    "RWA": differs("official since 2017", ours="Swahili"),
    "ZAF": differs("official since 2023", ours="South African Sign Language"),
    "ZWE": differs("named in section 6 of the constitution", ours="Nambya"),
}


@cache
def _ours(kind: str) -> tuple[Row, ...]:
    with (DATA / f"{kind}.csv").open(encoding="utf-8", newline="") as lines:
        return tuple(csv.DictReader(lines))


@cache
def _theirs() -> Mapping[str, Record]:
    folder = os.environ.get(VARIABLE)
    if not folder:
        pytest.fail(f"{VARIABLE} is not set: name the folder of world-countries {VERSION}")
    version = json.loads(Path(folder, "package.json").read_text(encoding="utf-8"))["version"]
    assert version == VERSION, f"{VARIABLE} holds world-countries {version}, not {VERSION}"
    records = json.loads(Path(folder, "countries.json").read_text(encoding="utf-8"))
    return {record["cca2"]: record for record in records}


def _pairs() -> list[tuple[Row, Record]]:
    return [(row, _theirs()[row["iso2"]]) for row in _ours("countries")]


def _spelled(names: Iterable[str]) -> frozenset[str]:
    return frozenset(SPELLING.get(name, name) for name in names)


def _sentence_case(name: str) -> str:
    return name[:1].upper() + name[1:]


def _check(
    ours: Callable[[Row], frozenset[str]],
    theirs: Callable[[Row, Record], frozenset[str]],
    exceptions: Mapping[str, Difference],
) -> None:
    """Compare two sets of names per country; the differences must be the exceptions, no more."""
    found = {}
    for row, record in _pairs():
        mine, other = ours(row), theirs(row, record)
        if mine != other:
            found[row["iso3"]] = (mine - other, other - mine)
    assert found == {code: (entry.ours, entry.theirs) for code, entry in exceptions.items()}


def _folded(name: str) -> str:
    letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return "".join(letter for letter in letters.lower() if letter.isalnum())


@cache
def _city_titles() -> Mapping[tuple[str, str], str]:
    """(country, folded name of a city) -> title of its page, also for names that redirect."""
    titles = {}
    for row in _ours("cities"):
        for name in (row["title"], row["title"].split(" (")[0], *_names(row["aliases"])):
            titles[row["country"], _folded(name)] = row["title"]
    return titles


def test_the_countries_are_the_members_and_observers_of_the_united_nations() -> None:
    members = {record["cca3"] for record in _theirs().values() if record["unMember"]}
    assert {row["iso3"] for row in _ours("countries")} == members | {"PSE", "VAT"}


def test_the_two_iso_codes_name_the_same_country() -> None:
    assert [row["iso3"] for row, _ in _pairs()] == [record["cca3"] for _, record in _pairs()]


def test_capitals_agree() -> None:
    def theirs(row: Row, record: Record) -> frozenset[str]:
        known = _city_titles()
        return frozenset(known.get((row["title"], _folded(c)), c) for c in record["capital"])

    _check(lambda row: _names(row["capital"]), theirs, CAPITALS)


def test_borders_agree_where_both_neighbours_have_a_page() -> None:
    titles = {row["iso3"]: row["title"] for row in _ours("countries")}

    def theirs(_: Row, record: Record) -> frozenset[str]:
        return frozenset(titles[code] for code in record["borders"] if code in titles)

    _check(lambda row: _names(row["borders"]), theirs, BORDERS)


def test_areas_agree_within_two_per_cent() -> None:
    given = [(row["iso3"], row["area_km2"], record["area"]) for row, record in _pairs()]
    assert {code for code, ours, _ in given if not ours} == set(EMPTY_AREAS)
    apart = [
        (code, ours, theirs)
        for code, ours, theirs in given
        if ours and abs(float(ours) - theirs) > AREA_TOLERANCE * theirs
    ]
    assert apart == []


def test_internet_domains_agree() -> None:
    assert [r["title"] for r, record in _pairs() if r["tld"] not in record["tld"]] == []


def test_calling_codes_agree() -> None:
    def theirs(row: Row, record: Record) -> frozenset[str]:
        root, suffixes = record["idd"]["root"], record["idd"]["suffixes"]
        if row["iso3"] in AREA_CODES:
            return frozenset({root})
        return frozenset(root + suffix for suffix in suffixes)

    _check(lambda row: _names(row["calling_code"].replace(" ", "")), theirs, CALLING_CODES)


def test_currencies_agree() -> None:
    def theirs(_: Row, record: Record) -> frozenset[str]:
        names = (_sentence_case(entry["name"]) for entry in record["currencies"].values())
        return _spelled(names)

    _check(lambda row: _names(row["currency"]), theirs, CURRENCIES)


def test_languages_agree() -> None:
    def theirs(_: Row, record: Record) -> frozenset[str]:
        return _spelled(record["languages"].values())

    _check(lambda row: _names(row["languages"]), theirs, LANGUAGES)
