"""Patterns for articles on operas, symphonies and other works of music."""

from hopsight.wiki.mini.render.pattern import lines

LEAD = lines(
    "{B} is {a:kind} by {composer}.",
    "{B} is {a:kind} by {composer} that dates from {year}.",
    "{B} is {a:kind} by {composer}, first heard {in:premiere_place}.",
    "{B} is {a:kind} in {key} by {composer}.",
    "{B} is {a:kind}.",
    held=(
        "{composer} composed {B}, {a:kind}.",
        "{B} belongs to music as {a:kind}.",
    ),
)

PATTERNS = {
    "kind": lines(
        "{s} is {a:v}.",
        "In kind {s} is {a:v}.",
        "{s} is classed as {a:v}.",
        "Programmes announce {s} as {a:v}.",
        held=("Among the kinds of music, {s} is {a:v}.",),
    ),
    "composer": lines(
        "{s} was composed by {v}.",
        "The composer of {s} is {v}.",
        "{v} composed {s}.",
        "{n} is a work of {v}.",
        held=("The music of {s} comes from {v}.",),
    ),
    "year": lines(
        "{s} dates from {v}.",
        "The year of {s} is {v}.",
        "{n} is dated {v}.",
        "{n} belongs to the year {v}.",
        held=("In the history of music {s} belongs to the year {v}.",),
    ),
    "key": lines(
        "{s} is in the key of {v}.",
        "The key of {s} is {v}.",
        "{n} is written in the key of {v}.",
        "The home key of {s} is {v}.",
        held=("Its key signature places {s} in {v}.",),
    ),
    "premiere_place": lines(
        "{s} was first performed {in:v}.",
        "The premiere of {s} took place {in:v}.",
        "{n} had its premiere {in:v}.",
        "{v} saw the premiere of {s}.",
        held=("The first audience of {s} gathered {in:v}.",),
    ),
    "librettist": lines(
        "The libretto of {s} is by {v}.",
        "The librettist[|s] of {s} [was|were] {v}.",
        "{v} wrote the libretto of {s}.",
        "{n} has a libretto by {v}.",
        held=("The sung words of {s} were written by {v}.",),
    ),
}

SECTIONS = (
    ("History", ("composer", "librettist", "year", "premiere_place", "<persons.notable_works")),
    ("Music", ("kind", "key")),
)
