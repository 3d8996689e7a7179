"""Patterns for articles on mountains."""

from hopsight.wiki.mini.render.pattern import lines

LEAD = lines(
    "{B} is a [[mountain]] in {countries}.",
    "{B} is a [[mountain]] of {range}.",
    "{B} is a [[mountain]] of {range} in {countries}.",
    "{B} is a [[mountain]] in {countries}, {elevation_m} high.",
    "{B} is a [[mountain]].",
    held=(
        "Among the [[mountain]]s found in {countries} is {B}.",
        "{range} can claim {B}, a [[mountain]] of {elevation_m}.",
        "{B} is a summit, that is, a [[mountain]].",
    ),
)

PATTERNS = {
    "elevation_m": lines(
        "{s} rises to {v}.",
        "The elevation of {s} is {v}.",
        "Its summit stands {v} above sea level.",
        "{n} has an elevation of {v}.",
        held=("Above the level of the sea, {s} stands {v}.",),
    ),
    "countries": lines(
        "{s} stands in {v}.",
        "{n} lies in {v}.",
        "The countr[y|ies] of {s} [is|are] {v}.",
        "{v} [has|share] {s} on [its|their] territory.",
        held=("On a political map {s} belongs to {v}.",),
    ),
    "range": lines(
        "{s} belongs to {v}.",
        "{n} is part of {v}.",
        "{s} is one of the peaks of {v}.",
        "The mountain range to which {s} belongs is {v}.",
        held=("Geographers count {s} among the summits of {v}.",),
    ),
    "first_ascent": lines(
        "{s} was first climbed in {v}.",
        "The first ascent of {s} was made in {v}.",
        "Its first ascent came in {v}.",
        "Climbers first reached the summit of {s} in {v}.",
        held=("The history of climbing gives {v} for the first ascent of {s}.",),
    ),
    "first_ascender": lines(
        "The first ascent of {s} was the work of {v}.",
        "{v} made the first ascent of {s}.",
        "{s} was first climbed by {v}.",
        "The first to reach the summit of {s} [was|were] {v}.",
        held=("On the first ascent of {s} the top was gained by {v}.",),
    ),
    "first_ascent+first_ascender": lines(
        "{s} was first climbed in {first_ascent} by {first_ascender}.",
        "The first ascent of {s} was made in {first_ascent} by {first_ascender}.",
        "In {first_ascent} {first_ascender} made the first ascent of {s}.",
        "{first_ascender} first reached the summit of {s} in {first_ascent}.",
        held=("The year {first_ascent} saw the first ascent of {s}, by {first_ascender}.",),
    ),
}

SECTIONS = (
    ("Geography", ("countries", "range", "elevation_m", "<ranges.highest_peak")),
    ("Climbing", ("first_ascent+first_ascender",)),
)
