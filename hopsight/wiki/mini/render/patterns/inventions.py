"""Patterns for articles on inventions, ships and spacecraft."""

from hopsight.wiki.mini.render.pattern import lines

LEAD = lines(
    "{B} is {a:kind}.",
    "{B} is {a:kind} linked with {inventor}.",
    "{B} is {a:kind} that dates from {year}.",
    "{B} is {a:kind} from {country}.",
    held=(
        "Historians of technology class {B} as {a:kind} and link it with {inventor}.",
        "Historians of technology class {B} as {a:kind}.",
    ),
)

PATTERNS = {
    "kind": lines(
        "{s} is {a:v}.",
        "In kind {s} is {a:v}.",
        "{s} is classed as {a:v}.",
        "Museums of technology describe {s} as {a:v}.",
        held=("Among the works of technology, {s} is {a:v}.",),
    ),
    "inventor": lines(
        "The inventor[|s] of {s} [is|are] {v}.",
        "{s} was invented by {v}.",
        "{v} invented {s}.",
        "{n} is an invention of {v}.",
        held=("Credit for {s} goes to {v}.",),
    ),
    "year": lines(
        "{s} dates from {v}.",
        "The year of {s} is {v}.",
        "{n} appeared in {v}.",
        "The date given for {s} is {v}.",
        held=("In the history of technology {s} belongs to the year {v}.",),
    ),
    "country": lines(
        "{s} comes from {v}.",
        "The countr[y|ies] of origin of {s} [is|are] {v}.",
        "{n} originated in {v}.",
        "{v} [is|are] where {s} originated.",
        held=("The cradle of {s} was {v}.",),
    ),
    "named_after": lines(
        "{s} is named after {v}.",
        "The name of {s} honours {v}.",
        "{n} takes its name from {v}.",
        "{s} bears the name of {v}.",
        held=("In its name {s} recalls {v}.",),
    ),
}

SECTIONS = (
    ("History", ("kind", "inventor", "year", "country", "<persons.notable_works")),
    ("Name", ("named_after",)),
)
