import bz2

import pyarrow as pa
import pytest

from hopsight.errors import SourceError
from hopsight.wiki.dump import read_dump
from hopsight.wiki.scan import Scan, scan_dump
from hopsight.wiki.scan.run import scan_files
from tests.hopsight.wiki.scan.conftest import links_of, pages_of


def _many(count=25):
    return [(f"Page {n}", f"{'x' * (n * 7 % 90)} [[Page {n + 1}]] ä & <b>") for n in range(count)]


def _zstd(data):
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(data)
    return sink.getvalue().to_pybytes()


def _streams(size):
    def pack(data):
        return b"".join(bz2.compress(data[at : at + size]) for at in range(0, len(data), size))

    return pack


PACKINGS = {
    "plain": lambda data: data,
    "bz2": bz2.compress,
    "bz2, many streams": _streams(500),
    "bz2, tiny streams": _streams(31),
    "zstd": _zstd,
    "zstd, two frames": lambda data: _zstd(data[:3000]) + _zstd(data[3000:]),
}


@pytest.mark.parametrize("packing", PACKINGS)
@pytest.mark.parametrize("step", [300, 1 << 20])
def test_any_packing_and_any_cut_gives_the_same_pages_and_links(export, tmp_path, packing, step):
    path = export(*_many())
    whole = list(read_dump(path))
    data = path.read_bytes()
    path.write_bytes(PACKINGS[packing](data))

    scan_files([path], tmp_path / "scan", plain_chunk=step, bz2_chunk=step, piece_bytes=2000)

    found = Scan.open(tmp_path / "scan")
    assert links_of(found) == [(n, f"Page {n}") for n in range(1, 26)]
    assert [row["title"] for row in pages_of(found)] == [page.title for page in whole]
    assert found.parts > 1 or step > 300 or packing in {"bz2", "zstd", "zstd, two frames"}
    assert list(found.read_pages({page.page_id for page in whole})) == whole
    assert [page.page_id for page in found.read_pages([25, 2, 13, 999])] == [2, 13, 25]


def test_part_files_follow_each_other_in_their_order(export, tmp_path):
    paths = [export(("B", "[[C]]"), name="2.xml"), export(("A", "[[B]]"), name="1.xml")]
    paths[1].write_text(paths[1].read_text().replace("<id>1</id>", "<id>9</id>"))

    found = scan_dump(paths, tmp_path / "scan")

    assert links_of(found) == [(1, "C"), (9, "B")]


def test_parts_of_two_wikis_are_refused(export, tmp_path):
    paths = [export(("A", "x")), export(("B", "y"), name="b.xml", namespaces={0: "", 6: "Datei"})]

    with pytest.raises(SourceError, match="of another wiki"):
        scan_dump(paths, tmp_path / "scan")


def _cut_in_half(data):
    return data[: len(data) // 2]


def _junk_between(data):
    return data.replace(b"</page>\n<page>", b"</page>\njunk\n<page>", 1)


@pytest.mark.parametrize(
    ("damage", "cause"),
    [
        (lambda data: b"", "is empty"),
        (lambda data: b"just words, no XML", "no MediaWiki export"),
        (lambda data: b"<html><body/></html>", "no MediaWiki export"),
        (lambda data: data.decode().encode("utf-16"), "in UTF-8"),
        (lambda data: data[: data.index(b"<page>")] + b"</mediawiki>", "holds no pages"),
        (lambda data: b"\x1f\x8b" + data, "packed in a way"),
        (lambda data: data[: data.index(b"<title>Page 9")], "breaks off"),
        (lambda data: data.replace(b"</mediawiki>", b""), "does not end as an export does"),
        (_junk_between, "something other than whole pages"),
        (lambda data: bz2.compress(data)[:-200], "ends inside its bz2 data"),
        (lambda data: bz2.compress(data) + b"garbage", "cannot be read"),
        (lambda data: bz2.compress(data)[:90] + b"damage" + bz2.compress(data)[96:], "cannot be"),
        (lambda data: _zstd(data)[:-200], "cannot be read"),
        (lambda data: data.replace(b"</page>", b"", 1), "something other than whole pages"),
    ],
)
def test_a_bad_export_is_one_error_with_cause_and_remedy(export, tmp_path, damage, cause):
    path = export(*_many(60))
    path.write_bytes(damage(path.read_bytes()))

    with pytest.raises(SourceError) as caught:
        scan_files([path], tmp_path / "scan", bz2_chunk=600)

    assert cause in caught.value.cause
    assert str(path) in caught.value.cause
    assert caught.value.remedy


def test_a_missing_file_and_no_file_are_errors(tmp_path):
    with pytest.raises(SourceError, match="is not there"):
        scan_dump([tmp_path / "none.xml"], tmp_path / "scan")
    with pytest.raises(SourceError, match="no file"):
        scan_dump([], tmp_path / "scan")


def test_pages_that_cannot_be_read_are_counted_and_the_others_kept(export, tmp_path):
    path = export(*((name, "[[T]]") for name in "ABCDEFGH"), ("Talk:A", "x", 1, None))
    data = path.read_bytes()
    data = data.replace(b"<title>B", b"<title>\xff\xfe")
    data = data.replace(b"<id>3</id>", b"")
    data = data.replace(b"<id>5</id>", b"<id>4</id>")
    data = data.replace(b"<title>F</title>", b"<title>F</title><oops>")
    path.write_bytes(data)

    found = scan_dump([path], tmp_path / "scan")

    assert [row["title"] for row in pages_of(found)] == ["A", "D", "G", "H"]
    assert links_of(found) == [(1, "T"), (4, "T"), (7, "T"), (8, "T")]
    assert found.left_out == {
        "duplicate_page": 1,
        "invalid_utf8": 1,
        "page_malformed": 2,
        "page_of_other_namespace": 1,
    }
    assert found.entered == len(pages_of(found)) + sum(found.left_out.values())
    assert [page.title for page in found.read_pages([4])] == ["D"]


def test_xml_as_other_programs_write_it_is_read_the_same(export, tmp_path):
    path = export(('The "A" & <B>', "text"), ("C", "x"))
    data = path.read_text()
    data = data.replace(">text<", "><![CDATA[<!-- [[In]] --> & [[Out]]]]><")
    data = data.replace(">x<", ">&#91;[Danube]] &apos;a > b&apos;\r\n== See also ==\r\n[[In]]<")
    path.write_text(data, newline="")

    found = scan_dump([path], tmp_path / "scan")

    assert links_of(found) == [(1, "Out"), (2, "Danube")]
    assert list(found.read_pages([1, 2])) == list(read_dump(path))
    text = list(read_dump(path))[1].text
    assert found.links(0)["offset"].to_pylist() == [len("<!-- [[In]] --> & "), text.index("[[D")]


def test_a_page_of_five_megabytes_is_read_and_one_beyond_the_bound_is_counted(export, tmp_path):
    text = "[[Danube]] & <b>quoted</b> words and more words. " * 100_000
    path = export(("A", "[[X]]"), ("Large", text), ("B", "[[Y]]"))

    whole = scan_dump([path], tmp_path / "whole")
    scan_files([path], tmp_path / "bound", max_page=1 << 20)
    bound = Scan.open(tmp_path / "bound")

    assert whole.links(0).num_rows == 100_002
    assert next(whole.read_pages([2])).text == text
    assert links_of(bound) == [(1, "X"), (3, "Y")]
    assert bound.left_out == {"page_too_large": 1}


def test_redirects_keep_the_section_that_only_their_wikitext_names(scan, export):
    found = scan(
        ("Old", "#REDIRECT [[new name#Past|x]]", 0, "New name"),
        ("Older", "#WEITERLEITUNG [[Old]]", 0, "Old"),
        ("Other", "#REDIRECT [[Elsewhere#Past]]", 0, "New name"),
    )

    rows = [(row["redirect"], row["links"]) for row in pages_of(found)]
    assert rows == [("New name#Past", 0), ("Old", 0), ("New name", 0)]


def test_a_file_that_changed_cannot_be_read_from_and_is_scanned_anew(export, tmp_path):
    path = export(("A", "[[B]]"))
    scan_dump([path], tmp_path / "scan")
    export(("A", "[[C]]"))

    with pytest.raises(SourceError, match="not as it was scanned"):
        list(Scan.open(tmp_path / "scan").read_pages([1]))

    assert links_of(scan_dump([path], tmp_path / "scan")) == [(1, "C")]
