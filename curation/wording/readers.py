"""Who is asked about a question, and how many questions are under way at once."""

from dataclasses import dataclass
from functools import partial

from hopsight.llm.service import Models
from hopsight.steps import AskFor

STAGE = "grounded_questions"

CONCURRENT = 64
"""Questions under way at once; each endpoint sets how many calls its server takes."""


@dataclass(frozen=True, slots=True)
class Readers:
    """Who is asked, for which stage, and how many questions are under way at once."""

    generator: AskFor
    verifier: AskFor
    concurrency: int
    stage: str = STAGE


def readers_of(models: Models, stage: str = STAGE) -> Readers | None:
    """How the models of a round are asked for a stage; None where rules answer for both roles."""
    if models.endpoint("generator") is None and models.endpoint("verifier") is None:
        return None
    generator, verifier = (
        partial(models.complete, role, stage) for role in ("generator", "verifier")
    )
    return Readers(generator, verifier, CONCURRENT, stage)
