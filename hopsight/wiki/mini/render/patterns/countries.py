"""Patterns for articles on countries."""

from hopsight.wiki.mini.render.pattern import lines

LEAD = lines(
    "{B} is a [[country]] in {continent}.",
    "{B} is a [[country]] in {continent}, with {capital} as its capital.",
    "{B} is a [[country]] of {continent} whose capital is {capital}.",
    "{B} is a state in {continent}; its capital is {capital}.",
    "{B} is a [[country]].",
    held=(
        "Among the states of {continent} is {B}, whose capital city is {capital}.",
        "{B} belongs to {continent}.",
        "{B} is one of the world's states.",
    ),
)

PATTERNS = {
    "capital": lines(
        "The capital of {s} is {v}.",
        "{v} serves as the capital of {s}.",
        "{s} has its capital at {v}.",
        "{n} has {v} for a capital.",
        held=("The role of capital city in {s} falls to {v}.",),
    ),
    "continent": lines(
        "{s} lies in {v}.",
        "{n} belongs to the continent of {v}.",
        "Geographers place {s} in {v}.",
        "The territory of {s} is part of {v}.",
        held=("On the map of the continents, {s} is found in {v}.",),
    ),
    "area_km2": lines(
        "{s} has an area of {v}.",
        "The area of {s} is {v}.",
        "{n} covers {v}.",
        "In area, {s} measures {v}.",
        "The surface of {s} comes to {v}.",
        held=("Measured by its surface, {s} takes up {v}.",),
    ),
    "borders": lines(
        "{s} borders {v}.",
        "{s} shares a land border with {v}.",
        "[A neighbour of {s} by land is|Neighbours of {s} by land include] {v}.",
        "By land {s} touches {v}.",
        "The land neighbour[|s] of {s} [is|are] {v}.",
        held=("Anyone leaving {s} overland comes first to {v}.",),
        parts=(
            "{s} shares borders with {v}.",
            "The neighbours of {s} include {v}.",
            "Among the states that {s} borders are {v}.",
            "{n} also touches {v} at its land borders.",
        ),
        parts_held=(
            "Land frontiers run between {s} and {v}.",
            "Further frontiers separate {s} from {v}.",
        ),
    ),
    "languages": lines(
        "The official language[|s] of {s} [is|are] {v}.",
        "In {s} the official language[ is|s are] {v}.",
        "{s} gives official standing to the language[|s] {v}.",
        "{n} has {v} as [its official language|official languages].",
        "{s} has the official language[|s] {v}.",
        held=("Laws and offices in {s} use {v} as official language[|s].",),
        parts=(
            "The official languages of {s} include {v}.",
            "Among the official languages of {n} are {v}.",
            "{s} gives official standing to languages such as {v}.",
            "Official languages in {s} include {v}.",
        ),
        parts_held=(
            "Official standing in {s} is held by languages that include {v}.",
            "To the official languages of {s} belong {v}.",
        ),
    ),
    "currency": lines(
        "[The currency|Currencies] of {s} [is|are] {v}.",
        "The money of {s} is {v}, [its currency|its currencies].",
        "Payments in {s} are made in [its currency|its currencies], {v}.",
        "{s} uses {v} as [its currency|currencies].",
        held=("As money in {s}, {v} [is the currency|are the currencies] in use.",),
    ),
    "highest_point": lines(
        "The highest point of {s} is {v}.",
        "{n} reaches its highest point at {v}.",
        "Nowhere in {s} does the land rise higher than at {v}.",
        "{v} is the highest point in {s}.",
        held=("The land of {s} culminates in {v}, its highest point.",),
    ),
    "driving_side": lines(
        "Traffic in {s} drives on the {v}.",
        "In {s} vehicles keep to the {v} side of the road.",
        "Drivers in {s} use the {v}-hand side of the road.",
        "On the roads of {s} one drives on the {v}.",
        held=("Road traffic in {s} moves on the {v} side.",),
    ),
    "calling_code": lines(
        "The international calling code of {s} is {v}.",
        "Telephone calls to {s} begin with the calling code {v}.",
        "From abroad {s} is dialled with the calling code {v}.",
        "{n} has the calling code {v}.",
        held=("Whoever telephones {s} from elsewhere dials the country code {v}.",),
    ),
    "tld": lines(
        "The internet domain of {s} is {v}.",
        "Web addresses of {s} end in the top-level domain {v}.",
        "{n} has the top-level domain {v} on the internet.",
        "On the internet {s} uses the country domain {v}.",
        held=("Sites registered for {s} carry the country-code domain {v}.",),
    ),
    "iso2": lines(
        "Its two-letter ISO code is {v}.",
        "In the ISO 3166 standard {s} has the two-letter code {v}.",
        "The two-letter code {v} stands for {s}.",
        "{s} is abbreviated by two letters, {v}, in the ISO list.",
        held=("Under ISO 3166-1 alpha-2, {v} denotes {s}.",),
    ),
    "iso3": lines(
        "Its three-letter ISO code is {v}.",
        "In the ISO 3166 standard {s} has the three-letter code {v}.",
        "The three-letter code {v} stands for {s}.",
        "{s} is abbreviated by three letters, {v}, in the ISO list.",
        held=("Under ISO 3166-1 alpha-3, {v} denotes {s}.",),
    ),
    "iso2+iso3": lines(
        "The ISO codes of {s} are {iso2} (two letters) and {iso3} (three letters).",
        "Two letters, {iso2}, and three letters, {iso3}, stand for {s} in the ISO list.",
        "In ISO lists {s} appears as {iso2} in two letters or {iso3} in three.",
        "{s} has the two-letter ISO code {iso2} and the three-letter ISO code {iso3}.",
        held=(
            "ISO 3166 writes {s} as {iso2} in its two-letter and {iso3} in its three-letter form.",
        ),
    ),
    "demonym": lines(
        "What comes from {s} is called {v}.",
        "The demonym for {s} is {v}.",
        "The demonym of {n} is {v}.",
        "The word {v} is the demonym of {s}.",
        held=("As a demonym, {s} has {v}.",),
    ),
}

SECTIONS = (
    (
        "Geography",
        (
            "continent",
            "area_km2",
            "borders",
            "highest_point",
            "<mountains.countries",
            "<ranges.countries",
            "<rivers.countries",
            "<waters.countries",
        ),
    ),
    (
        "Government and society",
        ("capital", "languages", "currency", "demonym", "driving_side", "<cities.country"),
    ),
    ("Codes", ("calling_code", "tld", "iso2+iso3")),
)
