"""Which of a teacher's traces are learnt from."""

from typing import Annotated

from pydantic import Field

from hopsight.config.section import Section


class TraceConfig(Section):
    """Which of a teacher's correct traces are learnt from."""

    process_check: bool = Field(
        default=True,
        description="Let the analyzer judge the way of each correct trace: tools of use, answers "
        "that fit what they showed, no idle repetition [OSV].",
    )
    max_vain_share: Annotated[float, Field(ge=0, le=1)] = Field(
        0.25,
        description="Most turns of a trace that repeat or bring nothing, as a share of all [ours].",
    )
    max_extra_calls: Annotated[int, Field(ge=0, le=1_000)] = Field(
        2,
        description="Calls more than a question's leanest trace that one may have which is taken "
        "for a rarer pattern of tools; 0 always takes the leanest [ours].",
    )
