"""Probes: shortcuts that are tried, not opinions. A question that one solves is out.

Each is an executed episode, judged as a rollout is:

    direct          one turn without tools
    text_search     one search for the question's words, then the first pages that it lists
    image_search    one search for the question's picture, then the first pages that it lists
    text_only       the picture withheld, all tools
    blank_picture   a picture of one colour in place of the question's, all tools

They are made in this order, which is that of their cost, and a question that one has solved is
not put to the next. Whether each hop is needed is no episode: `hopsight.chains.unneeded_hop`
follows the facts.
"""

from curation.probes.direct import DIRECT, direct, one_turn
from curation.probes.episodes import Ground, play, prober_policy
from curation.probes.figures import ProbeFigures, probe_figures
from curation.probes.kinds import PROBES, Probe
from curation.probes.order import ORDER, Probing, probe_questions
from curation.probes.outcomes import STAGE, Probed, sort_out

__all__ = [
    "DIRECT",
    "ORDER",
    "PROBES",
    "STAGE",
    "Ground",
    "Probe",
    "ProbeFigures",
    "Probed",
    "Probing",
    "direct",
    "one_turn",
    "play",
    "probe_figures",
    "probe_questions",
    "prober_policy",
    "sort_out",
]
