"""Patterns for articles on continents; their general text is in `hubs`."""

from hopsight.wiki.mini.render.pattern import lines

LEAD = lines("{B} is a [[continent]].", held=("{B} is one of the [[continent]]s.",))

PATTERNS = {
    "highest_peak": lines(
        "The highest peak of {s} is {v}.",
        "{n} has its highest peak in {v}.",
        "{v} is the highest peak in {s}.",
        "No peak in {s} is higher than {v}.",
        held=("The land of {s} culminates in {v}, its highest peak.",),
    ),
}

SECTIONS = (("Geography", ("highest_peak",)),)
