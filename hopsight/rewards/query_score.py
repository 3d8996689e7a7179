"""r_query: how well a trajectory searched, in four dimensions, each in [0, 1]."""

from dataclasses import dataclass
from statistics import fmean

from pydantic import Field

from hopsight.types import Part


class QueryScore(Part):
    """The four dimensions of r_query [OSV]; `complementarity` is None for a task without pictures.

    relevance: the queries ask for what the question or something found needs. progression: each
    builds on what was found and repeats nothing. signal: what came back was new. complementarity:
    pictures and words feed each other.
    """

    relevance: float = Field(ge=0, le=1)
    progression: float = Field(ge=0, le=1)
    signal: float = Field(ge=0, le=1)
    complementarity: float | None = Field(ge=0, le=1)

    @property
    def value(self) -> float:
        """r_query: the mean of the dimensions that apply. [ours: equal weights]"""
        known = (self.relevance, self.progression, self.signal, self.complementarity)
        return fmean(part for part in known if part is not None)


@dataclass(frozen=True, slots=True)
class Invalid:
    """No r_query could be had: infrastructure failed. It is left out, and is never 0."""

    reason: str
    detail: str
