"""Patterns for articles on animals and plants."""

from hopsight.wiki.mini.render.pattern import lines

LEAD = lines(
    "{B} is {a:class} native to {native_to}.",
    "{B} is {a:class} of the order {order}.",
    "{B} is {a:class} of the family {family}.",
    "{B} is {a:class} with the scientific name ''{scientific_name}''.",
    "{B} is {a:class}.",
    held=(
        "Biologists count {B} as {a:class} at home in {native_to}.",
        "Biologists count {B} as {a:class}.",
    ),
)

PATTERNS = {
    "scientific_name": lines(
        "The scientific name of {s} is ''{v}''.",
        "In science {s} is called ''{v}''.",
        "Its scientific name is ''{v}''.",
        "Biologists know {s} as ''{v}''.",
        held=("Under the rules of nomenclature, {s} bears the scientific name ''{v}''.",),
    ),
    "class": lines(
        "{s} is {a:v}.",
        "{s} is classed as {a:v}.",
        "By its class {s} is {a:v}.",
        "Zoologists and botanists call {s} {a:v}.",
        held=("In the broad division of living things, {s} is {a:v}.",),
    ),
    "order": lines(
        "{s} belongs to the order {v}.",
        "Its order is {v}.",
        "The order of {s} is {v}.",
        "{n} is placed in the order {v}.",
        held=("Systematists assign {s} to the order {v}.",),
    ),
    "family": lines(
        "{s} belongs to the family {v}.",
        "Its family is {v}.",
        "The family of {s} is {v}.",
        "{n} is placed in the family {v}.",
        held=("Systematists assign {s} to the family {v}.",),
    ),
    "order+family": lines(
        "{s} belongs to the family {family} in the order {order}.",
        "Its family is {family}, its order {order}.",
        "{n} is placed in the order {order} and the family {family}.",
        "The order of {s} is {order}, and its family is {family}.",
        held=("Systematists assign {s} to the order {order} and, within it, the family {family}.",),
    ),
    "native_to": lines(
        "{s} is native to {v}.",
        "{n} is native to {v}.",
        "The native range of {s} takes in {v}.",
        "{v} [is|are] home to {s} as a native species.",
        held=("In nature {s} lives in {v}, where it is at home.",),
        parts=(
            "{s} is native to {v}, among other places.",
            "The native range of {s} includes {v}.",
            "{n} is also native to {v}.",
            "Places where {s} is native include {v}.",
        ),
        parts_held=(
            "In nature {s} lives in {v}, where it is at home.",
            "To the home of {s} in nature also belong {v}.",
        ),
    ),
    "described_by": lines(
        "{s} was first described by {v}.",
        "{v} gave the first scientific description of {s}.",
        "The describer of {n} was {v}.",
        "The first scientific description of {s} is by {v}.",
        held=("Science owes the first description of {s} to {v}.",),
    ),
    "described_year": lines(
        "{s} was first described in {v}.",
        "The first scientific description of {s} dates from {v}.",
        "{n} was described in {v}.",
        "The year of its scientific description is {v}.",
        held=("Science has had a description of {s} since {v}.",),
    ),
    "described_by+described_year": lines(
        "{s} was first described by {described_by} in {described_year}.",
        "{described_by} gave the first scientific description of {s} in {described_year}.",
        "In {described_year} {described_by} described {s}.",
        "The scientific description of {s} by {described_by} dates from {described_year}.",
        held=("Science owes the description of {s} to {described_by}, in {described_year}.",),
    ),
    "national_symbol_of": lines(
        "{s} is a national symbol of {v}.",
        "{n} serves as a national symbol of {v}.",
        "{v} [has|have] {s} as a national symbol.",
        "As a national symbol {s} stands for {v}.",
        held=("Among the national symbols of {v} is {s}.",),
    ),
    "diet": lines(
        "{s} feeds on {v}.",
        "The diet of {s} includes {v}.",
        "{n} eats {v}.",
        "In its diet {s} relies on {v}.",
        held=("What {s} lives on includes {v}.",),
    ),
    "max_length_cm": lines(
        "{s} grows to a length of {v}.",
        "The greatest length of {s} is {v}.",
        "{n} can reach a length of {v}.",
        "Its maximum length is {v}.",
        held=("Measured end to end, {s} attains {v} at most.",),
    ),
    "max_mass_kg": lines(
        "{s} grows to a mass of {v}.",
        "The greatest mass of {s} is {v}.",
        "{n} can reach a mass of {v}.",
        "Its maximum mass is {v}.",
        held=("On the scales {s} attains {v} at most.",),
    ),
    "status_note": lines(
        "{s} is noted as follows: {v}.",
        "A note on {s}: {v}.",
        "On {n} it is noted: {v}.",
        "About {s} one may note: {v}.",
        held=("A remark on {s} reads: {v}.",),
    ),
}

SECTIONS = (
    (
        "Taxonomy",
        (
            "class",
            "scientific_name",
            "order+family",
            "described_by+described_year",
            "<persons.notable_works",
        ),
    ),
    ("Distribution", ("native_to", "status_note")),
    ("Biology", ("diet", "max_length_cm", "max_mass_kg")),
    ("In culture", ("national_symbol_of",)),
)
