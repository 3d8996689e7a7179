"""Patterns for articles on persons. No pattern tells a person's gender."""

from hopsight.wiki.mini.render.pattern import lines

LEAD = lines(
    "{B} {was} {a:occupation} born {in:birth_place}.",
    "{B} {was} {a:occupation}, born in {birth_year}.",
    "{B}, {a:occupation}, {was} a native of {birth_place}.",
    "{B} {was} {a:occupation} connected with {country}.",
    "{B} {was} {a:occupation}.",
    held=(
        "By occupation {B} {was} {a:occupation}; the year of birth is {birth_year}.",
        "{birth_place} [is|are] the birthplace of {B}, {a:occupation}.",
        "By occupation {B} {was} {a:occupation}.",
    ),
)

PATTERNS = {
    "occupation": lines(
        "{s} worked as {a:v}.",
        "By occupation {s} {was} {a:v}.",
        "The occupation[|s] of {s} [is|are] given as {v}.",
        "{s} is known as {a:v}.",
        held=("Reference works list {s} as {a:v}.",),
    ),
    "birth_year": lines(
        "{s} was born in {v}.",
        "The birth of {s} took place in {v}.",
        "{n} was born in {v}.",
        "The year of birth of {s} is {v}.",
        held=("The life of {s} began in {v}.",),
    ),
    "birth_place": lines(
        "{s} was born {in:v}.",
        "The birthplace of {s} is {v}.",
        "{n} was born {in:v}.",
        "{v} is where {s} was born.",
        held=("It was {in:v} that the life of {s} began.",),
    ),
    "birth_year+birth_place": lines(
        "{s} was born {in:birth_place} in {birth_year}.",
        "In {birth_year} {s} was born {in:birth_place}.",
        "The birthplace of {s} is {birth_place}, and the year of birth is {birth_year}.",
        "{n} was born in {birth_year} {in:birth_place}.",
        held=("The life of {s} began in {birth_year} {in:birth_place}.",),
    ),
    "death_year": lines(
        "{s} died in {v}.",
        "The death of {s} came in {v}.",
        "{n} died in {v}.",
        "The year of death of {s} is {v}.",
        held=("The life of {s} ended in {v}.",),
    ),
    "death_place": lines(
        "{s} died {in:v}.",
        "The death of {s} took place {in:v}.",
        "{n} died {in:v}.",
        "{v} is where {s} died.",
        held=("It was {in:v} that the life of {s} ended.",),
    ),
    "death_year+death_place": lines(
        "{s} died {in:death_place} in {death_year}.",
        "In {death_year} {s} died {in:death_place}.",
        "The death of {s} came in {death_year} {in:death_place}.",
        "{n} died in {death_year} {in:death_place}.",
        held=("The life of {s} ended in {death_year} {in:death_place}.",),
    ),
    "country": lines(
        "The countr[y|ies] of {s} [is|are] given as {v}.",
        "{s} is counted among the notable people of {v}.",
        "{n} is associated with {v}.",
        "By country {s} belongs to {v}.",
        held=("Encyclopedias file {s} under {v}.",),
    ),
    "field": lines(
        "The field of {s} {was} {v}.",
        "{s} worked in the field of {v}.",
        "{n} is known for work in {v}.",
        "The work of {s} belongs to {v}.",
        held=("In the map of knowledge, the work of {s} falls under {v}.",),
    ),
    "studied_at": lines(
        "{s} studied at {v}.",
        "{n} was a student at {v}.",
        "The place[|s] of study of {s} [was|were] {v}.",
        "{s} was educated at {v}.",
        held=("As a student {s} attended {v}.",),
    ),
    "notable_works": lines(
        "{s} is known for {v}.",
        "[A notable work|Notable works] of {s} [is|are] {v}.",
        "{v} [is|are] among the notable works of {s}.",
        "The notable work of {n} includes {v}.",
        held=("The name of {s} is tied to {v}.",),
        parts=(
            "Notable works of {s} include {v}.",
            "{s} is known for {v}.",
            "Among the notable works of {s} are {v}.",
            "The notable work of {n} includes {v}.",
        ),
        parts_held=(
            "Tied to the name of {s} are {v}.",
            "Also tied to the name of {s} are {v}.",
        ),
    ),
    "teacher": lines(
        "{s} was a pupil of {v}.",
        "The teacher[|s] of {s} [was|were] {v}.",
        "{n} was taught by {v}.",
        "{v} taught {s}.",
        held=("As a pupil {s} learned from {v}.",),
    ),
}

SECTIONS = (
    (
        "Life",
        (
            "birth_year+birth_place",
            "country",
            "studied_at",
            "teacher",
            "<persons.teacher",
            "death_year+death_place",
        ),
    ),
    (
        "Work",
        (
            "occupation",
            "field",
            "notable_works",
            "<artworks.creator",
            "<books.author",
            "<music.composer",
            "<buildings.architect",
            "<inventions.inventor",
        ),
    ),
)
