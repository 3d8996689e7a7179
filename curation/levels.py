"""How questions of each operator and of each total difficulty were solved."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from curation.origins import origins
from hopsight.types import Difficulty, PassRate, Question

By = Literal["operator", "difficulty"]

UNKNOWN: Final = "unknown"


@dataclass(frozen=True, slots=True)
class Level:
    """The questions of one operator, or of one difficulty. `rates`: policy to (graded, correct)."""

    by: By
    value: str
    questions: int
    rates: Mapping[str, tuple[int, int]]


def levels_of(
    generations: Iterable[Question],
    refined: Iterable[Question],
    difficulties: Iterable[Difficulty],
    rates: Sequence[PassRate],
) -> tuple[Level, ...]:
    """The questions that `rates` are of, by the operator of their refined form and by difficulty.

    `refined` are the questions as operators left them, and `generations` what review and
    enhancement made of them since: rates are of the last of these. A question of which nothing
    is known stands under `unknown`.
    """
    operators = {each.id: each.operator for each in refined}
    totals = {each.question_id: each.total for each in difficulties}
    first = origins(generations, operators) | {each: each for each in operators}
    groups: dict[tuple[By, float, str], list[PassRate]] = defaultdict(list)
    for rate in rates:
        before = first.get(rate.question_id)
        operator = UNKNOWN if before is None else operators[before]
        total = None if before is None else totals.get(before)
        groups["operator", 0.0, operator].append(rate)
        groups[_difficulty(total)].append(rate)
    # The order of words puts "difficulty" before "operator": the other way round they are shown.
    order = sorted(groups, key=lambda key: (key[0] != "operator", *key[1:]))
    return tuple(_level(by, value, groups[by, place, value]) for by, place, value in order)


def _difficulty(total: float | None) -> tuple[By, float, str]:
    if total is None:
        return ("difficulty", float("inf"), UNKNOWN)
    return ("difficulty", total, f"{total:g}")


def _level(by: By, value: str, rates: Sequence[PassRate]) -> Level:
    policies = sorted({rate.policy for rate in rates})
    sums = {
        policy: (
            sum(rate.graded for rate in rates if rate.policy == policy),
            sum(rate.correct for rate in rates if rate.policy == policy),
        )
        for policy in policies
    }
    return Level(by, value, len({rate.question_id for rate in rates}), sums)
