"""Wikis in German and Chinese: their own namespaces, lists, disambiguations and sentences."""

import io

import pytest
from PIL import Image

from hopsight.store.images import ImageStore
from hopsight.wiki.build import build_snapshot
from hopsight.wiki.sentences import split_sentences

GERMAN_SPACES = {-2: "Medium", -1: "Spezial", 0: "", 1: "Diskussion", 2: "Benutzer", 4: "Wikipedia",
                 6: "Datei", 10: "Vorlage", 14: "Kategorie"}  # fmt: skip
CHINESE_SPACES = {-2: "Media", -1: "Special", 0: "", 1: "Talk", 2: "User", 4: "Wikipedia",
                  6: "File", 10: "Template", 14: "Category"}  # fmt: skip

GERMAN = (
    (
        "Donau",
        "{{Begriffsklärungshinweis}}\n{{Infobox Fluss\n|NAME = Donau\n|BILD = Donau bei Ulm.png\n"
        "|LÄNGE = 2.857 km\n|EINZUGSGEBIET = 795.686,5 km²\n|MÜNDUNG = [[Schwarzes Meer]]\n}}\n"
        "Die '''Donau''' ist mit ca. 2857 km der zweitlängste [[Fluss]] in [[Europa]]. Sie mündet"
        " seit dem 3. Jahrtausend in das [[Schwarzes Meer|Schwarze Meer]] und fließt z. B. durch"
        " [[Ulm]]. Am 4. Oktober 1894 kam die [[Duna]] hoch. [[Datei:Ulm.png|mini|Das [[Münster]]]]"
        " Sie ist [[ulm]]er Stolz.\n\n== Siehe auch ==\n* [[Liste der Flüsse]]\n\n"
        "[[Kategorie:Fluss in Europa]]\n{{Navigationsleiste|[[Rhein]]}}",
    ),
    (
        "Ulm",
        "'''Ulm''' liegt an der [[Donau]]. Siehe [[Ulm (Begriffsklärung)]] und"
        " [[Liste der Flüsse]] und [[Münster]] und [[Benutzer:Otto]] und [[Bild:Donau.png|mini]].",
    ),
    ("Schwarzes Meer", "Das '''Schwarze Meer''' ist ein [[Meer]]."),
    ("Liste der Flüsse", "* [[Donau]]"),
    ("Ulm (Begriffsklärung)", "'''Ulm''' steht für: [[Ulm]]"),
    ("Münster", "'''Münster''' steht für:\n* [[Ulm]]\n{{Begriffsklärung}}"),
    ("Duna", "#WEITERLEITUNG [[Donau]]", 0, "Donau"),
    (
        "Datei:Donau bei Ulm.png",
        "{{Information\n|Beschreibung = Donau\n|Urheber = [[Benutzer:Otto|Otto]]\n}}\n"
        "{{Bild-CC-by-sa/4.0}}",
        6,
        None,
    ),
)

CHINESE = (
    (
        "多瑙河",
        "{{Infobox river\n|name=多瑙河\n|image=Danube.png\n|length={{convert|2850|km}}\n"
        "|mouth=[[黑海]]\n}}\n'''多瑙河'''（{{lang|de|Donau}}）是[[歐洲|欧洲]]第二长的[[河流]]。"
        "它流经[[維也納]]！最后注入[[黑海]]。又称「[[伊斯特河]]。」\n"
        "[[文件:Ulm.png|thumb|[[大教堂]]]][[分类:河流]]\n== 參見 ==\n* [[河流列表]]\n"
        "{{河流导航|[[萊茵河]]}}",
    ),
    ("黑海", "'''黑海'''是海。"),
    ("維也納", "'''維也納'''在[[多瑙河]]畔。参见[[河流列表]]和[[水星]]和[[用户:某人]]。"),
    ("河流列表", "* [[多瑙河]]"),
    ("水星", "'''水星'''可以指：\n* [[多瑙河]]\n{{消歧义}}"),
    ("伊斯特河", "#重定向 [[多瑙河]]", 0, "多瑙河"),
    ("黑海 (消歧义)", "'''黑海'''可以指[[黑海]]"),
    (
        "File:Danube.png",
        "{{Information\n|描述=多瑙河\n|作者=[[用户:某人|某人]]\n}}\n{{self|cc-by-sa-3.0}}",
        6,
        None,
    ),
)


@pytest.fixture
def pictures(tmp_path):
    folder = tmp_path / "pictures"
    folder.mkdir()
    out = io.BytesIO()
    Image.new("RGB", (16, 8), "red").save(out, "PNG")
    for name in ("Donau bei Ulm.png", "Danube.png"):
        (folder / name).write_bytes(out.getvalue())
    return folder


@pytest.fixture
def german(export, pictures, tmp_path):
    path = export(*GERMAN, namespaces=GERMAN_SPACES, language="de")
    return build_snapshot(path, pictures, None, ImageStore(tmp_path / "store"))


@pytest.fixture
def chinese(export, pictures, tmp_path):
    path = export(*CHINESE, namespaces=CHINESE_SPACES, language="zh-Hans")
    return build_snapshot(path, pictures, None, ImageStore(tmp_path / "store"))


def links(tables, title):
    titles = {page.page_id: page.title for page in tables.pages}
    return [
        (link.anchor, titles[link.target]) for link in tables.links
        if titles[link.source] == title
    ]  # fmt: skip


def flagged(tables, flag):
    return {page.title for page in tables.pages if getattr(page, flag)}


def left_out(tables, title):
    ids = {page.title: page.page_id for page in tables.pages}
    return {
        row.reason: row.detail for row in tables.rejected
        if row.record_id == f"wiki:{ids[title]}"
    }  # fmt: skip


def facts(tables):
    return {
        fact.attribute: (fact.value, fact.number, fact.unit, fact.value_page)
        for fact in tables.facts
    }


def test_german_links_lead_through_redirects_and_keep_their_trail(german):
    assert links(german, "Donau") == [
        ("Schwarze Meer", "Schwarzes Meer"),
        ("Ulm", "Ulm"),
        ("ulmer", "Ulm"),
    ]
    assert links(german, "Ulm") == [("Donau", "Donau")]
    assert left_out(german, "Donau") == {
        "link_to_nowhere": "2 links: Europa, Fluss",
        "link_to_itself": "1 links: Duna",
        "picture_missing": "1 files: Ulm.png",
    }


def test_german_lists_disambiguations_and_namespaces_are_known(german):
    assert flagged(german, "is_list") == {"Liste der Flüsse"}
    assert flagged(german, "is_disambiguation") == {"Ulm (Begriffsklärung)", "Münster"}
    assert left_out(german, "Ulm") == {
        "link_to_disambiguation": "2 links: Münster, Ulm (Begriffsklärung)",
        "link_to_list": "1 links: Liste der Flüsse",
        "link_to_other_namespace": "1 links: Benutzer:Otto",
        "picture_missing": "Donau.png",
    }


def test_german_numbers_are_read_as_germans_write_them(german):
    read = facts(german)

    assert read["länge"][1:3] == (2857.0, "km")
    assert read["einzugsgebiet"][1:3] == (795686.5, "km2")
    assert read["mündung"][3] == 3


def test_german_names_and_pictures_come_with_their_licence(german):
    assert {alias.name for alias in german.aliases} >= {"Duna"}
    (picture,) = german.images
    assert (picture.image.license, picture.image.author) == ("CC-BY-SA/4.0", "Otto")


def test_a_german_sentence_does_not_end_in_an_abbreviation_or_an_ordinal(german):
    (donau,) = (page for page in german.pages if page.title == "Donau")

    assert [donau.text[start:end] for start, end in split_sentences(donau.lead)] == [
        "Die Donau ist mit ca. 2857 km der zweitlängste Fluss in Europa.",
        "Sie mündet seit dem 3. Jahrtausend in das Schwarze Meer und fließt z. B. durch Ulm.",
        "Am 4. Oktober 1894 kam die Duna hoch.",
        "Sie ist ulmer Stolz.",
    ]


def test_chinese_links_have_the_sentence_that_ends_with_its_own_full_stop(chinese):
    sentences = {link.anchor: link.sentence for link in chinese.links if link.source == 1}

    assert sentences == {"維也納": "它流经維也納！", "黑海": "最后注入黑海。"}
    assert left_out(chinese, "多瑙河") == {
        "link_to_nowhere": "2 links: 歐洲, 河流",
        "link_to_itself": "1 links: 伊斯特河",
        "picture_missing": "1 files: Ulm.png",
    }


def test_chinese_lists_disambiguations_and_namespaces_are_known(chinese):
    assert flagged(chinese, "is_list") == {"河流列表"}
    assert flagged(chinese, "is_disambiguation") == {"水星", "黑海 (消歧义)"}
    assert left_out(chinese, "維也納") == {
        "link_to_disambiguation": "1 links: 水星",
        "link_to_list": "1 links: 河流列表",
        "link_to_other_namespace": "1 links: 用户:某人",
    }


def test_chinese_names_facts_and_pictures_are_read(chinese):
    assert {alias.name for alias in chinese.aliases} == {"伊斯特河"}
    assert facts(chinese) == {
        "length": ("2850 km", 2850.0, "km", None),
        "mouth": ("黑海", None, None, 2),
    }
    (picture,) = chinese.images
    assert (picture.image.license, picture.image.author) == ("CC-BY-SA-3.0", "某人")


def test_a_sidecar_tells_what_a_file_page_does_not(export, pictures, tmp_path):
    path = export(*GERMAN[:-1], namespaces=GERMAN_SPACES, language="de")
    sidecar = tmp_path / "pictures.jsonl"
    sidecar.write_text(
        '{"file": "Donau bei Ulm.png", "license": "CC BY-SA 4.0", "author": "Otto Ostermann"}\n'
    )

    (picture,) = build_snapshot(path, pictures, sidecar, ImageStore(tmp_path / "store")).images

    assert (picture.image.license, picture.image.author) == ("CC BY-SA 4.0", "Otto Ostermann")
