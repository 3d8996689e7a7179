"""What a question could do without: a hop, the first picture, or what another picture shows."""

from collections.abc import Collection, Iterable
from dataclasses import replace

from tests.checker.solve import PICTURE, Condition, Riddle, Solution, candidates, fits, related
from tests.checker.words import tokens
from tests.checker.world import World


def idle_hop(world: World, riddle: Riddle, anchor_kind: str | None) -> int | None:
    """The first hop that could be left out, 0 for the picture; None if each one is needed.

    A hop is left out by striking its relation, so that its entity is known by its description
    alone; without the picture, all that is known of the first entity is its kind. The hop is idle
    if the rest gives fewer than two answers. Here infoboxes are taken at their word: whoever
    reads them passes over an article that says nothing, so an open condition is not met.
    """
    descriptions = [frozenset({Condition("infobox", anchor_kind)})]
    descriptions += [step.conditions for step in riddle.steps]
    for number, description in enumerate(descriptions):
        reached = described(world, description)
        for step in riddle.steps[number:]:
            ways = (related(world, title, step.relation, step.inverse) for title in reached)
            reached = {other for other in set().union(*ways) if fits(world, other, step.conditions)}
        if len(_answers(world, reached, riddle.ask)) < 2:
            return number
    return None


def _answers(world: World, titles: Iterable[str], ask: str) -> set[tuple[str, ...]]:
    return {
        tokens(value.text) for title in titles for value in world.articles[title].facts.get(ask, ())
    }


def described(world: World, conditions: Collection[Condition]) -> set[str]:
    """The articles that surely meet a description."""
    kinds = {each.value for each in conditions if each.attribute == "infobox"}
    wanted = world.by_kind(*kinds) if len(kinds) == 1 else world.articles
    return {title for title in wanted if fits(world, title, conditions)}


def idle_look(world: World, riddle: Riddle, solution: Solution) -> int | None:
    """The first hop whose article is the only one that fits without a look at its picture."""
    for number, step in enumerate(riddle.steps, start=1):
        plain = frozenset(each for each in step.conditions if each.attribute != PICTURE)
        if plain == step.conditions:
            continue
        if len(candidates(world, solution.path[number - 1], replace(step, conditions=plain))) < 2:
            return number
    return None


def telling_hop(world: World, riddle: Riddle, fewest: int) -> int | None:
    """The first hop whose words, without a look at a picture, fit fewer than `fewest` articles.

    Whoever finds one of a few by its description alone needs no way to it.
    """
    for number, step in enumerate(riddle.steps, start=1):
        plain = [each for each in step.conditions if each.attribute != PICTURE]
        if len(described(world, plain)) < fewest:
            return number
    return None
