import pytest
from pydantic import ValidationError

from hopsight.wiki.api import ApiSource


def made(**values):
    given = {"base_url": "https://wiki.test/w/api.php", "contact": "us@example.org", "seeds": ["A"]}
    return ApiSource.model_validate({**given, **values})


@pytest.mark.parametrize(
    "address",
    [
        "wiki.test/api.php",
        "ftp://wiki.test/api.php",
        "file:///etc/api.php",
        "https://wiki.test/wiki/Main_Page",
        "https://user:word@wiki.test/api.php",
        "https://wiki.test/api.php?action=query",
        "https://wiki.test/api.php#x",
        "https://wiki.test:99999/api.php",
        "https:///api.php",
        "https://wiki.test/a b/api.php",
        "https://wiki.test/\n/api.php",
        "https://[::1/api.php",
    ],
)
def test_only_the_plain_address_of_an_api_is_taken(address):
    with pytest.raises(ValidationError, match="base_url"):
        made(base_url=address)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("contact", "nobody"),
        ("contact", "us@example.org\r\nX-Evil: 1"),
        ("contact", "us (home)@example.org"),
        ("seeds", ["A|B"]),
        ("seeds", ["A\x1fB"]),
        ("seeds", [""]),
        ("picture_hosts", ["https://upload.test"]),
        ("picture_hosts", ["*"]),
        ("picture_hosts", ["upload.test/x"]),
        ("max_pages", 0),
        ("concurrency", 100),
        ("timeout_s", float("inf")),
        ("unknown", 1),
    ],
)
def test_a_value_that_cannot_be_meant_is_refused(field, value):
    with pytest.raises(ValidationError, match=field):
        made(**{field: value})


def test_a_crawl_starts_somewhere():
    with pytest.raises(ValidationError, match="seeds"):
        made(seeds=[])
    assert made(seeds=[], search=["rivers"]).search == ("rivers",)


def test_politeness_decides_nothing():
    polite = made(concurrency=9, contact="you@example.org", maxlag=1, retries=0, timeout_s=1)
    assert polite.decides() == made().decides()
    assert made(hops=3).decides() != made().decides()
