"""Which providers answer: the file, then the variables of published systems."""

import logging
from pathlib import Path

import pytest

from hopsight.config.providers import ProvidersFile, load_providers, parse_providers
from hopsight.errors import ConfigError
from hopsight.providers import (
    cached_lens_files,
    resolved,
    summary_endpoint,
    tools_of,
    trajectory_folder,
)
from hopsight.providers.gateway import gateway_settings
from tests.hopsight.providers.places import place, run

KEY = "sk-very-secret"
AUTO = ProvidersFile()
GITHUB = {"VISUAL_SEARCH_GITHUB_TOKEN": KEY, "VISUAL_SEARCH_GITHUB_REPO": "me/public"}
GATEWAY = {"API_GATEWAY_HOST": "https://g.example", "API_GATEWAY_USER": "me"}
GATEWAY |= {"API_GATEWAY_KEY": KEY}
OTHER_GATEWAY = {"API_HOST": "https://h.example", "API_USER": "me", "API_KEY": KEY}


def chosen(environ, file=AUTO):
    got = resolved(file, environ)
    return got.search, got.pages, got.image_host


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, ("none", "plain", "none")),
        ({"SERPER_API_KEY": KEY}, ("serper", "plain", "none")),
        ({"SERPER_API_KEY": " "}, ("none", "plain", "none")),
        ({"SERPAPI_API_KEY": KEY, "JINA_API_KEY": KEY}, ("serpapi", "jina", "none")),
        ({"SERPAPI_API_KEY": KEY, "SERPER_API_KEY": KEY}, ("serper", "plain", "none")),
        (GITHUB, ("none", "plain", "github")),
        ({"VISUAL_SEARCH_GITHUB_TOKEN": KEY}, ("none", "plain", "none")),
        (GATEWAY, ("gateway", "gateway", "none")),
        (OTHER_GATEWAY, ("gateway", "gateway", "none")),
        (GATEWAY | {"SERPER_API_KEY": KEY}, ("serper", "plain", "none")),
        (GATEWAY | {"JINA_API_KEY": KEY}, ("gateway", "jina", "none")),
        ({"API_HOST": "x", "API_KEY": KEY}, ("none", "plain", "none")),
    ],
)
def test_the_environment_decides_what_the_file_leaves_open(environ, expected):
    assert chosen(environ) == expected


def test_the_file_stands_against_the_environment():
    file = ProvidersFile(search="none", pages="plain", image_host="none")
    told = {"SERPER_API_KEY": KEY, "JINA_API_KEY": KEY, **GITHUB}
    assert chosen(told, file) == ("none", "plain", "none")


def test_a_gateway_that_is_passed_over_is_told(caplog):
    caplog.set_level(logging.INFO)
    resolved(AUTO, GATEWAY | {"SERPER_API_KEY": KEY})
    assert "event=gateway_ignored search=serper" in caplog.text
    assert KEY not in caplog.text


def test_the_repository_s_variables_win_over_the_file():
    file = ProvidersFile.model_validate({"github": {"repo": "a/b", "folder": "x"}})
    told = {"VISUAL_SEARCH_GITHUB_REPO": "me/public", "VISUAL_SEARCH_GITHUB_UPLOAD_DIR": "/img/"}
    github = resolved(file, told).github
    assert (github.repo, github.branch, github.folder) == ("me/public", "main", "img")
    with pytest.raises(ConfigError, match="VISUAL_SEARCH_GITHUB_REPO") as raised:
        resolved(AUTO, {"VISUAL_SEARCH_GITHUB_REPO": "https://github.com/x y"})
    assert "x y" not in str(raised.value)


def test_a_gateway_nobody_speaks_to_is_refused_at_start(tmp_path):
    async def main():
        async with place(tmp_path, environ=GATEWAY, search="gateway"):
            pass

    with pytest.raises(ConfigError, match="protocol is not known") as raised:
        run(main)
    assert KEY not in str(raised.value)
    assert KEY not in repr(gateway_settings(GATEWAY))


def test_a_gateway_that_is_not_described_is_refused(tmp_path):
    async def main():
        async with place(tmp_path, environ={}, pages="gateway"):
            pass

    with pytest.raises(ConfigError, match="variables are not set"):
        run(main)


def test_who_reads_pages_for_a_goal():
    assert summary_endpoint({}) is None
    endpoint = summary_endpoint({"QWEN_API_BASE": "http://localhost:8000/v1/"})
    assert endpoint is not None
    assert (endpoint.base_url, endpoint.model) == ("http://localhost:8000/v1", "Qwen/Qwen3-32B")
    named = summary_endpoint({"QWEN_API_BASE": "http://h/v1", "QWEN_MODEL_NAME": "other"})
    assert named is not None
    assert named.model == "other"
    with pytest.raises(ConfigError, match="QWEN_API_BASE"):
        summary_endpoint({"QWEN_API_BASE": "localhost"})


def test_folders_and_files_of_the_environment():
    assert trajectory_folder({}) is None
    assert trajectory_folder({"TRAJ_DUMP_DIR": " dumps/a "}) == Path("dumps/a")
    assert cached_lens_files({}) == ()
    told = {"SEARCH_CACHED_DATA_PATHS": "a.jsonl: b.json ::"}
    assert cached_lens_files(told) == (Path("a.jsonl"), Path("b.json"))


def test_what_is_offered_is_known_without_opening_anything():
    assert set(tools_of(AUTO, {})) == {"fetch_image", "visit"}
    told = {"SERPER_API_KEY": KEY, **GITHUB}
    assert set(tools_of(AUTO, told)) == {
        *("web_search", "image_search", "scholar_search"),
        *("visual_search", "fetch_image", "visit"),
    }
    other = {"SERPER_API_KEY": "another", **GITHUB}
    assert tools_of(AUTO, told) == tools_of(AUTO, other), "a key is no part of an answer"


def test_the_shipped_file_is_the_default():
    assert load_providers(Path("configs/providers.yaml")) == ProvidersFile()


def test_the_examples_of_the_shipped_file_are_good():
    text = Path("configs/providers.yaml").read_text()
    groups = ("serper", "serpapi", "jina", "plain", "github", "s3", "template", "recordings")
    lines, on = [], False
    for line in text.splitlines():
        bare = line.removeprefix("# ")
        if line.startswith("# ") and bare.startswith(tuple(f"{name}:" for name in groups)):
            on = True
        elif not (line.startswith("#   ") and on):
            on = False
        if on:
            lines.append(bare)
    file = parse_providers("\n".join(lines), "examples")
    assert file.s3 is not None
    assert file.template is not None
    assert file.github.repo == "someone/public-pictures"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("search: bing", "search"),
        ("searches: serper", "searches"),
        ("serper: {key: sk-very-secret}", "serper.key"),
        ("serper: {key_env: sk-very-secret}", "serper.key_env"),
        ("serper: {base_url: 'https://u:sk-very-secret@x.example'}", "serper.base_url"),
        ("serper: {limits: {concurrency: 0}}", "serper.limits.concurrency"),
        ("image_host: s3", "the group s3 is missing"),
        ("template: {put_url: 'https://x/y', public_url: 'https://x/{name}'}", "template.put_url"),
        ("github: {repo: 'a/b/c'}", "github.repo"),
        ("s3: {bucket: ab}", "s3.bucket"),
    ],
)
def test_mistakes_in_the_file_are_named_and_no_value_is_shown(text, named):
    with pytest.raises(ConfigError) as raised:
        parse_providers(text, "providers.yaml")
    assert named in str(raised.value)
    assert KEY not in str(raised.value)
