import asyncio
import json

import pytest

from hopsight.config.models import ROLES
from hopsight.errors import ProviderError
from hopsight.llm.chat import Picture
from hopsight.llm.prompts import prompt_names
from hopsight.llm.structured import Refused
from hopsight.steps import STEPS, run_step
from tests.hopsight.llm.scripted import Scripted, down, text_of
from tests.hopsight.steps.samples import samples, written

OF_OTHERS = {"judge_answer", "judge_queries", "read_page"}
NAMES = sorted(STEPS)


@pytest.fixture(params=NAMES)
def case(request):
    """A step, its input, the reference's answer, a wrong answer, and why it is wrong."""
    step = STEPS[request.param]
    item, wrong, problem = samples()[step.name]
    return step, item, step.reference(item), written(wrong), problem


def run(step, item, script):
    return asyncio.run(run_step(step, item, script))


def test_every_step_has_a_sample_and_every_prompt_is_of_a_step_or_of_a_judge():
    assert set(samples()) == set(STEPS)
    assert set(prompt_names()) - OF_OTHERS == set(STEPS)


def test_a_prompt_has_its_steps_name_and_role_and_is_filled_from_the_input(case):
    step, item, *_ = case
    assert (step.prompt.name, step.prompt.role) == (step.name, step.role)
    assert step.role in ROLES
    assert set(step.fill(item)) == step.prompt.placeholders
    assert isinstance(item, step.input)


def test_a_prompt_shows_the_names_of_all_fields_that_it_asks_for(case):
    step, *_ = case
    schema = step.output.model_json_schema()
    system = step.prompt.sections[0][1]
    parts = [schema, *schema.get("$defs", {}).values()]
    for field in (name for part in parts for name in part.get("properties", ())):
        assert f'"{field}":' in system


def test_the_reference_answers_by_rule_and_passes_its_own_check(case):
    step, item, answer, *_ = case
    if step.name == "verify_hop":
        assert answer.verdict == "not_supported"
    assert step.check(item, answer) is None
    assert asyncio.run(run_step(step, item, None)) == answer


def test_a_good_answer_of_a_model_is_taken(case):
    step, item, answer, *_ = case
    script = Scripted([f"Here it is:\n```json\n{written(answer)}\n```"])
    assert run(step, item, script) == answer
    request, _ = script.asked[0]
    assert request.json_schema == step.output.model_json_schema()
    assert request.max_tokens == step.max_tokens


def test_an_answer_of_another_shape_is_shown_back_and_mended(case):
    step, item, answer, *_ = case
    script = Scripted(['{"something": "else"}', written(answer)])
    assert run(step, item, script) == answer
    assert len(script.asked) == 2


def test_an_answer_that_fails_its_check_is_shown_back_with_the_reason_and_mended(case):
    step, item, answer, wrong, problem = case
    script = Scripted([wrong, written(answer)])
    assert run(step, item, script) == answer
    told = text_of(script.asked[1][0])
    assert problem in told
    assert "That answer cannot be used" in told


def test_an_answer_that_fails_its_check_twice_is_refused_with_the_reason(case):
    step, item, _, wrong, problem = case
    script = Scripted([wrong])
    refused = run(step, item, script)
    assert isinstance(refused, Refused)
    assert (refused.reason, refused.attempts, len(script.asked)) == ("check_failed", 2, 2)
    assert problem in refused.detail
    assert json.loads(refused.raw)


def test_what_holds_no_answer_is_refused_and_a_failing_server_is_not(case):
    step, item, *_ = case
    refused = run(step, item, Scripted(["I cannot help with that."]))
    assert isinstance(refused, Refused)
    assert (refused.reason, refused.attempts) == ("no_json", 3)
    with pytest.raises(ProviderError):
        run(step, item, Scripted([down()]))


def test_only_the_captioner_is_shown_pictures():
    for name, (item, *_) in samples().items():
        script = Scripted(["?"])
        run(STEPS[name], item, script)
        parts = [part for message in script.asked[0][0].messages for part in message.content]
        assert any(isinstance(part, Picture) for part in parts) == (name == "caption_picture")
