import hashlib
import json

import pytest

from hopsight.store import ImageStore
from hopsight.wiki.api.credit import plain
from hopsight.wiki.api.pictures import host_of
from hopsight.wiki.build import build_snapshot
from hopsight.wiki.dump import read_dump
from hopsight.wiki.images import read_sidecar
from tests.hopsight.wiki.api.conftest import cases
from tests.hopsight.wiki.api.fake_wiki import FakeFile, Reply, png

UPLOADS = "https://upload.test/a/Red_tower.png"


@pytest.fixture(autouse=True)
def tower(wiki):
    wiki.add("A", "{{Infobox building|image=red_tower.png}} '''A''' is a tower.")
    wiki.files["Red tower.png"] = FakeFile(png(), url="https://wiki.test/images/Red%20tower.png")


def fetched(wiki):
    return {path for path, _ in wiki.requests if not path.endswith("/api.php")}


def test_a_picture_comes_with_licence_and_author(wiki, run, tmp_path):
    files = run("A")
    (row,) = read_sidecar(files.sidecar)
    data = png()
    assert (files.pictures / row.file).read_bytes() == data
    assert row.model_dump(exclude={"visual_facts", "text"}) == {
        "file": "Red tower.png",
        "title": "A",
        "width": 40,
        "height": 30,
        "sha256": hashlib.sha256(data).hexdigest(),
        "license": "CC BY-SA 4.0",
        "author": "Ann Smith",
    }
    store = ImageStore(tmp_path / "images")
    (image,) = build_snapshot(files.export, files.pictures, files.sidecar, store).images
    assert (image.image.sha256, image.image.author) == (row.sha256, "Ann Smith")


def test_what_the_api_does_not_tell_is_read_from_the_page_of_the_file(wiki, run):
    file = wiki.files["Red tower.png"]
    file.license = file.artist = ""
    wiki.add("File:Red tower.png", "{{Information|author=Bo|permission=CC0-1.0}}")
    files = run("A")
    (row,) = read_sidecar(files.sidecar)
    assert (row.license, row.author) == ("CC0-1.0", "Bo")
    assert [page.namespace for page in read_dump(files.export)] == [0, 6]


@pytest.mark.parametrize(
    ("reason", "change"),
    [
        ("picture_without_license", {"license": ""}),
        ("picture_type_or_size", {"told": {"mime": "application/pdf"}}),
        ("picture_type_or_size", {"told": {"size": 10**9}}),
        ("picture_type_or_size", {"told": {"width": 9_000, "height": 9_000}}),
        ("picture_too_large", {"data": png() + b"x" * 5000, "told": {"size": 10}}),
        ("picture_unusable", {"data": b"\x89PNG no picture at all"}),
        ("picture_unusable", {"data": png()[:-30]}),
        ("picture_changed", {"told": {"sha1": "0" * 40}}),
        ("picture_unavailable", {"url": "https://wiki.test/images/Lost.png"}),
        ("picture_host_not_allowed", {"url": UPLOADS}),
        ("picture_host_not_allowed", {"url": "http://169.254.169.254/latest/meta-data"}),
        ("picture_host_not_allowed", {"url": "https://wiki.test:8443/images/Red_tower.png"}),
        ("picture_host_not_allowed", {"url": "https://wiki.test@evil.test/Red_tower.png"}),
        ("picture_host_not_allowed", {"url": "file:///etc/passwd"}),
        ("picture_host_not_allowed", {"url": "https://wiki.test.evil.test/Red_tower.png"}),
    ],
)
def test_a_picture_that_cannot_be_taken_is_a_case(wiki, run, reason, change):
    for name, value in change.items():
        setattr(wiki.files["Red tower.png"], name, value)
    files = run("A", max_picture_bytes=4096)
    assert cases(files) == {(reason, "Red tower.png")}
    assert [path.name for path in files.pictures.iterdir()] in (
        ["pictures.jsonl"],
        [],
    )
    assert files.sidecar.read_bytes() == b""
    if reason == "picture_host_not_allowed":
        assert fetched(wiki) == set()


@pytest.mark.parametrize(
    ("reason", "reply"),
    [
        ("picture_of_other_type", Reply(b"<html>", headers={"Content-Type": "text/html"})),
        ("picture_unavailable", Reply(b"", 302, {"Location": "http://169.254.169.254/"})),
        ("picture_unavailable", Reply(b"", 410)),
    ],
)
def test_an_answer_that_is_no_picture_is_a_case(wiki, run, reason, reply):
    def spoil(params):
        if params.get("prop") == "imageinfo":
            wiki.troubles.append(reply)

    wiki.before = spoil
    assert cases(run("A")) == {(reason, "Red tower.png")}
    assert len(fetched(wiki)) == 1


def test_hosts_that_are_named_may_give_pictures(wiki, run):
    wiki.files["Red tower.png"].url = UPLOADS
    wiki.files["Red_tower.png"] = FakeFile(png())  # under the name that its address has
    files = run("A", picture_hosts=("upload.test",))
    assert len(read_sidecar(files.sidecar)) == 1
    assert cases(files) == set()


def test_a_large_picture_is_fetched_scaled_down(wiki, run):
    file = wiki.files["Red tower.png"]
    file.data, file.thumb = png(400, 300), png(100, 75)
    (row,) = read_sidecar(run("A", max_picture_px=100).sidecar)
    assert (row.width, row.height) == (100, 75)
    assert fetched(wiki) == {"/thumb/Red%20tower.png"}


def test_a_large_picture_is_fetched_as_it_is_where_the_wiki_cannot_scale_it(wiki, run):
    wiki.files["Red tower.png"].data = png(400, 300)
    (row,) = read_sidecar(run("A", max_picture_px=100).sidecar)
    assert (row.width, row.height) == (400, 300)


def test_a_drawing_is_fetched_as_the_wiki_paints_it(wiki, run):
    file = wiki.files["Red tower.png"]
    file.thumb, file.told = png(64, 64), {"mime": "image/svg+xml"}
    (row,) = read_sidecar(run("A").sidecar)
    assert (row.width, row.height) == (64, 64)


def test_a_page_without_a_picture_in_its_text_gets_the_one_the_wiki_shows(wiki, run):
    wiki.add("B", "'''B''' is plain.")
    wiki.leading["B"] = "Red_tower.png"
    wiki.pages["A"].text = "See [[B]]."
    (row,) = read_sidecar(run("A").sidecar)
    assert (row.file, row.title) == ("Red tower.png", "B")


def test_a_wiki_without_leading_pictures_is_not_asked_for_them(wiki, run):
    wiki.extensions = []
    run("A")
    assert not any(params.get("prop") == "pageimages" for _, params in wiki.requests)


def test_a_file_that_was_renamed_is_found_under_its_old_name(wiki, run):
    wiki.files["Tower.png"] = wiki.files.pop("Red tower.png")
    wiki.files["Tower.png"].url = ""
    wiki.files["Red tower.png"] = FakeFile(b"", redirected_to="Tower.png")
    (row,) = read_sidecar(run("A").sidecar)
    assert row.file == "Red tower.png"


@pytest.mark.parametrize("name", ["../../etc/x.png", ".hidden.png", "a\\b.png", "C:x.png"])
def test_a_name_that_would_leave_the_folder_is_a_case(wiki, run, name):
    wiki.pages["A"].text = "See [[B]]."
    wiki.add("B", "b")
    wiki.leading["B"] = name
    files = run("A")
    ((reason, _),) = cases(files)
    assert reason == "picture_name_unusable"
    assert fetched(wiki) == set()


def test_pictures_can_be_left_alone(wiki, run):
    files = run("A", pictures=False)
    assert fetched(wiki) == set() and files.sidecar.read_bytes() == b""
    assert not any(params.get("prop") == "imageinfo" for _, params in wiki.requests)


def test_a_refresh_keeps_pictures_that_are_the_same_and_drops_those_gone(wiki, run):
    run("A")
    wiki.requests.clear()
    run("A", refresh=True)
    assert fetched(wiki) == set()
    wiki.pages["A"].text, wiki.pages["A"].revision = "No picture.", 5000
    files = run("A", refresh=True)
    assert [path.name for path in files.pictures.iterdir()] == ["pictures.jsonl"]


def test_a_picture_changed_on_disk_is_fetched_again(wiki, run):
    files = run("A")
    (files.pictures / "Red tower.png").write_bytes(png(colour="blue"))
    (files.export.parent / "crawl.json").unlink()
    files = run("A")
    assert (files.pictures / "Red tower.png").read_bytes() == png()


@pytest.mark.parametrize(
    ("markup", "words"),
    [
        ("CC0", "CC0"),
        ('<a href="x">Ann</a>, <i>Bo</i> &amp; C', "Ann, Bo & C"),
        ('<span style="display:  none">x</span>Ann<script>y()</script><!-- z -->', "Ann"),
        ("", ""),
        ("<", "<"),
        ("<!-- only -->", ""),
        ("a\x00b", ""),
        ("x" * 900, "x" * 500),
    ],
)
def test_credits_are_the_words_that_a_reader_sees(markup, words):
    assert plain(markup) == words


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://wiki.test/x", "wiki.test:443"),
        ("http://WIKI.test/x", "wiki.test:80"),
        ("http://[::1]:8080/x", "[::1]:8080"),
        ("https://a@wiki.test/x", None),
        ("ftp://wiki.test/x", None),
        ("//wiki.test/x", None),
        ("http://wiki.test:x/", None),
        ("", None),
    ],
)
def test_an_address_is_known_by_host_and_port(url, host):
    assert host_of(url) == host


def test_every_line_of_the_sidecar_names_its_file(wiki, run):
    wiki.pages["A"].text += " [[B]]"
    wiki.add("B", "{{Infobox building|image=Blue.png}}")
    wiki.files["Blue.png"] = FakeFile(png(colour="blue"))
    lines = run("A").sidecar.read_text().splitlines()
    assert [json.loads(line)["file"] for line in lines] == ["Blue.png", "Red tower.png"]


def test_the_other_pictures_of_an_article_come_too_and_not_without_bound(wiki, run, tmp_path):
    names = [f"Side {number}.png" for number in range(9)]
    wiki.pages["A"].text += "".join(f"[[File:{name}|thumb]]" for name in names)
    for number, name in enumerate(names):
        url = f"https://wiki.test/images/Side%20{number}.png"
        wiki.files[name] = FakeFile(png(40 + number, 30), url=url)
    files = run("A")
    assert {row.file for row in read_sidecar(files.sidecar)} == {"Red tower.png", *names[:7]}
    assert cases(files) == {("picture_beyond_limit", "A")}
    store = ImageStore(tmp_path / "images")
    tables = build_snapshot(files.export, files.pictures, files.sidecar, store)
    assert [row.detail for row in tables.rejected] == ["2 files: Side 7.png, Side 8.png"]
    assert [image.file for image in tables.images] == ["Red tower.png", *names[:7]]
