"""What is found at an endpoint is what it did, and infrastructure is never "cannot"."""

from typing import get_args

import pytest

from hopsight.errors import ConfigError
from hopsight.llm.chat import ChatAnswer, Picture, TokenLogprob, TokenUse, ToolUse
from hopsight.llm.failures import ModelError, Reason
from hopsight.llm.preflight import (
    TOKENS,
    Probed,
    Seen,
    check_endpoint,
    hints,
    preflight,
    problems,
)
from tests.hopsight.llm.calls import KEY, endpoint, place, run
from tests.llm_server import LlmServer

ALL = list(get_args(Seen))


def kind(request):
    """Which probe a request belongs to."""
    if request.json_schema is not None:
        return "json_schema"
    if request.tools:
        return "tools"
    if request.top_logprobs is not None:
        return "logprobs"
    content = request.messages[0].content
    return "pictures" if any(isinstance(part, Picture) for part in content) else "text"


class Far:
    """The far side, by probe: an answer, or a list of what each call meets."""

    def __init__(self, **by):
        self.by = by
        self.asked = []

    async def __call__(self, request):
        name = kind(request)
        self.asked.append(name)
        said = self.by.get(name, "ready")
        if isinstance(said, list):
            said = said.pop(0)
        if isinstance(said, ModelError):
            raise said
        return said if isinstance(said, ChatAnswer) else answer(said)


def answer(text, **more):
    known = {"finish": "stop", "model": "m", "tokens": TokenUse(prompt=1, completion=1)}
    return ChatAnswer(text=text, **(known | more))


def seen(far):
    return {each.capability: each for each in run(lambda: preflight(far, 1))}


def failed(reason, detail="status 500, oops"):
    return ModelError(reason, detail)


def test_an_able_endpoint_is_seen_to_do_everything_but_pictures_it_guesses_at():
    call = ToolUse(call_id="1", name="report", arguments="{}")
    logprob = TokenLogprob(token="yes", logprob=-0.1)
    far = Far(
        json_schema='{"number": 7}',
        tools=answer("", tool_calls=(call,), finish="tool_calls"),
        logprobs=answer("yes", logprobs=(logprob,)),
        pictures="It shows 4711 and 1234.",
    )
    found = seen(far)
    assert list(found) == far.asked == ALL
    assert {name for name, each in found.items() if each.able} == {*ALL} - {"pictures"}
    assert found["pictures"].detail == "it said: It shows 4711 and 1234."


def test_a_picture_counts_as_seen_only_by_the_number_that_it_alone_shows():
    far = Far(pictures=" ".join(map(str, range(1_000, 10_000))))
    assert seen(far)["pictures"].able is True
    shown = {run(lambda seed=seed: preflight(Far(), seed))[-1].able for seed in range(3)}
    assert shown == {False}


@pytest.mark.parametrize(
    "text", ["seven", "", '{"number": "7"}', '{"number": true}', "[7]", "[" * 3_000]
)
def test_a_schema_that_is_not_held_to_is_not_there(text):
    assert seen(Far(json_schema=text))["json_schema"].able is False


def test_a_call_written_as_text_is_no_tool_call():
    assert seen(Far(tools='{"name": "report", "arguments": {}}'))["tools"].able is False


@pytest.mark.parametrize("reason", [Reason.BAD_REQUEST, Reason.NOT_FOUND, Reason.NO_LOGPROBS])
def test_a_refusal_is_cannot(reason):
    assert seen(Far(logprobs=failed(reason)))["logprobs"].able is False


@pytest.mark.parametrize(
    "reason",
    [
        Reason.TIMEOUT,
        Reason.OVERLOADED,
        Reason.RATE_LIMITED,
        Reason.DISCONNECTED,
        Reason.UNREACHABLE,
        Reason.UNAUTHORISED,
        Reason.CONTENT_FILTER,
        Reason.NOT_JSON,
        Reason.WRONG_MODEL,
    ],
)
def test_a_failure_of_infrastructure_is_not_cannot(reason):
    found = seen(Far(tools=failed(reason)))
    assert found["tools"].able is None
    assert found["tools"].remedy
    assert list(found) == ALL


def test_a_server_error_is_cannot_only_where_it_comes_again_and_plain_calls_do_not_fail():
    oops = failed(Reason.SERVER_ERROR)
    assert seen(Far(pictures=oops))["pictures"].able is False
    assert seen(Far(json_schema=[oops, '{"number": 7}']))["json_schema"].able is True
    assert seen(Far(pictures=oops, text=["ready", oops]))["pictures"].able is None
    assert seen(Far(pictures=[oops, failed(Reason.TIMEOUT)]))["pictures"].able is None


def test_an_answer_that_was_cut_says_nothing_about_the_model():
    found = seen(Far(text=answer("", finish="length")))
    assert found["text"].able is None
    assert str(TOKENS) in found["text"].detail


def test_nothing_more_is_tried_where_the_plain_call_fails():
    far = Far(text=failed(Reason.UNREACHABLE))
    assert seen(far)["text"].able is None
    assert far.asked == ["text"]


def able(**by):
    return tuple(
        Probed(name, by.get(name, False), 0.1, "told", "mend it") for name in get_args(Seen)
    )


def test_what_is_declared_and_missing_is_a_problem_and_what_is_undeclared_a_hint():
    here = endpoint(LlmServer(port=1), capabilities=("tools", "pictures", "seed"))
    (told,) = problems("policy", here, able(text=True, tools=True, logprobs=True))
    assert told.cause.startswith("pictures are declared and not there")
    assert "take pictures out" in told.remedy
    assert hints(here, able(text=True, tools=True, logprobs=True)) == ("logprobs",)


def test_a_declared_capability_that_could_not_be_tried_is_told_as_that():
    here = endpoint(LlmServer(port=1), capabilities=("tools",))
    (told,) = problems("teacher", here, able(text=True, tools=None))
    assert "could not be tried" in told.cause
    assert told.remedy == "mend it"


def test_a_captioner_must_declare_pictures():
    assert problems("captioner", endpoint(LlmServer(port=1), capabilities=()), able(text=True))
    assert not problems("policy", endpoint(LlmServer(port=1), capabilities=()), able(text=True))
    seeing = endpoint(LlmServer(port=1), capabilities=("pictures",))
    assert not problems("captioner", seeing, able(text=True, pictures=True))


@pytest.mark.parametrize("text", [False, None])
def test_an_endpoint_without_text_fits_no_role(text):
    (told,) = problems("judge", endpoint(LlmServer(port=1), capabilities=()), able(text=text))
    assert (told.cause, told.remedy) == ("told", "mend it")


def checked(tmp_path, *faults, role="judge", **values):
    """What the check finds at the server, and what the server and the ledger counted."""

    async def main():
        async with place(tmp_path) as here:
            here.server.faults.extend(faults)
            there = endpoint(here.server, **values)
            found = await check_endpoint(here.client, there, role, 1)
            return found, here.server.asked.total(), here.store.costs(("stage", "role"))

    return run(main)


def test_a_check_makes_real_calls_past_the_cache_whatever_is_declared_and_pays_for_them(tmp_path):
    found, asked, (row,) = checked(tmp_path, capabilities=())
    able = [each.capability for each in found if each.able]
    assert able == ["text", "tools", "logprobs"]  # what it echoes fits no schema and no picture
    assert (asked, row.group, row.calls) == (5, ("probe", "judge"), 5)
    _, asked, (row,) = checked(tmp_path, capabilities=())
    assert (asked, row.calls) == (5, 10)


@pytest.mark.parametrize("fault", ["rate_limit", "error_503", "half_closed", "html_502", "hang"])
def test_no_fault_of_the_server_is_taken_for_what_the_model_cannot_do(tmp_path, fault):
    def found(*faults):
        return {p.capability: p for p in checked(tmp_path, *faults, timeout_s=0.4)[0]}

    plain = found(fault)
    assert list(plain) == ["text"]
    assert plain["text"].able is None
    later = found(None, None, None, fault, None, None)["logprobs"]
    assert later.able is (True if fault == "html_502" else None), later


def test_a_server_that_repeats_the_key_gets_it_into_no_result(tmp_path):
    found, _, _ = checked(tmp_path, "key_in_error")
    assert found[0].able is None
    assert "unauthorised" in found[0].detail
    for faults in (("key_in_error",), ("key_in_answer",) * 5):
        assert KEY not in repr(checked(tmp_path, *faults)[0])


def test_a_missing_key_is_told_by_its_name(tmp_path):
    with pytest.raises(ConfigError, match="OTHER_KEY is not set"):
        checked(tmp_path, key_env="OTHER_KEY")


def test_an_embedder_is_asked_for_a_vector_alone_past_the_cache(tmp_path):
    (found,), asked, (row,) = checked(tmp_path, role="embedder", capabilities=())
    assert (found.capability, found.able, found.detail) == ("vectors", True, "3 dimensions")
    assert (asked, row.group, row.calls) == (1, ("probe", "embedder"), 1)
    assert checked(tmp_path, role="embedder")[1] == 1
    place = endpoint(LlmServer(port=1), capabilities=())
    assert problems("embedder", place, (found,)) == ()
    assert hints(place, (found,)) == ()


@pytest.mark.parametrize(
    ("fault", "able"), [("error_404", False), ("error_503", None), ("one_longer", True)]
)
def test_an_endpoint_without_vectors_fits_no_embedder(tmp_path, fault, able):
    (found,), *_ = checked(tmp_path, fault, role="embedder")
    assert found.able is able
    told = problems("embedder", endpoint(LlmServer(port=1)), (found,))
    assert bool(told) == (not able)
    assert all(each.remedy for each in told)
