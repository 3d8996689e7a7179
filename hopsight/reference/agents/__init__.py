"""Search agents by rule: they see what the harness shows them and nothing else."""

from hopsight.reference.agents.direct import DirectAnswerer, Memory
from hopsight.reference.agents.habits import STRONG, WEAK
from hopsight.reference.agents.walker import SearchAgent

__all__ = ["DirectAnswerer", "Memory", "strong_agent", "weak_agent"]


def weak_agent() -> SearchAgent:
    """Reads little, takes the first likely link, checks nothing."""
    return SearchAgent(WEAK)


def strong_agent() -> SearchAgent:
    """Reads more, checks candidates against the question, goes back when a way ends."""
    return SearchAgent(STRONG)
