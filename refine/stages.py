"""One operator on the questions that are due for it; the others go on as they are."""

from collections.abc import Mapping
from dataclasses import dataclass

from hopsight.chains import Framed
from hopsight.chains.walker import Walker
from hopsight.config.refine import RefineConfig
from refine import blur, expand, visualize
from refine.plans import Operator, parted, rejoined

STAGES: Mapping[Operator, str] = {
    "expand": expand.STAGE,
    "blur": blur.STAGE,
    "visualize": visualize.STAGE,
}
"""The stage of each operator, in their order."""


@dataclass(frozen=True, slots=True)
class Refined:
    """What one operator made: of `due` it made `harder`, and all questions together go on."""

    due: Framed
    harder: Framed
    joined: Framed


def refined_by(
    operator: Operator, walker: Walker, entered: Framed, rules: RefineConfig, *, seed: int
) -> Refined:
    """Apply one operator as a round says. `joined` holds the rejections of the attempts."""
    due, _ = parted(entered, operator, rules.plans, seed)
    harder = _applied(operator, walker, due, rules, seed)
    return Refined(due, harder, rejoined(entered, harder))


def _applied(
    operator: Operator, walker: Walker, due: Framed, rules: RefineConfig, seed: int
) -> Framed:
    if operator == "expand":
        return expand.expanded_questions(walker, due, hops=rules.expand.hops, seed=seed)
    if operator == "blur":
        bounds = rules.blur
        return blur.blurred_questions(
            walker, due, nodes=bounds.nodes, facts=bounds.facts, seed=seed
        )
    most = rules.visualize
    return visualize.visualized_questions(
        walker, due, nodes=most.nodes, facts=most.facts, seed=seed
    )
