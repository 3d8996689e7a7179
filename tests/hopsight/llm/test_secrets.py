"""A key is in no log, record, cache, ledger or error, whatever the server repeats."""

import logging
import traceback

import pytest

from hopsight.config.models import parse_models
from hopsight.errors import ConfigError
from hopsight.llm.failures import Reason
from tests.hopsight.llm.calls import ENVIRON, KEY, endpoint, place, run
from tests.llm_server import LlmServer

FAULTS = (None, "key_in_answer", "key_in_error", "error_500", "hang", "half_closed", "html_200")


def test_a_grep_for_the_key_finds_nothing_in_all_that_a_run_wrote(tmp_path, caplog, capfd):
    caplog.set_level(logging.DEBUG)
    errors = []

    async def main():
        async with place(tmp_path) as here:
            for number, fault in enumerate(FAULTS):
                here.server.always = fault
                patience = 0.5 if fault == "hang" else 20.0
                outcome = await here.outcome(f"q {number}", attempts=2, timeout_s=patience)
                errors.append(outcome)
            assert here.server.headers["authorization"] == f"Bearer {KEY}"
            return [repr(here.client), repr(endpoint(here.server))]

    texts = run(main)
    answer, refused = errors[1], errors[2]
    assert "[secret]" in answer.text
    assert refused.reason is Reason.UNAUTHORISED
    assert "\n" not in str(refused)
    for error in errors:
        if isinstance(error, Exception):
            texts += traceback.format_exception(error)
            texts.append(repr(vars(error)) + repr(error.__cause__) + repr(error.__context__))
            assert error.__cause__ is None
            assert error.__context__ is None
        else:
            texts.append(error.model_dump_json())
    written = capfd.readouterr()
    texts += [caplog.text, written.out, written.err]
    texts += [repr(vars(record)) for record in caplog.records]
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(path.name == "calls.sqlite" for path in files)
    assert "call_failed" in caplog.text
    assert not [path for path in files if KEY.encode() in path.read_bytes()]
    assert not [text for text in texts if KEY in text]


def test_nothing_of_the_environment_but_the_named_key_is_sent(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another-provider")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-another-provider")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "project-of-another-provider")

    async def main():
        async with place(tmp_path) as here:
            await here.ask("hello")
            with_key = str(here.server.headers)
            await here.ask("hello again", key_env=None)
            return with_key + str(here.server.headers)

    assert "another-provider" not in run(main)


def test_a_missing_key_is_told_by_the_name_of_its_variable(tmp_path):
    async def main():
        async with place(tmp_path) as here:
            with pytest.raises(ConfigError, match="NO_SUCH_KEY is not set"):
                await here.ask("hello", key_env="NO_SUCH_KEY")
            return here.store.spent().calls

    assert run(main) == 0


def test_a_key_that_is_no_header_is_refused_without_being_shown(tmp_path, monkeypatch):
    monkeypatch.setitem(ENVIRON, "BAD_KEY", f"{KEY}\r\nx-evil: 1")

    async def main():
        async with place(tmp_path) as here:
            with pytest.raises(ConfigError, match="BAD_KEY") as error:
                await here.ask("hello", key_env="BAD_KEY")
            return str(error.value)

    assert KEY not in run(main)


@pytest.mark.parametrize(
    "line",
    [
        f"key_env: {KEY}",
        f"api_key: {KEY}",
        f"base_url: http://user:{KEY}@127.0.0.1/v1",
        f"base_url: http://127.0.0.1/v1?key={KEY}",
        f"proxy: http://user:{KEY}@127.0.0.1/",
        f"timeout_s: {KEY}",
    ],
)
def test_a_key_that_is_written_into_the_file_is_refused_and_not_repeated(line):
    lines = {"base_url": f"base_url: {LlmServer(port=1).url}", "model": "model: m"}
    lines[line.split(":")[0]] = line
    text = "endpoints:\n  one:\n" + "".join(f"    {each}\n" for each in lines.values())
    with pytest.raises(ConfigError) as error:
        parse_models(text, "models.yaml")
    shown = "".join(traceback.format_exception(error.value))
    assert KEY not in shown
    assert "endpoints.one" in str(error.value)
