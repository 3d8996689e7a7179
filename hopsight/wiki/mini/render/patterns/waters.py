"""Patterns for articles on seas, oceans, lakes, gulfs and straits."""

from hopsight.wiki.mini.render.pattern import lines

LEAD = lines(
    "{B} is {a:kind}.",
    "{B} is {a:kind} on whose shores [countries?lies|lie] {countries}.",
    "{B} is {a:kind} with an area of {area_km2}.",
    "{B} is {a:kind} whose water leaves through {outflow}.",
    held=(
        "{B} is classed as {a:kind} and covers {area_km2}.",
        "{B} is classed as {a:kind}.",
    ),
)

PATTERNS = {
    "kind": lines(
        "{s} is {a:v}.",
        "{s} is classed as {a:v}.",
        "In kind {s} is {a:v}.",
        "Geographers call {s} {a:v}.",
        held=("By its nature {s} is {a:v}.",),
    ),
    "area_km2": lines(
        "{s} has an area of {v}.",
        "The area of {s} is {v}.",
        "{n} covers {v}.",
        "Its surface measures {v}.",
        held=("The water surface of {s} extends over {v}.",),
    ),
    "max_depth_m": lines(
        "The greatest depth of {s} is {v}.",
        "{s} is {v} deep at its deepest point.",
        "Its maximum depth is {v}.",
        "{n} reaches a depth of {v}.",
        held=("A plumb line in {s} finds bottom at {v} at most.",),
    ),
    "countries": lines(
        "The shore of {s} belongs to {v}.",
        "{v} [lies|lie] on the shore of {s}.",
        "The countr[y|ies] on its shore [is|are] {v}.",
        "{s} washes the shore[|s] of {v}.",
        held=("Along the waterline of {s} one finds {v}.",),
        parts=(
            "The countries on the shores of {s} include {v}.",
            "Among the countries around {s} are {v}.",
            "{n} also washes the shores of {v}.",
            "{s} has on its shores countries such as {v}.",
        ),
        parts_held=(
            "Along the waterline of {s} one finds {v}, among others.",
            "To the countries at the edge of {s} belong {v}.",
        ),
    ),
    "outflow": lines(
        "{s} drains into {v}.",
        "The outflow of {s} is {v}.",
        "Its outflow is {v}.",
        "Water leaves {n} by way of {v}.",
        held=("What overflows from {s} goes away through {v}.",),
    ),
}

SECTIONS = (
    ("Geography", ("kind", "countries", "area_km2", "max_depth_m", "<cities.water")),
    ("Inflow and outflow", ("<rivers.mouth", "outflow")),
)
