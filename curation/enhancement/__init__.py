"""Enhancement: pictures made worse in a known way, each with a tool that is seen to restore it.

A question whose attempt fails goes on with its clean picture, and the attempt is told with its
reason: a row that no tool helps would teach that tools do not help.
"""

from curation.enhancement.attempt import TOOL_OF, Measured, Tried, measured, restored
from curation.enhancement.measures import Scale, scale_for
from curation.enhancement.stage import (
    STAGE,
    Enhanced,
    Studio,
    chosen,
    enhanced_questions,
    originals,
    possible,
    unchanged,
    unproven,
)

__all__ = [
    "STAGE",
    "TOOL_OF",
    "Enhanced",
    "Measured",
    "Scale",
    "Studio",
    "Tried",
    "chosen",
    "enhanced_questions",
    "measured",
    "originals",
    "possible",
    "restored",
    "scale_for",
    "unchanged",
    "unproven",
]
