"""What a client sends, keeps and shares."""

import asyncio
import base64
import io
import json

import pytest
from PIL import Image

from hopsight.errors import ConfigError
from hopsight.llm.chat import ChatMessage, ChatRequest, Picture, ToolDef, ToolUse
from hopsight.llm.failures import ModelError, Reason
from hopsight.llm.ledger import Status
from hopsight.llm.tokens import prompt_bound
from tests.hopsight.llm.calls import asking, endpoint, place, run
from tests.llm_server import LlmServer

SCHEMA = {"type": "object", "properties": {"echo": {"type": "string"}}}
TOOL = ToolDef(name="look", description="Look.", parameters={"type": "object"})


def picture() -> Picture:
    data = io.BytesIO()
    Image.new("RGB", (4, 4), "red").save(data, format="PNG")
    return Picture(mime="image/png", data=data.getvalue())


def sent(tmp_path, request, **values):
    """The body that reached the server, and the answer."""

    async def main():
        async with place(tmp_path, keep_bodies=True) as here:
            answer = await here.ask(request, **values)
            return here.server.bodies[0], answer

    return run(main)


def test_pictures_arrive_whole_and_in_their_place(tmp_path):
    shown = picture()
    message = ChatMessage(role="user", content=("before", shown, "after"))
    body, _ = sent(tmp_path, ChatRequest(messages=(message,)), capabilities=("pictures",))
    before, middle, after = body["messages"][0]["content"]
    assert (before["text"], after["text"]) == ("before", "after")
    kind, data = middle["image_url"]["url"].split(",")
    assert kind == "data:image/png;base64"
    assert base64.b64decode(data) == shown.data


def test_schema_seed_tools_and_what_the_endpoint_adds_are_sent(tmp_path):
    request = asking("hello", json_schema=SCHEMA, seed=7, tools=(TOOL,), stop=("END",))
    body, answer = sent(
        tmp_path,
        request,
        sample=2,
        extra_body={"top_k": 40},
        max_tokens_key="max_completion_tokens",
        omit=("temperature",),
    )
    assert body["response_format"]["json_schema"]["schema"] == SCHEMA
    assert body["seed"] == 9, "each sample has a seed of its own"
    assert body["tools"][0]["function"]["name"] == "look"
    assert (body["top_k"], body["stop"]) == (40, ["END"])
    assert body["max_completion_tokens"] == 1024
    assert "temperature" not in body
    assert "max_tokens" not in body
    assert answer.finish == "tool_calls"
    assert answer.tool_calls == (ToolUse(call_id="call_1", name="look", arguments='{"a": 1}'),)


def test_what_is_not_declared_is_not_sent(tmp_path):
    request = asking("hello", json_schema=SCHEMA, seed=7)
    body, _ = sent(tmp_path, request, capabilities=())
    assert "response_format" not in body
    assert "seed" not in body


def test_a_conversation_with_tool_calls_is_sent_as_the_protocol_has_it(tmp_path):
    use = ToolUse(call_id="c1", name="look", arguments="{}")
    request = ChatRequest(
        messages=(
            ChatMessage(role="assistant", content=(), tool_calls=(use,)),
            ChatMessage(role="tool", content=("seen",), tool_call_id="c1"),
        ),
        tools=(TOOL,),
    )
    body, _ = sent(tmp_path, request)
    asked, seen = body["messages"]
    assert asked["tool_calls"][0]["function"] == {"name": "look", "arguments": "{}"}
    assert (seen["role"], seen["tool_call_id"], seen["content"]) == ("tool", "c1", "seen")


def test_logprobs_come_back_or_the_call_fails(tmp_path):
    request = asking("hello", top_logprobs=2)

    async def main():
        async with place(tmp_path) as here:
            able = ("logprobs",)
            answer = await here.ask(request, capabilities=able)
            here.server.always = "no_logprobs"
            missing = asking("other", top_logprobs=2)
            return answer, await here.outcome(missing, capabilities=able)

    answer, error = run(main)
    assert answer.logprobs[0].top == (("{", -0.1), ("[", -2.5))
    assert error.reason is Reason.NO_LOGPROBS


@pytest.mark.parametrize(
    "request_",
    [
        asking("x", top_logprobs=1),
        asking("x", tools=(TOOL,)),
        ChatRequest(messages=(ChatMessage(role="user", content=(picture(),)),)),
    ],
)
def test_a_request_that_the_endpoint_does_not_take_is_not_sent(tmp_path, request_):
    async def main():
        async with place(tmp_path) as here:
            with pytest.raises(ConfigError, match="does not declare"):
                await here.ask(request_, capabilities=("seed",))
            return here.server.asked

    assert not run(main)


def test_an_answer_is_paid_once_by_request_model_and_sample(tmp_path):
    async def main():
        async with place(tmp_path) as here:
            await asyncio.gather(*(here.ask("hello") for _ in range(20)))
            await here.ask("hello", sample=1)
            await here.ask("hello", sample=1, record="another record")
            await here.ask("hello", model="echo-2")
            await here.ask("hello", extra_body={"top_k": 1})
            await here.ask(asking("hello", temperature=0.5))
            return here.server.asked["hello"], here.client.hits

    assert run(main) == (5, 20)


def test_the_cache_outlives_the_process_and_the_address_of_the_server(tmp_path):
    async def main():
        async with place(tmp_path) as here:
            first = await here.ask("hello")
        async with place(tmp_path) as later:
            return first, await later.ask("hello"), later.server.asked

    first, again, asked = run(main)
    assert first == again
    assert not asked


def test_two_clients_of_one_file_end_with_the_same_answer(tmp_path):
    async def main():
        async with place(tmp_path, delay=0.1) as one, place(tmp_path, delay=0.1) as two:
            two.server.always = "truncated"
            both = await asyncio.gather(one.ask("hello"), two.ask("hello"))
            return both, one.store.count(Status.PAID)

    (one, two), paid = run(main)
    assert one == two
    assert paid == 2


def test_a_probe_is_paid_and_goes_past_cache_and_declared_capabilities(tmp_path):
    async def main():
        async with place(tmp_path) as here:
            to = endpoint(here.server, capabilities=())
            for _ in range(2):
                answer = await here.client.probe(
                    asking("hello", top_logprobs=2), endpoint=to, role="judge"
                )
            here.server.always = "error_500"
            with pytest.raises(ModelError):
                await here.client.probe(asking("hello"), endpoint=to, role="judge")
            return answer, here.server.asked["hello"], here.store.spent().calls

    answer, asked, paid = run(main)
    assert answer.logprobs
    assert (asked, paid) == (3, 2)


def test_the_worst_case_holds_more_than_the_bytes_of_all_that_is_sent(tmp_path):
    shown = picture()
    message = ChatMessage(role="user", content=("é" * 100, shown))
    request = ChatRequest(messages=(message,), tools=(TOOL,), json_schema=SCHEMA)
    body, _ = sent(tmp_path, request, capabilities=("pictures", "tools", "json_schema"))
    whole = json.dumps(body, ensure_ascii=False).encode()
    bound = prompt_bound(request, endpoint(LlmServer(port=1)), len(whole))
    body["messages"][0]["content"].pop()
    assert bound >= 16_384 + len(json.dumps(body["messages"], ensure_ascii=False).encode())
