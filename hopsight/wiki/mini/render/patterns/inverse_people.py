"""What a page tells of the people who name it: a birthplace, a school, a teacher, a work."""

from hopsight.wiki.mini.render.pattern import Lines, lines


def _people(did: str, third: str, held: str, more: str) -> Lines:
    """Lines for people and a place; `did` is "born in", the others are whole patterns."""
    return lines(
        f"[One person|Notable people] {did} {{s}} [is|include] {{v}}.",
        f"Among those {did} {{s}} [is|are] {{v}}.",
        third,
        f"Notable people {did} {{n}} include {{v}}.",
        held=(held,),
        parts=(
            f"Notable people {did} {{s}} include {{v}}.",
            f"Among those {did} {{s}} are {{v}}.",
            third,
            f"Notable people {did} {{n}} include {{v}}.",
        ),
        parts_held=(held, more),
    )


INVERSE = {
    "persons.birth_place": (
        "People",
        _people(
            "born in",
            "{v} first saw the light in {s}.",
            "The cradle of {v} stood in {s}.",
            "Also born in {s} were {v}.",
        ),
    ),
    "persons.death_place": (
        "People",
        _people(
            "who died in",
            "In {s} {v} died.",
            "{s} saw the [life|lives] of {v} end.",
            "Also in {s} came the deaths of {v}.",
        ),
    ),
    "persons.country": (
        "People",
        _people(
            "associated with",
            "{v} [is|are] counted among the people of {s}.",
            "Encyclopedias list under {s} {v}.",
            "Also listed under {s} in encyclopedias are {v}.",
        ),
    ),
    "persons.studied_at": (
        "People",
        _people(
            "who studied at",
            "{v} [was a student|were students] at {s}.",
            "The lecture rooms of {s} were known to {v}.",
            "Also known to the lecture rooms of {s} were {v}.",
        ),
    ),
    "persons.teacher": (
        "Life",
        lines(
            "[A pupil|Pupils] of {s} [was|were] {v}.",
            "{s} was the teacher of {v}.",
            "Among the pupils of {n} [was|were] {v}.",
            "{v} learned from {s} as [a pupil|pupils].",
            held=("The teaching of {s} shaped {v}.",),
        ),
    ),
    "persons.notable_works": (
        "History",
        lines(
            "{s} <is|are> counted among the notable works of {v}.",
            "Among the notable works of {v} <is|are> {s}.",
            "{n} is a notable work of {v}.",
            "{s} <is|are> linked with the name[|s] of {v}.",
            held=("Tied to {s} [is|are] the name[|s] of {v}.",),
        ),
    ),
}
