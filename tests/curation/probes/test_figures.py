"""What is told of each probe."""

from curation.probes import ORDER, probe_figures
from hopsight.config.rounds import PROBE_NAMES
from hopsight.stats import wilson
from hopsight.types import ProbeResult


def result(probe, number, *, solved=False, detail="1 judged"):
    return ProbeResult(
        question_id=f"q_{number}", probe=probe, answer=None, solved=solved, detail=detail
    )


def test_figures_leave_what_was_lost_out_of_the_share():
    results = [
        result("text_only", 1, solved=True),
        result("text_only", 2, detail="unjudged"),
        result("text_only", 3),
        result("direct", 1),
    ]
    direct, text_only = probe_figures(results)
    assert (direct.probe, direct.tried, direct.solved) == ("direct", 1, 0)
    assert (text_only.tried, text_only.solved, text_only.unjudged) == (3, 1, 1)
    assert text_only.interval == wilson(1, 2)


def test_probes_that_were_not_made_have_no_figures():
    assert probe_figures([]) == ()


def test_the_configuration_names_the_probes_that_there_are():
    assert PROBE_NAMES == ORDER
