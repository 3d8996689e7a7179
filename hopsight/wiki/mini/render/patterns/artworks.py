"""Patterns for articles on works of art. They never tell how a work looks."""

from hopsight.wiki.mini.render.pattern import lines

LEAD = lines(
    "{B} <is|are> {a:kind} by {creator}.",
    "{B} <is|are> {a:kind} by {creator}, kept {in:location}.",
    "{B} <is|are> {a:kind} made by {creator} in {year}.",
    "{B} <is|are> {a:kind} kept {in:location}.",
    "{B} <is|are> {a:kind}.",
    held=(
        "{creator} made {B}, {a:kind}.",
        "{in:location} one finds {B}, {a:kind}.",
        "{B} <belongs|belong> to art as {a:kind}.",
    ),
)

PATTERNS = {
    "kind": lines(
        "{s} <is|are> {a:v}.",
        "In kind {s} <is|are> {a:v}.",
        "{s} <is|are> classed as {a:v}.",
        "Catalogues describe {s} as {a:v}.",
        held=("Among the kinds of art, {s} <is|are> {a:v}.",),
    ),
    "creator": lines(
        "{s} <is|are> a work of {v}.",
        "{s} <was|were> made by {v}.",
        "The artist[|s] of {n} [is|are] {v}.",
        "{v} created {s}.",
        held=("The hand behind {s} is that of {v}.",),
    ),
    "year": lines(
        "{s} <dates|date> from {v}.",
        "{s} <was|were> finished in {v}.",
        "The year of {n} is {v}.",
        "{n} was made in {v}.",
        held=("In the history of art {s} <belongs|belong> to the year {v}.",),
    ),
    "location": lines(
        "{s} <is|are> kept {in:v}.",
        "{n} can be found {in:v}.",
        "The location of {s} is {v}.",
        "{v} [is|are] the home of {s}.",
        held=("To stand before {s}, one visits {v}.",),
    ),
    "material": lines(
        "{s} <was|were> executed in {v}.",
        "The material of {s} is {v}.",
        "The material used for {n} was {v}.",
        "For {s} the chosen material was {v}.",
        held=("As to its material, {s} <consists|consist> of {v}.",),
    ),
    "height_cm": lines(
        "{s} <is|are> {v} high.",
        "The height of {s} is {v}.",
        "{n} has a height of {v}.",
        "In height {s} <measures|measure> {v}.",
        held=("From bottom to top, {s} <measures|measure> {v}.",),
    ),
    "subject": lines(
        "The subject of {s} is given as {v}.",
        "{s} <is|are> catalogued under the subject {v}.",
        "Catalogues name as the subject of {n}: {v}.",
        "The theme of {s} is given as {v}.",
        held=("What {s} <is|are> about is, put briefly, {v}.",),
    ),
}

SECTIONS = (
    ("History", ("creator", "year", "location", "<buildings.houses", "<persons.notable_works")),
    ("Description", ("kind", "material", "height_cm", "subject")),
)
