"""Probes one after the other, cheapest first: what one has solved is not paid for again."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from curation.probes.direct import DIRECT
from curation.probes.kinds import PROBES
from curation.probes.outcomes import Probed
from hopsight.stage import Staged
from hopsight.types import ProbeResult, Question, Rejection, Trajectory, Verdict

ORDER: Final = (DIRECT, *PROBES)
"""The names of the probes in the order in which they are made, whatever order they are given in."""

Probing = Callable[[Sequence[Question]], Probed]
"""Puts one probe to questions."""


def probe_questions(questions: Sequence[Question], probings: Mapping[str, Probing]) -> Probed:
    """Put each of the given probes, by name, to the questions that the ones before left over."""
    left = tuple(questions)
    rejected: list[Rejection] = []
    results: list[ProbeResult] = []
    verdicts: list[Verdict] = []
    trajectories: list[Trajectory] = []
    for name in ORDER:
        if name not in probings or not left:
            continue
        probed = probings[name](left)
        left = probed.questions.kept
        rejected += probed.questions.rejected
        results += probed.results
        verdicts += probed.verdicts
        trajectories += probed.trajectories
    staged = Staged(len(questions), left, tuple(rejected))
    return Probed(staged, tuple(results), tuple(verdicts), tuple(trajectories))
