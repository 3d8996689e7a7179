"""Serper and SerpApi, by what their documentation says they answer."""

import pytest

from hopsight.errors import ProviderError
from hopsight.llm.failures import Reason
from hopsight.providers import ServiceError
from tests.hopsight.providers.places import ENVIRON, outcome, place, run
from tests.provider_server import ProviderServer, Reply

BOTH = pytest.mark.parametrize("provider", ["serper", "serpapi"])
ORGANIC = [
    {"title": "Old bridge", "link": "https://a.example/b", "snippet": "Built 1566", "position": 1},
    {"title": "no address", "position": 2},
    {"title": "Bridge\x00 two", "link": "https://b.example/", "snippet": "Its \ud800 twin"},
]


def asked(tmp_path, provider, call, server=None, **more):
    async def main():
        async with place(tmp_path, server=server, search=provider, **more) as here:
            return await outcome(call(here.providers.search)), here.server

    return run(main)


@BOTH
def test_pages_come_in_order_and_without_what_cannot_be_visited(tmp_path, provider):
    server = ProviderServer(organic=ORGANIC)
    hits, server = asked(tmp_path, provider, lambda s: s.search("old bridge", 5), server)
    assert [(hit.url, hit.snippet) for hit in hits] == [
        ("https://a.example/b", "Built 1566"),
        ("https://b.example/", "Its ? twin"),
    ]
    assert hits[0].score > hits[1].score
    assert hits[1].title == "Bridge two"


@BOTH
def test_no_more_hits_than_asked_for(tmp_path, provider):
    many = [{"title": str(n), "link": f"https://a.example/{n}"} for n in range(30)]
    hits, _ = asked(tmp_path, provider, lambda s: s.search("q", 4), ProviderServer(organic=many))
    assert [hit.title for hit in hits] == ["0", "1", "2", "3"]


def test_a_query_is_sent_as_it_is_with_the_locale(tmp_path):
    where = {"country": "at", "language": "de"}
    query = 'Brücke "alte" & ß \ud800'

    def sent(provider):
        _, server = asked(tmp_path, provider, lambda s: s.search(query, 7), where=where)
        return server.seen[0]

    serper = sent("serper")
    assert (serper.method, serper.path) == ("POST", "/serper/search")
    assert serper.json == {"q": 'Brücke "alte" & ß ?', "num": 7, "gl": "at", "hl": "de"}
    serpapi = sent("serpapi")
    assert (serpapi.method, serpapi.path) == ("GET", "/serpapi/search.json")
    assert serpapi.query["q"] == 'Brücke "alte" & ß ?'
    assert (serpapi.query["gl"], serpapi.query["hl"]) == ("at", "de")


@BOTH
def test_papers_tell_who_wrote_them(tmp_path, provider):
    published = "JL Harper - 1977"
    paper = {
        "title": "Plants",
        "link": "https://p.example",
        "snippet": "A chapter",
        "publicationInfo": published,
        "publication_info": {"summary": published},
    }
    hits, _ = asked(tmp_path, provider, lambda s: s.scholar("q", 3), ProviderServer(papers=[paper]))
    assert hits[0].snippet == "JL Harper - 1977 — A chapter"


@BOTH
def test_pictures_name_the_whole_one_first_and_then_its_thumbnail(tmp_path, provider):
    image = {
        "title": "Bridge",
        "link": "https://a.example/page",
        "imageUrl": "https://a.example/b.jpg",
        "original": "https://a.example/b.jpg",
        "thumbnailUrl": "https://t.example/b.jpg",
        "thumbnail": "https://t.example/b.jpg",
    }
    server = ProviderServer(images=[image, image | {"original": "", "imageUrl": "ftp://x/y.jpg"}])
    found, _ = asked(tmp_path, provider, lambda s: s.images("q", 3), server)
    assert found[0].addresses == ("https://a.example/b.jpg", "https://t.example/b.jpg")
    assert found[1].addresses == ("https://t.example/b.jpg",)
    assert (found[0].page_title, found[0].page_url) == ("Bridge", "https://a.example/page")


@BOTH
def test_a_wrong_key_is_told_as_one_at_once(tmp_path, provider):
    wrong = ENVIRON | {"SERPER_API_KEY": "sk-wrong-1", "SERPAPI_API_KEY": "sk-wrong-1"}
    for call in (
        lambda s: s.search("q", 3),
        lambda s: s.images("q", 3),
        lambda s: s.lens("https://a.example/b.jpg", 3),
    ):
        error, server = asked(tmp_path, provider, call, environ=wrong)
        assert isinstance(error, ServiceError)
        assert error.reason is Reason.UNAUTHORISED
        assert "key" in error.remedy
        assert len(server.seen) == 1, "asking again does not help"


@BOTH
@pytest.mark.parametrize(
    ("address", "named"),
    [
        ("/home/me/photo.jpg", "a local path"),
        ("photo.jpg", "a local path"),
        ("C:\\photos\\a.jpg", "a local path"),
        ("file:///tmp/a.jpg", "a file: address"),
        ("data:image/png;base64,AAAA", "a data: address"),
        ("https://", "a https: address"),
        ("http://[::1", "a local path"),
        ("", "a local path"),
    ],
)
def test_a_picture_that_no_provider_can_reach_is_named_and_never_nothing_found(
    tmp_path, provider, address, named
):
    error, server = asked(tmp_path, provider, lambda s: s.lens(address, 3))
    assert isinstance(error, ProviderError)
    assert named in error.cause
    assert "image_host" in error.remedy
    assert not server.seen


HOLLOW = [
    Reply(200, b""),
    Reply(200, b"   "),
    Reply(200, {}),
    Reply(200, {"organic": None}),
    Reply(200, "<html>busy</html>"),
    Reply(200, b'{"organic": [{"tit'),
    Reply(200, {"organic": [7]}),
    Reply(200, [1, 2]),
    Reply(200, {"search_metadata": {"status": "Success"}}),
    Reply(200, {"search_metadata": {"status": "Success"}, "organic_results": []}),
    Reply(200, {"search_metadata": {"status": "Processing"}}),
    Reply(200, {"search_metadata": {"status": "Processing"}, "organic_results": ORGANIC[:1]}),
    Reply(200, {"search_metadata": {"status": "Error"}, "error": "Try again later."}),
    Reply(503, {"search_metadata": {"status": "Error"}, "error": "Try again later."}),
    Reply(500, "<html>oops</html>"),
    Reply(hang_up=True),
]


@BOTH
@pytest.mark.parametrize("hollow", HOLLOW, ids=range(len(HOLLOW)))
def test_a_success_without_content_is_tried_again_and_is_not_an_answer(tmp_path, provider, hollow):
    server = ProviderServer(organic=ORGANIC)
    server.faults.extend([hollow, hollow, hollow, hollow])

    async def twice(search):
        return await outcome(search.search("q", 3)), await outcome(search.search("q", 3))

    (error, hits), server = asked(tmp_path, provider, twice, server)
    assert isinstance(error, ServiceError)
    assert error.reason.retryable
    assert [hit.title for hit in hits] == ["Old bridge", "Bridge two"]
    assert len(server.seen) == 3 + 2


@BOTH
def test_a_search_that_finds_nothing_is_an_empty_answer(tmp_path, provider):
    hits, server = asked(tmp_path, provider, lambda s: s.search("xyzzy", 3))
    assert hits == []
    assert len(server.seen) == 1


@pytest.mark.parametrize(
    ("provider", "reply", "reason"),
    [
        ("serper", Reply(400, {"message": "Not enough credits"}), Reason.QUOTA_EXHAUSTED),
        ("serper", Reply(400, {"message": "Missing query parameter"}), Reason.BAD_REQUEST),
        ("serper", Reply(404, "nothing here"), Reason.NOT_FOUND),
        ("serper", Reply(302, "", {"location": "https://x.example"}), Reason.REDIRECTED),
        ("serpapi", Reply(400, {"error": "Missing query `q` parameter."}), Reason.BAD_REQUEST),
        (
            "serpapi",
            Reply(429, {"error": "Your account has run out of searches."}),
            Reason.QUOTA_EXHAUSTED,
        ),
    ],
)
def test_a_refusal_is_told_by_its_reason_and_not_repeated(tmp_path, provider, reply, reason):
    server = ProviderServer()
    server.faults.append(reply)
    error, server = asked(tmp_path, provider, lambda s: s.search("q", 3), server)
    assert error.reason is reason
    assert len(server.seen) == 1


def test_without_the_key_nothing_is_opened(tmp_path):
    for provider, name in (("serper", "SERPER_API_KEY"), ("serpapi", "SERPAPI_API_KEY")):
        with pytest.raises(Exception, match=name):
            asked(tmp_path, provider, lambda s: s.search("q", 3), environ={})
        with pytest.raises(Exception, match=f"{name} is no key"):
            asked(tmp_path, provider, lambda s: s.search("q", 3), environ={name: "a b"})
