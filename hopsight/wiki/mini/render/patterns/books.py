"""Patterns for articles on books, plays and poems."""

from hopsight.wiki.mini.render.pattern import lines

LEAD = lines(
    "{B} is {a:kind} by {author}.",
    "{B} is {a:kind} by {author} that dates from {year}.",
    "{B} is {a:kind} of {year} by {author}.",
    "{B} is {a:kind} written in {language}.",
    "{B} is {a:kind}.",
    held=(
        "{author} is the author of {B}, {a:kind}.",
        "{B} belongs to literature as {a:kind} in {language}.",
        "{B} belongs to literature as {a:kind}.",
    ),
)

PATTERNS = {
    "kind": lines(
        "{s} is {a:v}.",
        "In kind {s} is {a:v}.",
        "{s} is classed as {a:v}.",
        "Librarians shelve {s} as {a:v}.",
        held=("Among the kinds of writing, {s} is {a:v}.",),
    ),
    "author": lines(
        "{s} was written by {v}.",
        "The author[|s] of {s} [is|are] {v}.",
        "{n} is the work of {v}.",
        "{v} wrote {s}.",
        held=("The words of {s} come from {v}.",),
    ),
    "year": lines(
        "{s} is dated {v}.",
        "{s} dates from {v}.",
        "The year of {n} is {v}.",
        "{n} belongs to the year {v}.",
        held=("In the history of literature {s} belongs to the year {v}.",),
    ),
    "language": lines(
        "{s} was written in {v}.",
        "The language of {s} is {v}.",
        "The original language of {n} is {v}.",
        "{v} is the language of {s}.",
        held=("Its first readers met {s} in {v}.",),
    ),
    "setting": lines(
        "{s} is set {in:v}.",
        "The setting of {s} is {v}.",
        "{n} takes place {in:v}.",
        "The story of {s} plays {in:v}.",
        held=("The events of {s} unfold {in:v}.",),
    ),
    "characters": lines(
        "Characters of {s} include {v}.",
        "Among the characters of {s} [is|are] {v}.",
        "{n} has among its characters {v}.",
        "[A character|Characters] in {s} [is|are] {v}.",
        held=("Readers of {s} meet {v} among its figures.",),
        parts=(
            "Characters of {s} include {v}.",
            "Among the characters of {s} are {v}.",
            "{n} has among its characters {v}.",
            "Characters in {s} are also {v}.",
        ),
        parts_held=("Readers of {s} meet {v} among its figures.", "Figures of {s} are also {v}."),
    ),
}

SECTIONS = (
    ("Publication", ("author", "year", "language", "<persons.notable_works")),
    ("Content", ("kind", "setting", "characters")),
)
