import pytest

from hopsight.errors import Outcome
from hopsight.steps import DIAGNOSE_TRACE, JUDGE_PROCESS
from hopsight.steps.diagnose_trace import OF_MODE, SHARED, TraceFinding, diagnosis_of
from hopsight.steps.judge_process import Process, ProcessFinding, TurnMark
from hopsight.steps.turns import told_turns
from hopsight.types import DimensionMark, StopReason
from tests.curation import made
from tests.hopsight.steps.samples import ANSWERING, TURNS, trace, turn, wrong


def process(*turns, answer="1237"):
    return Process(question="When was it founded?", turns=turns, final_answer=answer)


def marks(*words):
    return tuple(TurnMark(turn=n, mark=word) for n, word in enumerate(words, start=1))


def by_rule(*turns, answer="1237"):
    found = JUDGE_PROCESS.reference(process(*turns, answer=answer))
    assert not wrong(JUDGE_PROCESS, process(*turns, answer=answer), found)
    return [each.mark for each in found.marks], found.verdict


FOUND = turn("It was founded in 1237.")


def test_the_rules_mark_each_turn_by_what_came_back():
    empty, failed = turn("", Outcome.EMPTY), turn("founded in 1237", Outcome.TRANSIENT)
    again = turn("It was founded in 1237.", repeat=True)
    assert by_rule(FOUND, ANSWERING) == (["useful", "useful"], "keep")
    assert by_rule(FOUND, again, ANSWERING) == (["useful", "repeats", "useful"], "keep")
    assert by_rule(empty, empty, empty, FOUND, ANSWERING)[1] == "reject"
    assert by_rule(failed, ANSWERING) == (
        ["ineffective", "inconsistent_with_observation"],
        "reject",
    )


def test_an_answer_that_no_tool_found_or_none_at_all_is_rejected():
    assert by_rule(FOUND, ANSWERING, answer="1900")[0][-1] == "inconsistent_with_observation"
    assert by_rule(FOUND, answer=None) == (["useful"], "reject")
    assert by_rule(answer=None) == ([], "reject")


def test_turns_are_shown_in_short_and_the_shorter_the_more_there_are():
    long = turn("found " * 1000, arguments="x" * 1000)
    few, many = told_turns([long] * 10), told_turns([long] * 400)
    assert len(few) < 10 * 900
    assert len(many) < 400 * 200
    assert many.count("\nTurn ") == 399
    assert "repeats an earlier call" in told_turns([turn("a", repeat=True)])
    unseen = ANSWERING.model_copy(update={"calls": long.calls})
    assert "nothing came back" in told_turns([unseen])


@pytest.mark.parametrize(
    ("found", "problem"),
    [
        (marks("useful", "useful"), "turn number 3 is missing"),
        (marks("useful", "useful", "useful", "useful"), "not one of 1 to 3"),
        (marks("repeats", "ineffective", "ineffective"), "no turn is marked as useful"),
        (marks("ineffective", "useful", "inconsistent_with_observation"), "inconsistent"),
        (marks("useful", "useful", "useful"), "turn 1 is marked as useful"),
        (marks("repeats", "useful", "useful"), None),
    ],
)
def test_a_finding_has_a_mark_for_each_turn_and_keeps_only_good_work(found, problem):
    finding = ProcessFinding(marks=found, reason="r", verdict="keep")
    told = wrong(JUDGE_PROCESS, process(*TURNS), finding)
    assert told == "" if problem is None else problem in told


def diagnosed(**changes):
    item = trace(**changes)
    found = DIAGNOSE_TRACE.reference(item)
    assert not wrong(DIAGNOSE_TRACE, item, found)
    return found.label, {mark.dimension: mark for mark in found.marks}


@pytest.mark.parametrize(
    ("correct", "replay", "label", "match", "utility"),
    [
        (4, None, "too_easy", -5, -5),
        (2, None, "good_match", 5, 5),
        (1, None, "good_match", 0, 2),
        (0, None, "too_hard", -5, -5),
        (0, True, "too_hard", -5, -5),
        (0, False, "fake_hard", -5, -5),
    ],
)
def test_the_label_follows_the_pass_rate_and_the_replay(correct, replay, label, match, utility):
    found, marks = diagnosed(correct=correct, solved_with_evidence=replay)
    assert found == label
    assert marks["difficulty_match"].score == match
    assert marks["learning_utility"].score == utility


@pytest.mark.parametrize(
    "lost", [{"outcome": "infra"}, {"stop_reason": StopReason.INFRA_FATAL, "graded": 0}]
)
def test_a_lost_rollout_is_labelled_so_and_scores_nothing(lost):
    label, marks = diagnosed(**lost)
    assert label == "infra_failure"
    assert {mark.score for mark in marks.values()} == {0}
    blaming = TraceFinding(marks=tuple(marks.values()), label="too_hard")
    assert "does not fit" in wrong(DIAGNOSE_TRACE, trace(**lost), blaming)


def test_dimensions_are_those_of_the_mode():
    label, marks = diagnosed(mode="sft")
    assert label is None
    assert tuple(marks) == SHARED + OF_MODE["sft"]
    assert tuple(diagnosed()[1]) == SHARED + OF_MODE["rl"]


def test_shortcuts_pictures_and_found_answers_are_scored_and_blamed():
    _, good = diagnosed(turns=(turn("1237", arguments='{"image": "<image:0>"}'), ANSWERING))
    assert [good[name].score for name in SHARED] == [-2, 3, 4, 4]
    assert good["information_complexity"].stage == "explore"
    assert {good[name].stage for name in SHARED[1:]} == {"none"}
    _, bad = diagnosed(
        pictures=0, leaks=("a page held both",), gold="1900", solved_with_evidence=False
    )
    assert [bad[name].score for name in SHARED[1:]] == [-5, -5, -5]
    assert [bad[name].stage for name in SHARED[1:]] == ["seed_entities", "organize", "curate"]
    _, blind = diagnosed(turns=(ANSWERING,))
    assert (blind["shortcut_leakage"].score, blind["shortcut_leakage"].stage) == (-4, "curate")


def test_a_finding_that_leaves_out_a_dimension_or_blames_nobody_is_refused():
    good = DIAGNOSE_TRACE.reference(trace())
    short = good.model_copy(update={"marks": good.marks[1:]})
    assert "marks are wanted" in wrong(DIAGNOSE_TRACE, trace(), short)
    twice = good.model_copy(update={"marks": (good.marks[0], *good.marks[:-1])})
    assert "marks are wanted" in wrong(DIAGNOSE_TRACE, trace(), twice)
    mark = DimensionMark(dimension=SHARED[0], evidence="e", score=-1, stage="none")
    blameless = good.model_copy(update={"marks": (mark, *good.marks[1:])})
    assert "stage is at fault" in wrong(DIAGNOSE_TRACE, trace(), blameless)
    assert "label is wanted" in wrong(
        DIAGNOSE_TRACE, trace(), TraceFinding(marks=good.marks, label=None)
    )


def test_a_diagnosis_is_a_record_of_its_trajectory():
    question = made.grounded().questions.kept[0]
    trajectory = made.trajectory(question, "x")
    record = diagnosis_of(trajectory, "rl", DIAGNOSE_TRACE.reference(trace()))
    assert record.parents == (trajectory.id,)
    assert record.id.startswith("diag_")
    assert record.label == "good_match"
