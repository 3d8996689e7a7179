"""The built world: what is committed is what the tables give, and there is enough of it."""

import json
import re
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

from hopsight.errors import SourceError
from hopsight.wiki import mini
from hopsight.wiki.mini import DATA_DIR
from hopsight.wiki.mini.build import HERE, build, check, differences, main
from hopsight.wiki.mini.draw import Picture
from hopsight.wiki.mini.render import load_tables
from hopsight.wiki.mini.render.export import sha1_base36

_NS = "{http://www.mediawiki.org/xml/export-0.11/}"
_LINK = re.compile(r"\[\[([^\[\]|#]+)[^\[\]]*\]\]")


SQUARE = Picture(
    file="mw-00000000.png",
    title="Rhine",
    kind="square",
    width=512,
    height=512,
    sha256="0" * 64,
    visual_facts=("one square",),
    text=(),
)


def draw_square(data_dir: Path, out_dir: Path) -> list[Picture]:
    (out_dir / "mw-00000000.png").write_bytes(b"square")
    return [SQUARE]


def rhine(folder: Path) -> Path:
    data = folder / "data"
    data.mkdir()
    rows = "title,aliases,length_km,mouth,source\nRhine,Rhein;Rhin,1230,North Sea,Atlas & map\n"
    (data / "rivers.csv").write_text(rows, encoding="utf-8")
    return data


@cache
def pages() -> dict[str, ElementTree.Element]:
    root = ElementTree.parse(mini.WORLD_XML).getroot()
    return {str(page.findtext(f"{_NS}title")): page for page in root.iter(f"{_NS}page")}


@cache
def texts() -> dict[str, str]:
    return {
        title: str(page.findtext(f"{_NS}revision/{_NS}text")) for title, page in pages().items()
    }


def text_of(title: str) -> str:
    return texts()[title]


def records(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@cache
def redirects() -> dict[str, str]:
    found = {title: page.find(f"{_NS}redirect") for title, page in pages().items()}
    return {title: node.attrib["title"] for title, node in found.items() if node is not None}


def namespace(title: str) -> str | None:
    return pages()[title].findtext(f"{_NS}ns")


def articles() -> list[str]:
    return [
        title
        for title in pages()
        if namespace(title) == "0"
        and title not in redirects()
        and "{{disambiguation}}" not in text_of(title)
        and not title.startswith(("List of", "Timeline of", "Outline of", "Index of"))
    ]


def test_the_committed_world_is_what_the_tables_give(
    built: tuple[Path, list[Picture]],
) -> None:
    assert differences(HERE, built[0]) == []


def test_the_files_of_the_mini_world_are_there() -> None:
    assert all(path.exists() for path in mini.mini_world_files())


def test_there_are_enough_articles_and_pictures() -> None:
    pictured = {record["title"] for record in records(mini.PICTURES_JSONL)}
    assert len(articles()) >= 500
    assert len(pictured) >= 200
    assert pictured <= set(articles())


def test_every_row_has_an_article_with_an_infobox_and_notes() -> None:
    for row in load_tables(DATA_DIR).rows:
        text = text_of(row.title)
        assert text.startswith(f"{{{{Infobox {row.kind.infobox}\n")
        assert text.count("<ref>") == text.count("</ref>") >= len(row.cells)
        assert "[[Category:" in text


def test_there_are_lists_hubs_disambiguations_and_redirects() -> None:
    lists = [title for title in pages() if title.startswith(("List of", "Outline of", "Timeline"))]
    meant = [title for title in pages() if "{{disambiguation}}" in text_of(title)]
    incoming = dict.fromkeys(pages(), 0)
    for title in articles():
        for name in set(_LINK.findall(text_of(title))):
            raised = name[:1].upper() + name[1:]
            if raised in incoming:
                incoming[raised] += 1
    hubs = [title for title, count in incoming.items() if count >= 50]
    double = [title for title, target in redirects().items() if target in redirects()]
    to_section = [title for title in redirects() if "#" in text_of(title).removeprefix("#REDIRECT")]
    assert len(lists) >= 10 and len(meant) >= 5 and len(hubs) >= 12
    assert len(redirects()) >= 100 and len(double) >= 3 and len(to_section) == 1


def test_redirects_and_disambiguations_lead_to_pages() -> None:
    assert set(redirects().values()) <= set(pages())
    for title in pages():
        if "{{disambiguation}}" in text_of(title):
            named = _LINK.findall(text_of(title))
            assert len(named) >= 2 and set(named) <= set(pages()), title


def test_ids_are_unique_and_checksums_fit_their_text() -> None:
    ids = [page.findtext(f"{_NS}id") for page in pages().values()]
    assert len(set(ids)) == len(ids)
    for title, page in pages().items():
        node = page.find(f"{_NS}revision/{_NS}text")
        assert node is not None and node.text is not None
        assert node.attrib["bytes"] == str(len(node.text.encode()))
        assert node.attrib["sha1"] == sha1_base36(node.text), title


def test_file_pages_name_author_and_licence_and_nothing_of_the_picture() -> None:
    files = [title for title in pages() if namespace(title) == "6"]
    names = {row.title for row in load_tables(DATA_DIR).rows}
    assert len(files) >= 200
    for title in files:
        text = text_of(title)
        assert "{{Cc-zero}}" in text and "| author = " in text
        assert not any(f"= {name}\n" in text for name in names)
        assert re.fullmatch(r"File:mw-[0-9a-f]{8}\.png", title)


def test_truth_names_sentences_that_stand_in_the_world(tmp_path: Path) -> None:
    assert main(["--truth", str(tmp_path / "truth.jsonl")]) == 0
    truth = records(tmp_path / "truth.jsonl")
    assert len(truth) > 5000
    assert {record["page"] for record in truth} <= set(pages())
    for record in truth:
        assert record["shown"] in record["sentence"]


def test_building_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    data = rhine(tmp_path)
    made = build(data, tmp_path / "one", draw_square)
    build(data, tmp_path / "two", draw_square)
    assert (made.articles, made.pictures) == (1, 1)
    assert differences(tmp_path / "one", tmp_path / "two") == []


def test_check_names_the_first_file_that_differs(tmp_path: Path) -> None:
    data = rhine(tmp_path)
    build(data, tmp_path / "out", draw_square)
    check(data, tmp_path / "out", draw_square)
    (tmp_path / "out" / "world.xml").write_text("", encoding="utf-8")
    (tmp_path / "out" / "pictures" / "mw-11111111.png").write_bytes(b"left over")
    with pytest.raises(SourceError, match=r"2 built files differ .* first pictures/mw-11111111"):
        check(data, tmp_path / "out", draw_square)


def test_a_picture_of_an_unknown_page_is_refused(tmp_path: Path) -> None:
    def draw(data_dir: Path, out_dir: Path) -> list[Picture]:
        return [SQUARE.model_copy(update={"title": "Atlantis"})]

    with pytest.raises(SourceError, match="'Atlantis', which has no row"):
        build(rhine(tmp_path), tmp_path / "out", draw)


def test_second_names_lead_to_the_page_over_each_other(tmp_path: Path) -> None:
    build(rhine(tmp_path), tmp_path, draw_square)
    text = (tmp_path / "world.xml").read_text(encoding="utf-8")
    assert '<redirect title="Rhine" />' in text
    assert '<redirect title="Rhein" />' in text
    assert "Atlas &amp;amp; map" not in text


def test_a_missing_file_of_the_mini_world_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mini, "WORLD_XML", tmp_path / "world.xml")
    with pytest.raises(SourceError, match=r"lacks world\.xml"):
        mini.mini_world_files()
