from curation.trajectories import Rollouts, teacher_trajectories, too_easy, tool_calls
from curation.verdicts import judge_all
from hopsight.errors import Outcome
from hopsight.types import BankImage, StopReason
from tests.curation.made import grounded, trajectory

QUESTION, OTHER = grounded().questions.kept[:2]


def rolled(*runs, held=frozenset()):
    verdicts = judge_all([QUESTION, OTHER], runs)
    return Rollouts.of(runs, verdicts, teacher="strong", held_pictures=held)


def select(*runs, questions=(QUESTION,), held=frozenset()):
    return teacher_trajectories([question.id for question in questions], rolled(*runs, held=held))


def right(**changes):
    return trajectory(QUESTION, QUESTION.answer, policy="strong", **changes)


def test_the_correct_trace_with_the_fewest_repeats_is_taken():
    lean = right(sample=2, calls=6)
    staged = select(right(sample=0, calls=4, repeats=2), right(sample=1, calls=9), lean)
    assert staged.kept == (lean,)


def test_wrong_traces_and_other_policies_teach_nothing():
    wrong = trajectory(QUESTION, "wrong", policy="strong")
    others = trajectory(QUESTION, QUESTION.answer, policy="weak")
    assert select(wrong, others).reasons() == {"teacher_failed": 1}


def test_an_answer_without_tools_marks_the_question_too_easy():
    assert select(right(calls=0)).reasons() == {"answered_without_tools": 1}
    used = right(sample=1, calls=3)
    assert select(right(calls=0), used).kept == (used,)


def test_a_trace_that_went_fatal_is_never_taken():
    staged = select(right(fatal_step=2), right(sample=1, calls=8))
    assert [each.sample for each in staged.kept] == [1]


def test_a_trace_that_saw_a_picture_of_evaluation_is_not_trained_on():
    picture = QUESTION.images[0]
    clean, shown = right(sample=1, calls=9), right(sample=0, calls=2)
    shown = shown.model_copy(update={"bank": (BankImage(handle=0, image=picture),)})
    held = frozenset({picture.sha256})
    assert select(clean, shown, held=held).kept == (clean,)
    assert select(shown, held=held).reasons() == {"saw_eval_picture": 1}


def seen(trace, **changes):
    """The trace with its first observation changed."""
    first, *others = trace.turns
    observation = first.observations[0].model_copy(update=changes)
    turn = first.model_copy(update={"observations": (observation, *first.observations[1:])})
    return trace.model_copy(update={"turns": (turn, *others)})


def test_the_text_of_an_outage_is_never_learnt_as_a_result():
    hit = seen(right(calls=2), outcome=Outcome.TRANSIENT)
    assert select(hit).reasons() == {"holds_outage": 1}
    clean = right(sample=1, calls=9)
    assert select(hit, clean).kept == (clean,)


def test_a_trace_that_went_for_a_blocked_source_is_never_taken():
    went = seen(right(calls=2), outcome=Outcome.BLOCKED, blocked="host:huggingface.co")
    assert select(went).reasons() == {"went_for_blocked_source": 1}
    assert select(went, right(calls=0)).reasons() == {"went_for_blocked_source": 1}


def test_missing_and_lost_rollouts_are_told_apart():
    lost = trajectory(QUESTION, None, policy="strong", stop=StopReason.INFRA_FATAL)
    staged = select(lost, questions=(QUESTION, OTHER))
    assert [(each.record_id, each.reason) for each in staged.rejected] == [
        (QUESTION.id, "infrastructure"),
        (OTHER.id, "no_teacher_rollout"),
    ]
    assert staged.entered == 2


def test_calls_are_counted_over_all_turns():
    assert tool_calls(right(calls=5)) == 5


def test_a_question_is_too_easy_where_half_of_the_graded_answers_took_no_tool():
    bare, used = right(calls=0), right(sample=1, calls=3)
    wrong = trajectory(QUESTION, "wrong", policy="strong", sample=2, calls=0)
    lost = trajectory(QUESTION, None, policy="strong", sample=3, stop=StopReason.INFRA_FATAL)
    ids = [QUESTION.id, OTHER.id]
    assert too_easy(ids, rolled(bare, used)) == {QUESTION.id}
    assert too_easy(ids, rolled(bare, used, wrong)) == frozenset()
    assert too_easy(ids, rolled(bare, used, lost)) == {QUESTION.id}
    assert too_easy(ids, rolled(wrong)) == frozenset()
