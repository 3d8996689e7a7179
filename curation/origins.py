"""Where a question comes from: review and enhancement let it go on under another id."""

from collections.abc import Collection, Iterable

from hopsight.types import Question


def origins(questions: Iterable[Question], known: Collection[str]) -> dict[str, str]:
    """For each question's id the id in `known` that it comes from, its own where it is there.

    `questions` holds every generation after that of `known`, in any order: parents are followed
    through them. What comes from none of `known` is left out.
    """
    parents = {each.id: each.parent_id for each in questions}
    found: dict[str, str] = {}
    for id in parents:
        first: str | None = id
        while first is not None and first not in known:
            first = parents.get(first)
        if first is not None:
            found[id] = first
    return found
