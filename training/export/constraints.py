"""What a question says, in machine-readable form, without naming what it hides.

    {"anchor": {"image": sha256}, "hops": [{"relation", "inverse", "constraints": [...]}],
     "ask": attribute}

A solver starts at the page that has the picture, goes to the one entity that stands in the
relation and meets the constraints (an unknown value counts as meeting), and reads the attribute.
"""

import json
from typing import Any

from hopsight.types import Clue, Constraint, EvidenceChain, Question


def constraints_json(question: Question, chain: EvidenceChain) -> str:
    """The constraints of a question as JSON text with sorted keys."""
    value = {
        "anchor": {"image": question.images[0].sha256},
        "hops": [_hop(node.clue) for node in chain.nodes if node.clue is not None],
        "ask": chain.attribute,
    }
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _hop(clue: Clue) -> dict[str, Any]:
    return {
        "relation": clue.relation,
        "inverse": clue.inverse,
        "constraints": [_constraint(constraint) for constraint in clue.constraints],
    }


def _constraint(constraint: Constraint) -> dict[str, Any]:
    fields = ("attribute", "op", "value", "low", "high", "unit")
    return {name: value for name in fields if (value := getattr(constraint, name)) is not None}
