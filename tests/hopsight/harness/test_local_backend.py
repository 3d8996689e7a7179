import asyncio
import io
import time
from pathlib import Path

import pytest
from PIL import Image

from hopsight.errors import ProviderError, StoreError
from hopsight.harness.backends.build import build_local_index
from hopsight.harness.backends.local import LocalBackend
from hopsight.harness.backends.markdown import with_links
from hopsight.search import ImageHit
from hopsight.store import ImageStore
from hopsight.types import ImageRef, PageImage
from tests.hopsight.harness import world as w
from tests.hopsight.search import drawing
from tests.hopsight.search.test_embedder import Colours


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> w.World:
    return w.make_world(tmp_path_factory.mktemp("world"))


def test_a_page_reads_as_title_infobox_and_linked_prose(world: w.World) -> None:
    page = asyncio.run(world.backend.visit(f"{w.HOST}Alda"))
    assert page is not None
    assert page.markdown == (
        "# Alda\n\n"
        "| attribute | value |\n| --- | --- |\n"
        "| countries | Norland, Ost\\|land |\n"
        f"| mouth | [Grey Sea]({w.HOST}Grey_Sea) |\n\n"
        f"Alda is a river. It flows through [Bergen]({w.HOST}Bergen) and ends in the "
        f"[Grey Sea]({w.HOST}Grey_Sea).\n"
    )
    assert page.images == world.shown[:1]


def test_sections_are_headings_of_the_page(world: w.World) -> None:
    page = asyncio.run(world.backend.visit(f"{w.HOST}Bergen"))
    assert page is not None
    assert "\n## History\n" in page.markdown


@pytest.mark.parametrize(
    "url",
    [
        "https://wiki.example/wiki/Grey_Sea",
        "http://WIKI.example/wiki/Grey Sea#Depth",
        "wiki.example/wiki/Grey%20Sea/",
    ],
)
def test_one_page_answers_to_the_forms_of_its_address(world: w.World, url: str) -> None:
    page = asyncio.run(world.backend.visit(url))
    assert page is not None
    assert page.title == "Grey Sea"


def test_an_unknown_address_is_no_page(world: w.World) -> None:
    for url in ("https://elsewhere.example/Alda", "", "file:///etc/passwd", "\ud800"):
        assert asyncio.run(world.backend.visit(url)) is None


def test_pages_are_found_by_other_names_and_by_infobox_values(world: w.World) -> None:
    assert asyncio.run(world.backend.web_search("Mare Griseum", 1))[0].title == "Grey Sea"
    assert asyncio.run(world.backend.web_search("Norland", 1))[0].title == "Alda"


def test_image_search_finds_only_pages_with_pictures(world: w.World) -> None:
    hits = asyncio.run(world.backend.image_search("Bergen", 3))
    assert [(hit.page_title, hit.image) for hit in hits] == [("Bergen", world.shown[1])]
    assert asyncio.run(world.backend.image_search("Grey Sea", 3)) == []


def test_a_word_inside_another_word_is_no_anchor() -> None:
    text = "Romania is not Roma."
    link = w.link(1, 2, "Bergen").model_copy(update={"anchor": "Roma", "start": 0, "end": 20})
    assert with_links(text, [link], {2: "u"}) == "Romania is not [Roma](u)."


def test_two_links_of_one_anchor_take_two_places() -> None:
    base = w.link(1, 2, "Bergen").model_copy(update={"anchor": "Ada", "start": 0, "end": 12})
    text = "Ada and Ada."
    links = [base, base.model_copy(update={"target": 3})]
    linked = with_links(text, links, {2: "u", 3: "v"})
    assert sorted(linked.removesuffix(".").split(" and ")) == ["[Ada](u)", "[Ada](v)"]


def test_the_order_of_records_does_not_change_the_index(world: w.World, tmp_path: Path) -> None:
    other = build_local_index(
        w.PAGES[::-1], w.LINKS[::-1], w.FACTS[::-1], w.ALIASES, (), world.images.bytes,
        tmp_path / "index",
    )  # fmt: skip
    for query in ("Alda", "city on a river", "sea"):
        found = asyncio.run(other.web_search(query, 5))
        assert found == asyncio.run(world.backend.web_search(query, 5)) != []
    for name in ("Alda", "Bergen"):
        ours, theirs = (
            asyncio.run(backend.visit(w.HOST + name)) for backend in (other, world.backend)
        )
        assert ours is not None
        assert theirs is not None
        assert ours.markdown == theirs.markdown


def test_opening_is_quick(world: w.World) -> None:
    start = time.process_time()
    LocalBackend(world.root / "index")
    assert time.process_time() - start < 1.0


def test_a_missing_or_older_index_names_the_remedy(world: w.World, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="materialize the asset search_index"):
        LocalBackend(tmp_path)
    (tmp_path / "index.json").write_text('{"format": 0}')
    with pytest.raises(StoreError, match="format 0"):
        LocalBackend(tmp_path)


def test_a_picture_is_fetched_by_its_address_and_an_unknown_one_is_none(world: w.World) -> None:
    for url in (f"{w.HOST}1", f"{w.HOST.replace('https', 'http')}1#top"):
        assert asyncio.run(world.backend.fetch_image(url)) == world.shown[0]
    assert asyncio.run(world.backend.fetch_image(f"{w.HOST}9")) is None
    assert asyncio.run(world.backend.fetch_image("")) is None


def test_scholar_search_is_not_offered_and_says_so(world: w.World) -> None:
    assert "scholar_search" not in world.backend.offers
    with pytest.raises(ProviderError, match="no scholar_search"):
        asyncio.run(world.backend.scholar_search("rivers", 3))


def captioned(root: Path, embedder: Colours | None = None) -> tuple[LocalBackend, ImageRef]:
    """Page 1 shows a plain red picture that carries words, page 2 a green one without."""
    store = ImageStore(root / "store")
    red, green = (
        store.put(drawing.png(Image.new("RGB", (64, 48), colour)), f"{w.HOST}c", "CC0-1.0", "t")
        for colour in ("red", "lime")
    )
    images = [
        PageImage(
            page_id=1, file="a.png", image=red, visual_facts=("a stop sign",), text=("HALT",)
        ),
        PageImage(page_id=2, file="b.png", image=green, visual_facts=(), text=()),
    ]
    return (
        build_local_index(w.PAGES, (), (), (), images, store.bytes, root / "index", embedder),
        green,
    )


def test_the_words_on_a_picture_find_it_and_what_it_shows_does_not(tmp_path: Path) -> None:
    backend, _ = captioned(tmp_path)
    assert [h.page_title for h in asyncio.run(backend.image_search("halt", 3))] == ["Alda"]
    assert asyncio.run(backend.image_search("stop signs", 3)) == []


def test_an_address_that_two_pictures_give_is_no_pictures_address(tmp_path: Path) -> None:
    backend, _ = captioned(tmp_path)
    assert asyncio.run(backend.fetch_image(f"{w.HOST}c")) is None


def test_a_configured_embedder_finds_pictures_by_words_and_likeness(tmp_path: Path) -> None:
    backend, green = captioned(tmp_path, Colours())
    by_words = asyncio.run(backend.image_search("green", 3))
    assert [(hit.image, hit.match) for hit in by_words] == [(green, "embedding")]
    blue = drawing.png(Image.new("RGB", (64, 48), (10, 20, 230)))
    assert asyncio.run(backend.visual_search(blue, 3)) == []
    greenish = drawing.png(Image.new("RGB", (64, 48), (20, 230, 30)))
    hits = asyncio.run(backend.visual_search(greenish, 3))
    assert [(hit.page_title, hit.match) for hit in hits] == [("Bergen", "embedding")]


def test_other_episodes_go_on_while_pixels_are_looked_at(world: w.World) -> None:
    unknown = drawing.png(drawing.scene(4711))

    async def turns_beside() -> int:
        search, turns = asyncio.create_task(world.backend.visual_search(unknown, 3)), 0
        while not search.done():
            turns += 1
            await asyncio.sleep(0)
        assert await search == []
        return turns

    # On the loop itself it would be done after its first turn.
    assert asyncio.run(turns_beside()) > 20


def test_many_searches_at_once_answer_like_one(world: w.World) -> None:
    cut = drawing.jpeg(Image.open(io.BytesIO(world.images.bytes(world.shown[1].sha256))), 60)
    pictures = [cut, *(drawing.png(drawing.scene(n)) for n in (901, 902)), cut] * 4

    async def all_at_once() -> list[list[ImageHit]]:
        asked = (world.backend.visual_search(each, 3) for each in pictures)
        return await asyncio.gather(*asked)

    titles = [[hit.page_title for hit in hits] for hits in asyncio.run(all_at_once())]
    assert titles == [["Bergen"], [], [], ["Bergen"]] * 4


def test_an_index_built_without_the_embedder_is_refused(tmp_path: Path) -> None:
    captioned(tmp_path)
    with pytest.raises(StoreError, match="build the search index again"):
        LocalBackend(tmp_path / "index", Colours())


def test_a_page_shows_its_pictures_in_its_own_order(tmp_path: Path) -> None:
    store = ImageStore(tmp_path / "store")
    images = []
    for place, name in enumerate(("z.png", "a.png", "m.png")):
        picture = drawing.png(Image.new("RGB", (64, 48), (place, 0, 0)))
        put = store.put(picture, f"{w.HOST}{name}", "CC0-1.0", "t")
        images.append(
            PageImage(page_id=1, file=name, place=place, image=put, visual_facts=(), text=())
        )
    made = build_local_index(w.PAGES, (), (), (), images[::-1], store.bytes, tmp_path / "index")
    page = asyncio.run(made.visit(w.PAGES[0].url))
    assert page is not None
    assert [each.source_url for each in page.images] == [each.image.source_url for each in images]
