"""Patterns for articles on mountain ranges; many of them are plural in English."""

from hopsight.wiki.mini.render.pattern import lines

LEAD = lines(
    "{B} <is|are> a [[mountain range]] in {continent}.",
    "{B} <is|are> a [[mountain range]] in {countries}.",
    "{B} <is|are> a [[mountain range]] of {continent} with {highest_peak} as its highest peak.",
    "{B} <is|are> a [[mountain range]].",
    held=(
        "{continent} [has|have] in {B} a [[mountain range]] whose top is {highest_peak}.",
        "Among the [[mountain range]]s of {continent} <is|are> {B}.",
        "{B} <forms|form> a [[mountain range]].",
    ),
)

PATTERNS = {
    "countries": lines(
        "{s} <lies|lie> in {v}.",
        "{n} extends over {v}.",
        "The countr[y|ies] of {s} [is|are] {v}.",
        "{s} <stretches|stretch> across {v}.",
        held=("Parts of {s} fall within {v}.",),
        parts=(
            "The countries of {s} include {v}.",
            "{s} <reaches|reach> into {v}.",
            "Among the countries over which {n} extends are {v}.",
            "{n} also extends into {v}.",
        ),
        parts_held=(
            "Parts of {s} fall within {v}.",
            "Other parts of {s} lie inside {v}.",
        ),
    ),
    "continent": lines(
        "{s} <is|are> in {v}.",
        "{n} belongs to {v}.",
        "The continent[|s] of {s} [is|are] {v}.",
        "{s} <belongs|belong> to the continent[|s] of {v}.",
        held=("On the map of the continents, {s} <is|are> found in {v}.",),
    ),
    "highest_peak": lines(
        "The highest peak of {s} is {v}.",
        "{n} reaches its greatest height at {v}.",
        "{v} is the highest summit of {s}.",
        "No peak of {s} is higher than {v}.",
        held=("{s} <culminates|culminate> in {v}.",),
    ),
    "length_km": lines(
        "{s} <is|are> {v} long.",
        "The length of {s} is {v}.",
        "{n} has a length of {v}.",
        "From end to end {s} <measures|measure> {v}.",
        held=("Someone walking {s} from one end to the other would cover {v}.",),
    ),
}

SECTIONS = (
    ("Geography", ("continent", "countries", "length_km", "highest_peak", "<mountains.range")),
)
