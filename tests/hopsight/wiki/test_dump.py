import bz2

import pyarrow as pa
import pytest

from hopsight.errors import SourceError
from hopsight.wiki import dump
from hopsight.wiki.dump import read_dump, read_site


def test_pages_come_with_ids_namespace_revision_and_redirect_flag(export, redirect):
    path = export(("Danube", "a & <b>"), redirect("Donau", "Danube"), ("File:X.png", "x", 6, None))

    danube, donau, picture = read_dump(path)

    assert (danube.page_id, danube.revision, danube.text) == (1, 1001, "a & <b>")
    assert danube.redirect is None
    assert donau.redirect == "Danube"
    assert picture.namespace == 6


def test_bz2_gives_the_same_pages_as_plain_xml(export):
    path = export(("A", "x" * 5000), ("B", "y"))
    packed = path.with_suffix(".xml.bz2")
    packed.write_bytes(bz2.compress(path.read_bytes()))

    assert list(read_dump(packed)) == list(read_dump(path))


def test_zstd_gives_the_same_pages_as_plain_xml(export):
    path = export(("A", "x" * 5000), ("B", "y"))
    packed = path.with_suffix(".xml.zst")
    packed.write_bytes(pa.compress(path.read_bytes(), "zstd", asbytes=True))

    assert list(read_dump(packed)) == list(read_dump(path))


def test_part_files_are_read_one_after_the_other(export):
    first = export(("A", "x"), name="1.xml")
    second = export(("B", "y"), ("C", "z"), name="2.xml")

    assert [page.title for page in read_dump((first, second))] == ["A", "B", "C"]


def test_a_part_without_pages_is_an_error_though_others_have_some(export):
    first, second = export(("A", "x"), name="1.xml"), export(name="2.xml")

    with pytest.raises(SourceError, match=r"2\.xml holds no pages"):
        list(read_dump((first, second)))


def test_an_export_of_no_files_is_an_error():
    with pytest.raises(SourceError, match="no file"):
        list(read_dump(()))


def test_siteinfo_gives_the_wikis_own_namespaces_and_base(export):
    path = export(("A", "x"), namespaces={0: "", 6: "Datei", 14: "Kategorie"})

    site = read_site(path)

    assert site.namespaces[6] == "Datei"
    assert site.base == "https://test.invalid/wiki/"


def test_pages_are_freed_while_reading(export):
    path = export(*((f"Page {n}", "x" * 100) for n in range(4000)))

    held = []
    for element in dump._elements(path):
        parent = element.getparent()
        held.append(0 if parent is None else len(parent))

    assert len(held) == 4001
    assert max(held) < 400  # the parser reads ahead by one block of the file


def _cut(path):
    text = path.read_text()
    path.write_text(text[: text.index("<title>B") + 12])


def _packed_and_cut(path):
    data = bz2.compress(path.read_bytes())
    path.write_bytes(data[: len(data) // 2])


@pytest.mark.parametrize(
    ("damage", "cause"),
    [
        (lambda path: path.unlink(), "is not there"),
        (lambda path: path.write_text("just words, no XML"), "is not whole XML"),
        (lambda path: path.write_text(""), "is not whole XML"),
        (lambda path: path.write_text("<html><body/></html>"), "holds no pages"),
        (_cut, "after page 'A'"),
        (lambda path: path.write_bytes(path.read_bytes().replace(b"yyy", b"\xff\xfe")), "XML"),
    ],
    ids=["missing", "words", "empty", "other XML", "cut", "invalid UTF-8"],
)
def test_a_bad_export_is_one_error_with_cause_and_remedy(export, damage, cause):
    path = export(("A", "x"), ("B", "yyy"))
    damage(path)

    with pytest.raises(SourceError) as caught:
        list(read_dump(path))

    assert cause in caught.value.cause
    assert str(path) in caught.value.cause
    assert caught.value.remedy


def test_a_truncated_bz2_is_an_error_not_a_shorter_world(export):
    path = export(*((f"Page {n}", f"text {n} " * 50) for n in range(200)), name="dump.xml.bz2")
    _packed_and_cut(path)

    with pytest.raises(SourceError):
        list(read_dump(path))


def test_a_truncated_zstd_is_an_error_not_a_shorter_world(export):
    path = export(*((f"Page {n}", f"text {n} " * 50) for n in range(200)), name="dump.xml.zst")
    packed = pa.compress(path.read_bytes(), "zstd", asbytes=True)
    path.write_bytes(packed[: len(packed) // 2])

    with pytest.raises(SourceError, match="cannot be read"):
        list(read_dump(path))


def test_a_file_that_is_no_bz2_is_an_error(export):
    path = export(("A", "x"), name="dump.xml.bz2")

    with pytest.raises(SourceError, match="cannot be read"):
        list(read_dump(path))


def test_a_page_without_an_id_is_an_error(export):
    path = export(("A", "x"))
    path.write_text(path.read_text().replace("<id>1</id>", "<id>one</id>"))

    with pytest.raises(SourceError, match="no usable id"):
        list(read_dump(path))


def test_entities_of_a_doctype_are_not_expanded(export):
    path = export(("A", "x &bomb; y"))
    text = path.read_text().replace("&amp;bomb;", "&bomb;")
    path.write_text('<!DOCTYPE mediawiki [<!ENTITY bomb "boom">]>' + text)

    assert all("boom" not in page.text for page in read_dump(path))
