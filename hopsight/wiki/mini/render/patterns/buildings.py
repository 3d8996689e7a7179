"""Patterns for articles on buildings and built places."""

from hopsight.wiki.mini.render.pattern import lines

LEAD = lines(
    "{B} <is|are> {a:kind} in {city}.",
    "{B} <is|are> {a:kind} in {city}, {country}.",
    "{B} <is|are> {a:kind} by {architect} in {city}.",
    "{B} <is|are> {a:kind} in {country}.",
    "{B} <is|are> {a:kind} completed in {completed}.",
    "{B} <is|are> {a:kind}.",
    held=(
        "The city of {city} has in {B} {a:kind}.",
        "In {country} one finds {B}, {a:kind}.",
        "As {a:kind}, {B} <has|have> a name of <its|their> own.",
    ),
)

PATTERNS = {
    "kind": lines(
        "{s} <is|are> {a:v}.",
        "By purpose {s} <is|are> {a:v}.",
        "{s} <is|are> counted as {a:v}.",
        "{s} <is|are> described as {a:v}.",
        held=("In the register of buildings {s} would stand under the word {v}.",),
    ),
    "city": lines(
        "{s} <stands|stand> in {v}.",
        "The city of {s} is {v}.",
        "{n} is found in {v}.",
        "Among the buildings to be seen in {v} <is|are> {s}.",
        held=("To see {s}, one goes to {v}.",),
    ),
    "country": lines(
        "{s} <is|are> in {v}.",
        "The countr[y|ies] of {s} [is|are] {v}.",
        "{n} lies in {v}.",
        "{s} <belongs|belong> to the monuments of {v}.",
        held=("On a political map {s} <falls|fall> within {v}.",),
    ),
    "architect": lines(
        "{s} <was|were> designed by {v}.",
        "The architect[|s] of {s} [was|were] {v}.",
        "{n} is a work of {v}.",
        "{v} drew the design for {s}.",
        "The design of {s} came from {v}.",
        held=("The plans of {s} go back to {v}.",),
    ),
    "started": lines(
        "Construction of {s} began in {v}.",
        "Work on {s} started in {v}.",
        "The building of {n} began in {v}.",
        "Builders began {s} in {v}.",
        held=("The first year of building at {s} was {v}.",),
    ),
    "completed": lines(
        "{s} <was|were> completed in {v}.",
        "The year of completion of {s} is {v}.",
        "{n} was finished in {v}.",
        "Work on {s} ended in {v}.",
        held=("Builders brought {s} to completion in {v}.",),
    ),
    "started+completed": lines(
        "{s} <was|were> begun in {started} and completed in {completed}.",
        "Construction of {s} lasted from {started} to {completed}.",
        "Work on {s} started in {started} and ended in {completed}.",
        "Builders began {n} in {started} and finished it in {completed}.",
        held=(
            "The building years of {s} run from a start in {started} to completion in {completed}.",
        ),
    ),
    "height_m": lines(
        "{s} <is|are> {v} high.",
        "The height of {s} is {v}.",
        "{n} reaches a height of {v}.",
        "{s} <rises|rise> to a height of {v}.",
        held=("From the ground to the top, {s} <measures|measure> {v}.",),
    ),
    "style": lines(
        "The style of {s} is given as {v}.",
        "The style of {s} is {v}.",
        "Critics assign {n} to the style {v}.",
        "The architectural style of {s} is described as {v}.",
        held=("Historians of architecture file {s} under the style {v}.",),
    ),
    "houses": lines(
        "{s} <houses|house> {v}.",
        "{v} [is|are] kept at {s}.",
        "The collection of {n} includes {v}.",
        "Works kept at {s} include {v}.",
        held=("Among the holdings of {s} [is|are] {v}.",),
        parts=(
            "{s} <houses|house> {v}.",
            "Works kept at {s} include {v}.",
            "The collection of {n} includes {v}.",
            "Among the works kept at {s} are {v}.",
        ),
        parts_held=(
            "Among the holdings of {s} are {v}.",
            "The holdings of {s} extend to {v}.",
        ),
    ),
}

SECTIONS = (
    ("Location", ("kind", "city", "country")),
    ("History", ("architect", "started+completed")),
    ("Architecture", ("style", "height_m")),
    ("Collection", ("houses", "<artworks.location")),
)
