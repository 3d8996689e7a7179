"""Patterns for articles on cities."""

from hopsight.wiki.mini.render.pattern import lines

LEAD = lines(
    "{B} is a [[city]] in {country}.",
    "{B} is a [[city]] of {country} on {river}.",
    "{B} is a [[city]] in {country} that lies on {water}.",
    "{B}, a [[city]] in {country}, stands on {river}.",
    "{B} is a [[city]].",
    held=(
        "Within {country} lies the [[city]] of {B}.",
        "{B} counts among the [[city|cities]] of {country} and lies by {river}.",
        "{B} has the rank of a [[city]].",
    ),
)

PATTERNS = {
    "country": lines(
        "{s} is in {v}.",
        "{n} lies in {v}.",
        "{s} belongs to {v}.",
        "The country of {s} is {v}.",
        held=("On a political map {s} is part of {v}.",),
    ),
    "river": lines(
        "{s} lies on {v}.",
        "{v} [flows|flow] through {s}.",
        "The river[|s] at {s} [is|are] {v}.",
        "{n} stands on the bank[|s] of {v}.",
        held=("The waters of {v} pass {s}.",),
    ),
    "water": lines(
        "{s} lies on the shore of {v}.",
        "{n} stands on the shore of {v}.",
        "The shore at {s} is that of {v}.",
        "{s} looks out on the water of {v}.",
        held=("From the waterfront of {s} one sees {v}.",),
    ),
    "founded": lines(
        "{s} was founded in {v}.",
        "The founding of {s} took place in {v}.",
        "{n} dates its founding to {v}.",
        "The year of its founding is {v}.",
        held=("The beginnings of {s} as a founded town belong to the year {v}.",),
    ),
    "elevation_m": lines(
        "{s} lies at an elevation of {v}.",
        "The elevation of {s} is {v} above sea level.",
        "{n} stands {v} above sea level.",
        "In {s} the ground is {v} above the sea.",
        held=("Measured from sea level, {s} is at {v}.",),
    ),
    "latitude": lines(
        "{s} lies at a latitude of {v}.",
        "The latitude of {s} is {v}.",
        "{n} has the latitude {v}.",
        "On the globe {s} is at latitude {v}.",
        held=("The parallel of {s} is {v}.",),
    ),
    "longitude": lines(
        "{s} lies at a longitude of {v}.",
        "The longitude of {s} is {v}.",
        "{n} has the longitude {v}.",
        "On the globe {s} is at longitude {v}.",
        held=("The meridian of {s} is {v}.",),
    ),
    "latitude+longitude": lines(
        "{s} lies at latitude {latitude} and longitude {longitude}.",
        "Its coordinates are {latitude}, {longitude}.",
        "The latitude of {s} is {latitude}, its longitude {longitude}.",
        "{n} has the coordinates {latitude} and {longitude}.",
        held=("Parallel {latitude} and meridian {longitude} meet at {s}.",),
    ),
}

SECTIONS = (
    (
        "Geography",
        ("country", "river", "water", "elevation_m", "latitude+longitude", "<rivers.mouth"),
    ),
    ("History", ("founded", "<countries.capital")),
    ("Landmarks", ("<buildings.city",)),
)
