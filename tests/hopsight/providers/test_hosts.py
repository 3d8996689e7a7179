"""Public addresses for pictures: GitHub, S3, and any server that takes PUT."""

import re
from datetime import UTC, datetime

import pytest

from hopsight.errors import ConfigError
from hopsight.llm.failures import Reason
from hopsight.providers.keys import Secret
from hopsight.providers.sigv4 import Signer
from tests.hopsight.providers.places import ENVIRON, outcome, picture, place, run
from tests.provider_server import SECRET, ProviderServer, Reply

ALL = pytest.mark.parametrize("host", ["github", "s3", "template"])


def hosting(tmp_path, host, main, server=None, **more):
    async def opened():
        async with place(tmp_path, server=server, image_host=host, **more) as here:
            return await main(here.providers.host, here.server)

    return run(opened)


@ALL
def test_a_picture_goes_up_under_a_name_that_tells_nothing_and_is_taken_back(tmp_path, host):
    data = picture("red")

    async def main(hosting, server):
        first = await hosting.put(data, "image/png")
        second = await hosting.put(data, "image/png")
        held = dict(server.files)
        assert hosting.deletes
        await hosting.delete(first)
        await hosting.delete(first)
        return first, second, held, server.files

    first, second, held, left = hosting(tmp_path, host, main)
    assert held == {first.name: data, second.name: data}
    assert left == {second.name: data}
    assert first.name != second.name, "who knows the picture cannot know the name"
    for hosted in (first, second):
        assert re.fullmatch(r"[0-9a-f]{40}\.png", hosted.name)
        assert hosted.name in hosted.url


def test_the_type_decides_the_suffix(tmp_path):
    async def main(hosting, server):
        return [await hosting.put(b"x", f"image/{kind}") for kind in ("jpeg", "webp")]

    names = [hosted.name for hosted in hosting(tmp_path, "template", main)]
    assert [name[-5:] for name in names] == [f"{names[0][-5]}.jpg", ".webp"]


def test_a_repository_that_is_not_public_is_refused(tmp_path):
    async def main(hosting, server):
        return await outcome(hosting.put(picture(), "image/png"))

    error = hosting(tmp_path, "github", main, ProviderServer(public=False))
    assert "not public" in error.cause
    assert "token=ABC" not in str(error)


def test_the_commit_goes_where_it_is_told_and_says_nothing(tmp_path):
    told = ENVIRON | {
        "VISUAL_SEARCH_GITHUB_REPO": "me/seen",
        "VISUAL_SEARCH_GITHUB_BRANCH": "shots",
        "VISUAL_SEARCH_GITHUB_UPLOAD_DIR": "a/b/",
    }

    async def main(hosting, server):
        hosted = await hosting.put(picture(), "image/png")
        await hosting.delete(hosted)
        return hosted, server.seen

    hosted, (put, delete) = hosting(tmp_path, "github", main, environ=told)
    path = f"/github/repos/me/seen/contents/a/b/{hosted.name}"
    assert (put.method, put.path) == ("PUT", path)
    assert (delete.method, delete.path) == ("DELETE", path)
    assert put.json["message"] == "picture"
    assert put.json["branch"] == delete.json["branch"] == "shots"
    assert put.headers["x-github-api-version"] == "2022-11-28"


@pytest.mark.parametrize(
    ("fault", "reason", "asked"),
    [
        (Reply(401, {"message": "Bad credentials"}), Reason.UNAUTHORISED, 1),
        (Reply(403, {"message": "Resource not accessible"}), Reason.UNAUTHORISED, 1),
        (Reply(404, {"message": "Not Found"}), Reason.NOT_FOUND, 1),
        (Reply(409, {"message": "is at 1 but expected 2"}), Reason.OVERLOADED, 3),
        (Reply(422, {"message": "Invalid request"}), Reason.BAD_REQUEST, 1),
        (
            Reply(403, {"message": "secondary rate limit"}, {"retry-after": "0.01"}),
            Reason.RATE_LIMITED,
            3,
        ),
        (
            Reply(403, {}, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1"}),
            Reason.RATE_LIMITED,
            3,
        ),
        (
            Reply(429, {}, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "99999999999"}),
            Reason.RATE_LIMITED,
            1,
        ),
    ],
)
def test_refusals_of_github_keep_their_reason(tmp_path, fault, reason, asked):
    server = ProviderServer()
    server.faults.extend([fault] * 3)

    async def main(hosting, server):
        return await outcome(hosting.put(picture(), "image/png")), len(server.seen)

    error, seen = hosting(tmp_path, "github", main, server)
    assert error.reason is reason
    assert seen == asked


def test_refusals_of_a_bucket_keep_their_code_and_show_no_signature(tmp_path):
    async def main(hosting, server):
        wrong = await outcome(hosting.put(picture(), "image/png"))
        server.faults.append(Reply(503, "<Error><Code>SlowDown</Code></Error>"))
        hosting._signer = Signer(ENVIRON["AWS_ACCESS_KEY_ID"], Secret("S", SECRET), "us-east-1")
        return wrong, await hosting.put(picture(), "image/png"), server.seen

    told = ENVIRON | {"AWS_SECRET_ACCESS_KEY": "another-secret-7"}
    wrong, hosted, seen = hosting(tmp_path, "s3", main, environ=told)
    assert wrong.reason is Reason.UNAUTHORISED
    assert "SignatureDoesNotMatch" in wrong.cause
    assert "X-Amz" not in str(wrong)
    assert len(seen) == 3
    assert "X-Amz-Signature" in hosted.url, "the provider gets a signed address"
    assert hosted.url.startswith(f"http://{seen[0].headers['host']}/s3/pictures/up/")


def test_signatures_are_those_of_the_documentation():
    """The example of "Authenticating Requests: Using Query Parameters" of the S3 manual."""
    signer = Signer(
        "AKIAIOSFODNN7EXAMPLE",
        Secret("S", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
        "us-east-1",
    )
    url = signer.presigned(
        "GET",
        "https://examplebucket.s3.amazonaws.com/test.txt",
        86_400,
        datetime(2013, 5, 24, tzinfo=UTC),
    )
    assert url == (
        "https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256"
        "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
        "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
        "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"
    )


def test_a_host_that_cannot_delete_says_so(tmp_path):
    async def main(hosting, server):
        hosting._config = hosting._config.model_copy(update={"delete_url": None})
        hosted = await hosting.put(picture(), "image/png")
        await hosting.delete(hosted)
        return hosting.deletes, server.files

    deletes, files = hosting(tmp_path, "template", main)
    assert not deletes
    assert len(files) == 1


@pytest.mark.parametrize(
    ("host", "missing"),
    [
        ("github", "VISUAL_SEARCH_GITHUB_TOKEN"),
        ("s3", "AWS_ACCESS_KEY_ID"),
        ("s3", "AWS_SECRET_ACCESS_KEY"),
        ("template", "DROP_AUTH"),
    ],
)
def test_a_host_without_its_key_is_not_opened(tmp_path, host, missing):
    told = {name: value for name, value in ENVIRON.items() if name != missing}
    with pytest.raises(ConfigError, match=missing):
        hosting(tmp_path, host, None, environ=told)


def test_a_repository_must_be_named(tmp_path):
    with pytest.raises(ConfigError, match="VISUAL_SEARCH_GITHUB_REPO"):
        hosting(tmp_path, "github", None, github={})
