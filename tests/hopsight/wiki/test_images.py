import hashlib
import io
import json

import pytest
from PIL import Image

from hopsight.errors import SourceError
from hopsight.store.images import ImageStore
from hopsight.types import PageImage
from hopsight.wiki.dump import SiteInfo
from hopsight.wiki.images import (
    NO_CREDIT,
    Credit,
    PictureRow,
    Pictures,
    Unusable,
    file_credit,
    file_key,
    read_sidecar,
)
from hopsight.wiki.titles import Namespaces

SPACES = Namespaces(SiteInfo())


def png(color="red"):
    out = io.BytesIO()
    Image.new("RGB", (16, 8), color).save(out, "PNG")
    return out.getvalue()


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "pictures"
    folder.mkdir()
    (folder / "a.png").write_bytes(png())
    return folder


@pytest.fixture
def store(tmp_path):
    return ImageStore(tmp_path / "store")


def pictures(folder, *rows, file_pages=None):
    known = {file_key(name): credit for name, credit in (file_pages or {}).items()}
    return Pictures.of_folder(
        folder, rows, lambda key: known.get(key, NO_CREDIT), "https://t.invalid/"
    )


def test_a_picture_is_stored_with_its_licence_and_what_it_shows(folder, store):
    row = PictureRow(
        file="a.png", license="CC0-1.0", author="Ann", visual_facts=("red",), text=("X",)
    )

    taken = pictures(folder, row).take(7, "a.png", store)

    assert isinstance(taken, PageImage)
    assert (taken.page_id, taken.visual_facts, taken.text) == (7, ("red",), ("X",))
    assert (taken.image.license, taken.image.author) == ("CC0-1.0", "Ann")
    assert taken.image.source_url == "https://t.invalid/File:a.png"
    assert store.bytes(taken.image.sha256) == png()


def test_licence_and_author_come_from_the_file_page_where_the_sidecar_lacks_them(folder, store):
    credit = {"a.png": Credit("CC-BY-4.0", "Bob")}

    taken = pictures(folder, file_pages=credit).take(7, "a.png", store)

    assert isinstance(taken, PageImage)
    assert (taken.image.license, taken.image.author) == ("CC-BY-4.0", "Bob")


def _broken(folder):
    (folder / "a.png").write_bytes(png()[:40])


@pytest.mark.parametrize(
    ("row", "damage", "reason"),
    [
        (PictureRow(file="a.png", license="CC0"), _broken, "picture_unusable"),
        (PictureRow(file="b.png", license="CC0"), None, "picture_missing"),
        (PictureRow(file="a.png"), None, "picture_without_license"),
        (PictureRow(file="a.png", license="CC0", sha256="0" * 64), None, "picture_changed"),
        (PictureRow(file="../pictures/a.png", license="CC0"), None, "picture_missing"),
    ],
)
def test_a_picture_that_cannot_be_used_has_a_reason(folder, store, row, damage, reason):
    if damage:
        damage(folder)

    taken = pictures(folder, row).take(7, row.file, store)

    assert isinstance(taken, Unusable)
    assert taken.reason == reason


def test_files_are_found_by_the_wikis_way_of_writing_names(folder, store):
    (folder / "two words.png").write_bytes(png("blue"))
    row = PictureRow(file="two words.png", license="CC0")

    taken = pictures(folder, row).take(7, "Two_words.png", store)

    assert isinstance(taken, PageImage)
    assert taken.file == "two words.png"


def test_a_missing_folder_is_an_error(tmp_path):
    with pytest.raises(SourceError, match="is no folder"):
        pictures(tmp_path / "none")


def test_the_sidecar_is_read_by_file_name(tmp_path):
    path = tmp_path / "pictures.jsonl"
    row = {"file": "a.png", "title": "A", "kind": "flag", "width": 16, "height": 8,
           "sha256": hashlib.sha256(png()).hexdigest(), "license": "CC0-1.0", "author": "x",
           "visual_facts": ["red"], "text": []}  # fmt: skip
    path.write_text(json.dumps(row) + "\n\n", encoding="utf-8")

    assert [row.visual_facts for row in read_sidecar(path)] == [("red",)]


@pytest.mark.parametrize(
    ("line", "says"), [("{", "line 2"), ('{"title": "x"}', "file"), ('{"file": 3}', "file")]
)
def test_a_wrong_line_of_the_sidecar_is_named(tmp_path, line, says):
    path = tmp_path / "pictures.jsonl"
    path.write_text('{"file": "a.png"}\n' + line + "\n", encoding="utf-8")

    with pytest.raises(SourceError) as caught:
        read_sidecar(path)

    assert "line 2" in caught.value.cause
    assert says in caught.value.cause


def test_a_missing_sidecar_is_an_error(tmp_path):
    with pytest.raises(SourceError, match="cannot be read"):
        read_sidecar(tmp_path / "none.jsonl")


@pytest.mark.parametrize(
    ("wikitext", "credit"),
    [
        ("{{Information|author=[[User:A|Ann]]|permission=CC0}}", Credit("CC0", "Ann")),
        ("{{Information\n|Author = Bob}}\n{{self|cc-by-sa-4.0}}", Credit("CC-BY-SA-4.0", "Bob")),
        ("{{Information|author=C}} {{PD-old-100}}", Credit("PD-OLD-100", "C")),
        ("nothing", Credit("", "")),
    ],
)
def test_a_file_page_tells_licence_and_author(wikitext, credit):
    assert file_credit(wikitext, SPACES) == credit
