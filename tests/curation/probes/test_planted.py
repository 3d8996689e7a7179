"""Each probe catches a shortcut that no other catches, and lets a sound question through."""

import pytest

from curation.probes import ORDER, probe_questions
from tests.curation.planted import PLANTED, SOUND, probings

KNOWN = {"direct": ("Gorvia", "Gorvia City", "Gorvia Water")}


@pytest.mark.parametrize("name", ORDER)
def test_each_probe_catches_what_no_other_one_does(atlas_home, name):
    question = PLANTED[name]
    tried = probings(atlas_home, *KNOWN.get(name, ()))
    caught = {
        each
        for each in ORDER
        if probe_questions([question], {each: tried[each]}).questions.reasons()
        == {f"{each}_probe_solved": 1}
    }
    assert caught == {name}


def test_a_sound_question_withstands_all_of_them(atlas_home):
    probed = probe_questions([SOUND], probings(atlas_home))
    assert probed.questions.kept == (SOUND,)
    assert [(each.probe, each.solved) for each in probed.results] == [(n, False) for n in ORDER]
    assert len(probed.trajectories) == len(probed.verdicts) == len(ORDER)


def test_what_one_probe_solved_is_not_put_to_the_next(atlas_home):
    questions = [SOUND, PLANTED["text_search"], PLANTED["text_only"]]
    probed = probe_questions(questions, probings(atlas_home))
    assert probed.questions.entered == 3
    assert probed.questions.kept == (SOUND,)
    assert probed.questions.reasons() == {
        "text_only_probe_solved": 1,
        "text_search_probe_solved": 1,
    }
    tried: dict[str, list[str]] = {question.id: [] for question in questions}
    for each in probed.results:
        tried[each.question_id].append(each.probe)
    assert tried[SOUND.id] == list(ORDER)
    assert tried[PLANTED["text_search"].id] == ["direct", "text_search"]
    assert tried[PLANTED["text_only"].id] == ["direct", "text_search", "image_search", "text_only"]


def test_neither_the_order_of_questions_nor_that_of_probes_matters(atlas_home):
    questions = [SOUND, *PLANTED.values()]
    tried = probings(atlas_home)
    one = probe_questions(questions, tried)
    other = probe_questions(questions[::-1], dict(reversed(tried.items())))
    assert {each.id for each in one.questions.kept} == {each.id for each in other.questions.kept}
    assert {each.id for each in one.results} == {each.id for each in other.results}
    assert {each.id for each in one.trajectories} == {each.id for each in other.trajectories}


def test_without_probes_every_question_stays():
    probed = probe_questions([SOUND], {})
    assert (probed.questions.kept, probed.results) == ((SOUND,), ())
