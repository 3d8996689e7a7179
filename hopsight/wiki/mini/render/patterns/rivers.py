"""Patterns for articles on rivers."""

from hopsight.wiki.mini.render.pattern import lines

LEAD = lines(
    "{B} is a [[river]] that ends in {mouth}.",
    "{B} is a [[river]] with its source in {source_country} and its mouth in {mouth}.",
    "{B} is a [[river]] and a tributary of {tributary_of}.",
    "{B} is a [[river]], {length_km} in length, that flows into {mouth}.",
    "{B} is a [[river]] of {countries}.",
    "{B} is a [[river]] that rises in {source_country}.",
    "{B} is a [[river]].",
    held=(
        "Among the [[river]]s whose water reaches {mouth} is {B}.",
        "{B} measures {length_km} as a [[river]] from source to mouth.",
        "{B} is a watercourse, a [[river]] by any count.",
    ),
)

PATTERNS = {
    "length_km": lines(
        "{s} is {v} long.",
        "The length of {s} is {v}.",
        "From source to mouth {s} measures {v}.",
        "{n} has a length of {v}.",
        held=("Whoever follows {s} from end to end covers {v}.",),
    ),
    "mouth": lines(
        "{s} flows into {v}.",
        "The mouth of {s} is at {v}.",
        "{n} empties into {v}.",
        "{s} ends its course in {v}.",
        held=("What {s} carries is discharged into {v}.",),
    ),
    "countries": lines(
        "The course of {s} touches {v}.",
        "On its way {s} flows in {v}.",
        "The countr[y|ies] on its course [is|are] {v}.",
        "{s} has its course in {v}.",
        "{v} [is|are] the countr[y|ies] on the course of {s}.",
        held=("Travelling with the current of {s}, one meets {v}.",),
        parts=(
            "The countries on the course of {s} include {v}.",
            "Among the countries that {s} touches are {v}.",
            "The course of {n} also touches {v}.",
            "{s} flows in countries such as {v}.",
        ),
        parts_held=(
            "To the countries met by {s} belong {v}.",
            "Also met by {s} on its course are {v}.",
        ),
    ),
    "source_country": lines(
        "{s} rises in {v}.",
        "The source of {s} is in {v}.",
        "{n} begins in {v}.",
        "Its source lies in {v}.",
        held=("The course of {s} has its beginning in {v}.",),
    ),
    "basin_km2": lines(
        "The basin of {s} covers {v}.",
        "{s} drains a basin of {v}.",
        "Its drainage basin has an area of {v}.",
        "{n} has a basin of {v}.",
        held=("All the land that sheds its rain into {s} amounts to {v}.",),
    ),
    "tributary_of": lines(
        "{s} is a tributary of {v}.",
        "{n} is one of the tributaries of {v}.",
        "As a tributary, {s} joins {v}.",
        "The water of {s} feeds {v}, of which it is a tributary.",
        held=("{v} receives {s} as a tributary.",),
    ),
}

SECTIONS = (
    (
        "Course",
        ("source_country", "countries", "length_km", "mouth", "tributary_of", "<cities.river"),
    ),
    ("Basin", ("basin_km2", "<rivers.tributary_of", "<rivers.mouth", "<waters.outflow")),
)
