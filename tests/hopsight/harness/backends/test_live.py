"""The live backend, against the services on loopback."""

import asyncio
import base64
import logging

import pytest

from hopsight.errors import PictureError, ProviderError
from hopsight.llm.failures import Reason
from hopsight.net import BlockedAddress
from tests.hopsight.providers.places import ENVIRON, outcome, picture, place, run, shown
from tests.provider_server import ProviderServer, Reply

HOSTS = pytest.mark.parametrize("host", ["github", "s3", "template"])


def match(server, number, address=None, **more):
    return {
        "title": f"Page {number}",
        "link": f"https://p.example/{number}",
        "imageUrl": address or f"{server.url}/web/{number}.png",
        **more,
    }


def live(tmp_path, main, **chosen):
    server = ProviderServer()

    async def opened():
        async with place(tmp_path, server=server, **({"search": "serper"} | chosen)) as here:
            return await main(here)

    return run(opened)


def held(server, *colours):
    for number, colour in enumerate(colours):
        server.pages[f"/web/{number}.png"] = shown(picture(colour))


@HOSTS
@pytest.mark.parametrize("provider", ["serper", "serpapi"])
def test_a_picture_is_shown_to_the_provider_and_taken_back(tmp_path, host, provider):
    data = picture("navy", (80, 60), "JPEG")

    async def main(here):
        server = here.server
        held(server, "red", "green")
        server.matches = [match(server, n, image=f"{server.url}/web/{n}.png") for n in range(2)]
        hits = await here.live.visual_search(data, 5)
        return hits, server, here.store

    hits, server, store = live(tmp_path, main, image_host=host, search=provider)
    assert server.looked_at == [data], "while it was looked at it lay there"
    assert server.files == {}, "afterwards it did not"
    assert [(hit.page_title, hit.page_url) for hit in hits] == [
        ("Page 0", "https://p.example/0"),
        ("Page 1", "https://p.example/1"),
    ]
    assert [hit.match for hit in hits] == ["web", "web"]
    assert hits[0].score > hits[1].score
    assert store.bytes(hits[0].image.sha256) == picture("red")
    assert hits[0].image.source_url == f"{server.url}/web/0.png"
    named = [seen for seen in server.seen if b"navy" in seen.body or "navy" in seen.path]
    assert named == []


def test_an_unknown_picture_has_no_match(tmp_path):
    async def main(here):
        return await here.live.visual_search(picture(), 3)

    assert live(tmp_path, main, image_host="github") == []


def test_the_upload_is_taken_back_when_the_search_fails_or_is_cancelled(tmp_path):
    async def main(here):
        here.server.fault_on = "/serper"
        here.server.faults.append(Reply(400, {"message": "no"}))
        error = await outcome(here.live.visual_search(picture(), 3))
        left = dict(here.server.files)
        here.server.faults.append(Reply(delay=2.0))
        task = asyncio.ensure_future(here.live.visual_search(picture(), 3))
        while not here.server.files:
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert here.server.counts["serper"] <= 2
        await here.live.close()
        return error, left, here.server.files

    error, left, after = live(tmp_path, main, image_host="template")
    assert error.reason is Reason.BAD_REQUEST
    assert left == {}
    assert after == {}


def test_an_upload_that_cannot_be_taken_back_is_told_and_spoils_nothing(tmp_path, caplog):
    async def main(here):
        held(here.server, "red")
        here.server.matches = [match(here.server, 0)]
        put = here.providers.host.put

        async def then_broken(data, mime):
            hosted = await put(data, mime)
            here.server.fault_on = "/github"
            here.server.faults.extend([Reply(500)] * 3)
            return hosted

        here.providers.host.put = then_broken
        return await here.live.visual_search(picture(), 3), here.server.files

    caplog.set_level(logging.INFO)
    hits, files = live(tmp_path, main, image_host="github")
    assert len(hits) == 1
    assert "event=upload_left" in caplog.text
    assert next(iter(files)) not in caplog.text, "a name in a log is an address"


def test_what_is_no_picture_is_not_uploaded(tmp_path):
    async def main(here):
        errors = [
            await outcome(here.live.visual_search(data, 3))
            for data in (b"/home/me/photo.jpg", b"", b"<svg/>", picture()[:40])
        ]
        return errors, here.server.seen

    errors, seen = live(tmp_path, main, image_host="github")
    assert all(isinstance(error, PictureError) for error in errors)
    assert not seen


def test_hits_whose_picture_cannot_be_had_make_room_for_the_next(tmp_path, caplog):
    async def main(here):
        server = here.server
        held(server, "red", "green", "blue")
        server.pages["/web/page.png"] = Reply(
            200, "<html>log in</html>", {"content-type": "text/html"}
        )
        server.images = [
            match(server, 0),
            match(server, 7),
            match(server, 8, f"{server.url}/web/page.png"),
            match(server, 9, "http://169.254.169.254/x.png"),
            match(server, 1),
            match(server, 2),
        ]
        return await here.live.image_search("bridges", 2)

    caplog.set_level(logging.INFO)
    hits = live(tmp_path, main)
    assert [hit.page_title for hit in hits] == ["Page 0", "Page 1"]
    assert caplog.text.count("event=hit_without_picture") == 3


def test_a_thumbnail_stands_in_for_a_picture_that_is_gone(tmp_path):
    small = base64.b64encode(picture("teal", (20, 15))).decode()

    async def main(here):
        server = here.server
        held(server, "red")
        server.images = [
            match(server, 5, thumbnailUrl=f"{server.url}/web/0.png"),
            match(server, 6, thumbnailUrl=f"data:image/png;base64,{small}"),
            match(server, 7, thumbnailUrl="data:image/png;base64,%%%"),
            match(server, 8, thumbnailUrl="data:image/svg+xml,<svg/>"),
        ]
        return await here.live.image_search("bridges", 5), server

    hits, server = live(tmp_path, main)
    assert [hit.image.width for hit in hits] == [64, 20]
    assert hits[0].image.source_url == f"{server.url}/web/0.png"
    assert hits[1].image.source_url == "https://p.example/6"


def test_pictures_found_and_none_to_be_had_is_a_failure_and_not_nothing_found(tmp_path):
    async def main(here):
        here.server.images = [match(here.server, 5), match(here.server, 6)]
        error = await outcome(here.live.image_search("bridges", 2))
        here.server.images = []
        return error, await here.live.image_search("nothing", 2)

    error, nothing = live(tmp_path, main)
    assert isinstance(error, ProviderError)
    assert "2 pictures were found" in error.cause
    assert nothing == []


def test_a_page_comes_with_its_first_pictures(tmp_path):
    async def main(here):
        held(here.server, "red", "green", "blue")
        images = "".join(f"![x]({here.server.url}/web/{n}.png)\n" for n in (0, 1, 9, 1, 2))
        here.server.read["https://p.example/a"] = {"title": "A", "content": f"Text\n{images}"}
        return await here.live.visit("https://p.example/a#top"), await here.live.visit(
            "https://p.example/a"
        )

    first, page = live(tmp_path, main, pages="jina", page_pictures=3)
    assert (page.url, page.title, page.markdown) == ("https://p.example/a", "A", "Text")
    assert len(page.images) == 2
    assert first.markdown == page.markdown


def test_what_is_no_address_of_the_web_is_never_sent_to_a_reader(tmp_path):
    async def main(here):
        urls = ("/etc/passwd", "file:///etc/passwd", "ftp://x", "http://u:p@a.example", "a b")
        return [await outcome(here.live.visit(url)) for url in urls], here.server.seen

    errors, seen = live(tmp_path, main, pages="jina")
    assert all(isinstance(error, BlockedAddress) for error in errors)
    assert not seen


def test_a_picture_by_its_address(tmp_path):
    async def main(here):
        held(here.server, "red")
        base = f"{here.server.url}/web"
        here.server.pages["/web/down.png"] = Reply(503)
        return [
            await outcome(here.live.fetch_image(f"{base}/{name}.png"))
            for name in ("0", "none", "down")
        ] + [await outcome(here.live.fetch_image("http://10.0.0.8/a.png"))]

    there, none, down, private = live(tmp_path, main)
    assert (there.width, there.license) == (64, "unknown")
    assert none is None
    assert isinstance(down, ProviderError)
    assert isinstance(private, BlockedAddress)


@pytest.mark.parametrize(
    ("chosen", "offers"),
    [
        ({"search": "none"}, {"fetch_image"}),
        ({}, {"web_search", "image_search", "scholar_search", "fetch_image"}),
        (
            {"image_host": "github", "pages": "plain"},
            {
                "web_search",
                "image_search",
                "scholar_search",
                "visual_search",
                "visit",
                "fetch_image",
            },
        ),
        ({"search": "none", "image_host": "s3", "pages": "jina"}, {"visit", "fetch_image"}),
    ],
)
def test_what_nobody_is_configured_for_is_not_offered(tmp_path, chosen, offers):
    async def main(here):
        return here.live.offers

    assert live(tmp_path, main, **chosen) == offers


def test_without_an_image_host_a_picture_search_says_what_is_missing(tmp_path):
    async def main(here):
        return await outcome(here.live.visual_search(picture(), 3)), here.server.seen

    error, seen = live(tmp_path, main)
    assert isinstance(error, ProviderError)
    assert "image_host" in error.cause
    assert not seen


def test_a_wrong_key_fails_every_search_and_finds_nothing_in_none(tmp_path):
    async def main(here):
        calls = (
            here.live.web_search("q", 3),
            here.live.image_search("q", 3),
            here.live.scholar_search("q", 3),
            here.live.visual_search(picture(), 3),
        )
        return [await outcome(call) for call in calls]

    wrong = ENVIRON | {"SERPER_API_KEY": "sk-wrong-1"}
    errors = live(tmp_path, main, image_host="github", environ=wrong)
    assert [error.reason for error in errors] == [Reason.UNAUTHORISED] * 4


def test_pages_and_pictures_are_known_by_where_they_came_from_in_the_end(tmp_path):
    async def main(here):
        server = here.server
        held(server, "red")
        server.pages["/web/old"] = Reply(302, "", {"location": "/web/new"})
        server.pages["/web/new"] = Reply(200, "<p>Here</p>", {"content-type": "text/html"})
        server.pages["/web/old.png"] = Reply(302, "", {"location": "/web/0.png"})
        page = await here.live.visit(f"{server.url}/web/old")
        return page, await here.live.fetch_image(f"{server.url}/web/old.png"), server.url

    page, image, base = live(tmp_path, main, pages="plain")
    assert page.url == f"{base}/web/new"
    assert image.source_url == f"{base}/web/0.png"
