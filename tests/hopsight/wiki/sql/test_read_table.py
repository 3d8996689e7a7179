import gzip
import tempfile
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hopsight.errors import SourceError
from hopsight.wiki.sql import read_schema, read_table
from hopsight.wiki.sql import rows as rows_module
from hopsight.wiki.sql import stream as stream_module
from tests.hopsight.wiki.sql import dumps

HOSTILE = [
    "It's", "a),(1,0,'b", "back\\slash", "ends with \\", "ends with \\\\", "two\nlines", 'say "no"',
    "nul\0byte", "(p)", "", "NULL", "x;", "y);\nINSERT INTO `page` VALUES (1,2,3);\n", "',NULL);",
    "\\'", "''", "'", "%_\\%\\_", "\x1a\r\t\b", "太陽系_(天文)", "('", "+*,", "0x41", "--", "/* */",
]  # fmt: skip


def values(path, columns=None, **options):
    return [
        row
        for batch in read_table(path, columns, **options)
        for row in zip(*(column.to_pylist() for column in batch.columns), strict=True)
    ]


def page(number, title, lang=None):
    return (number, 0, title, 1, 0, 0.5**number, "20260101000000", None, 7, 9, "wikitext", lang)


def of_targets(rows, head=""):
    return dumps.LINKTARGET.encode() + dumps.insert("linktarget", rows, head)


@pytest.fixture(params=[False, True], ids=["numpy", "machine code"])
def machine_code(request):
    if request.param:
        pytest.importorskip("numba")
    return request.param


def test_hostile_titles_come_back_exactly(tmp_path, machine_code):
    rows = [page(at, title, "de" if at % 3 else None) for at, title in enumerate(HOSTILE)]
    path = dumps.write(tmp_path / "page.sql", dumps.PAGE, rows, per_insert=7)

    assert values(path, machine_code=machine_code) == rows


texts = st.one_of(
    st.text(st.characters(codec="utf-8"), max_size=12),
    st.text(st.sampled_from("'\\\"(),;%_\n\0Znx +*"), max_size=12),
    st.sampled_from(HOSTILE),
)
page_rows = st.lists(
    st.tuples(
        st.integers(-(2**63), 2**63 - 1),
        st.integers(-2, 2**31),
        texts,
        st.floats(allow_nan=False, allow_infinity=False),
        st.none() | texts,
        st.none() | st.integers(0, 99),
    ),
    max_size=40,
)
MIXED = """CREATE TABLE `mixed` (
  `a` bigint(20) NOT NULL,
  `b` int(11) NOT NULL,
  `c` varbinary(255) NOT NULL,
  `d` double NOT NULL,
  `e` varbinary(255) DEFAULT NULL,
  `f` int(11) DEFAULT NULL,
  PRIMARY KEY (`a`)
) ENGINE=InnoDB;
"""


@settings(max_examples=60, deadline=None)
@given(page_rows, st.sampled_from([1, 3, 100]), st.sampled_from([16, 40, 1 << 19]), st.booleans())
def test_what_mysqldump_writes_is_read_back_equal(rows, per_insert, window, machine_code):
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows_module, "WINDOW", window)
        patch.setattr(stream_module, "BLOCK", window)
        path = dumps.write(Path(folder, "mixed.sql"), MIXED, rows, per_insert)
        found = values(path, machine_code=machine_code)
        oracle = list(dumps.slow_rows(path.read_bytes()))

    assert found == rows
    assert [tuple(map(told, row)) for row in found] == oracle


def told(value):
    if value is None or isinstance(value, bytes):
        return value
    return value.encode() if isinstance(value, str) else repr(value).encode()


@settings(max_examples=60, deadline=None)
@given(st.lists(texts, min_size=1, max_size=12), st.data())
def test_a_cut_file_is_an_error_wherever_it_is_cut(titles, data):
    whole = dumps.dump(dumps.LINKTARGET, [(at, 0, title) for at, title in enumerate(titles)], 5)
    cut = data.draw(st.integers(0, len(whole) - len("ed on 2026-01-01  0:00:00\n")))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "linktarget.sql")
        path.write_bytes(whole[:cut])
        with pytest.raises(SourceError):
            values(path)


@pytest.mark.parametrize("window", [8, 64, 1 << 19])
def test_rows_longer_than_a_block_are_read(tmp_path, monkeypatch, window, machine_code):
    monkeypatch.setattr(rows_module, "WINDOW", window)
    monkeypatch.setattr(stream_module, "BLOCK", window)
    rows = [(at, 0, "x);\n'" * 40 + str(at)) for at in range(30)]
    path = dumps.write(tmp_path / "linktarget.sql", dumps.LINKTARGET, rows)

    assert values(path, machine_code=machine_code) == rows


def test_both_schemas_of_pagelinks_are_read_by_name(tmp_path):
    new = dumps.write(tmp_path / "new.sql", dumps.PAGELINKS, [(5, 0, 900), (6, 4, 901)])
    old = dumps.write(tmp_path / "old.sql", dumps.OLD_PAGELINKS, [(5, 0, "A_(b)", 0)])

    assert values(new, ["pl_target_id", "pl_from"]) == [(900, 5), (901, 6)]
    assert values(old, ["pl_title", "pl_from_namespace"]) == [("A_(b)", 0)]


def test_a_column_that_is_not_there_is_an_error_that_names_it(tmp_path):
    path = dumps.write(tmp_path / "pagelinks.sql", dumps.OLD_PAGELINKS, [(5, 0, "A", 0)])

    with pytest.raises(SourceError, match="no column pl_target_id; it has pl_from"):
        values(path, ["pl_from", "pl_target_id"])


def test_the_order_of_columns_and_further_ones_do_not_matter(tmp_path):
    create = dumps.LINKTARGET.replace(
        "  `lt_namespace` int(11) NOT NULL,\n  `lt_title` varbinary(255) NOT NULL,\n",
        "  `lt_new` enum('a,b',')') DEFAULT NULL,\n  `lt_title` varbinary(255) NOT NULL,\n"
        "  `lt_namespace` int(11) NOT NULL,\n",
    )
    path = dumps.write(tmp_path / "linktarget.sql", create, [(1, "a,b", "T", 14)])

    assert [column.name for column in read_schema(path).columns] == [
        "lt_id", "lt_new", "lt_title", "lt_namespace",
    ]  # fmt: skip
    assert values(path, ["lt_id", "lt_namespace", "lt_title"]) == [(1, 14, "T")]


def test_an_insert_with_its_own_column_list_is_followed(tmp_path):
    path = tmp_path / "linktarget.sql"
    path.write_bytes(of_targets([("T", 3)], "(`lt_title`, `lt_id`) "))

    assert values(path, ["lt_id", "lt_title"]) == [(3, "T")]
    with pytest.raises(SourceError, match="without the column"):
        values(path, ["lt_namespace"])


def test_other_spellings_of_rows_and_values_are_read(tmp_path, machine_code):
    path = tmp_path / "linktarget.sql"
    path.write_bytes(
        dumps.LINKTARGET.encode()
        + b"INSERT INTO `linktarget` VALUES\n(1,0,'it''s'),\n( 2 , 0 , _binary 'b\\'c' ) ,\n"
        b"(0x3,'4',0x5A),(4,-1,X'414243'),(5,0,null),(6,0,'a' 'b')\n;\n"
        b"INSERT INTO `wiki`.`linktarget` VALUES (8,0,'\\%\\_\\x'),(9,0,'\\\\%');\n"
        b"replace into linktarget values (7,0,'z');"
    )

    assert values(path, machine_code=machine_code) == [
        (1, 0, "it's"), (2, 0, "b'c"), (3, 4, "Z"), (4, -1, "ABC"), (5, 0, None), (6, 0, "ab"),
        (8, 0, "\\%\\_x"), (9, 0, "\\%"), (7, 0, "z"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"(1,0,'a'),(2,0),(3,0,'c');\n", "not the 3 values"),
        (b"(1,0,'a'),(2,0,'b','b');\n", "not the 3 values"),
        (b"(1,0,'a')(2,0,'b');\n", "neither a further row"),
        (b"(1,0,'a'),;\n", "neither a further row"),
        (b"(1,0,'a'),(2,0,'b') ON DUPLICATE KEY UPDATE lt_id=1;\n", "neither a further row"),
        (b"(1,0,b);\n", "cannot be read"),
        (b"(1,,'a');\n", "cannot be read"),
        (b"(1,0,);\n", "cannot be read"),
        (b"(1,zero,'a');\n", "cannot be read"),
        (b"(99999999999999999999,0,'a');\n", "cannot be read"),
        (b"(1,0,'a'),(2,0,'b'", "is cut"),
        (b"(1,0,'a'),(2,0,'b')", "is cut"),
        (b"(1,0,'a'),(2,0,'b", "is cut"),
        (b"(1,0,'a'),", "is cut"),
    ],
)
def test_a_row_that_does_not_fit_is_an_error(tmp_path, body, told, machine_code):
    path = tmp_path / "linktarget.sql"
    path.write_bytes(dumps.LINKTARGET.encode() + b"INSERT INTO `linktarget` VALUES " + body)

    with pytest.raises(SourceError, match=told):
        values(path, machine_code=machine_code)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"", "holds no table"),
        (b"INSERT INTO `linktarget` VALUES (1,0,'a');\n", "without a CREATE TABLE"),
        (b"INSERT INTO `page` VALUES (1,0,'a');\n", "without a CREATE TABLE"),
        (dumps.LINKTARGET.encode() * 2, "more than one table"),
        (dumps.LINKTARGET.encode() + b"LOAD DATA INFILE 'x';\n", "not known"),
        (dumps.LINKTARGET.encode() + b"INSERT INTO linktarget SELECT 1;\n", "not known"),
        (dumps.LINKTARGET.encode() + b"/*!50000 INSERT INTO linktarget VALUES (1)*/;\n", "known"),
    ],
)
def test_what_is_not_known_is_never_passed_over(tmp_path, text, told):
    path = tmp_path / "linktarget.sql"
    path.write_bytes(text)

    with pytest.raises(SourceError, match=told):
        values(path)


@pytest.mark.parametrize("ending", [b"-- Dump completed", b"UNLOCK TABLES", b"/*!40000 ALTER"])
def test_a_dump_that_lost_whole_lines_at_its_end_is_an_error(tmp_path, ending):
    whole = dumps.dump(dumps.LINKTARGET, [(1, 0, "a")])
    path = tmp_path / "linktarget.sql"
    path.write_bytes(whole[: whole.rindex(ending)])

    with pytest.raises(SourceError, match="is cut"):
        values(path)


def test_gzip_is_read_and_a_cut_or_damaged_one_is_an_error(tmp_path):
    rows = [(at, 0, f"Title_{at * 7919 % 10007}") for at in range(20000)]
    path = dumps.write(tmp_path / "linktarget.sql.gz", dumps.LINKTARGET, rows)
    assert values(path) == rows

    data = path.read_bytes()
    for damaged in (data[:-9], data[: len(data) // 2], data[:3000] + b"xxxx" + data[3004:]):
        path.write_bytes(damaged)
        with pytest.raises(SourceError, match=r"gzip|cannot be read|is cut|not UTF-8|known|values"):
            values(path)
    path.write_bytes(gzip.compress(b""))
    with pytest.raises(SourceError, match="holds no table"):
        values(path)


def test_strings_that_are_not_utf8_are_an_error_or_counted(tmp_path, machine_code):
    rows = [(1, 0, b"good"), (2, 0, b"bad\xff\xc3"), (3, 0, "gé"), (4, 0, b"\xe4\\")]
    path = dumps.write(tmp_path / "linktarget.sql", dumps.LINKTARGET, rows)

    with pytest.raises(SourceError, match=r"2 row\(s\).*not UTF-8"):
        values(path, machine_code=machine_code)
    rejected: Counter[str] = Counter()
    kept = values(path, rejected=rejected, machine_code=machine_code)
    assert kept == [(1, 0, "good"), (3, 0, "gé")]
    assert rejected == {"invalid_utf8": 2}
    assert values(path, ["lt_id"]) == [(1,), (2,), (3,), (4,)]


def test_a_collapse_of_the_number_of_rows_is_an_error(tmp_path):
    rows = [(at, 0, str(at)) for at in range(887)]
    create = dumps.LINKTARGET.replace("AUTO_INCREMENT=9 ", "AUTO_INCREMENT=16000000 ")
    path = dumps.write(tmp_path / "linktarget.sql", create, rows)

    with pytest.raises(SourceError, match="887 rows where at least 160,000 were expected"):
        values(path)
    assert len(values(path, min_rows=800)) == 887
    with pytest.raises(SourceError, match="at least 888"):
        values(path, min_rows=888)


def test_rows_swallowed_by_a_string_are_noticed(tmp_path, machine_code):
    # What a dump looks like whose backslashes are no escapes, at its worst: it still parses.
    swallowed = "1\\'),(" * 9 + "2"
    rows = b",".join(b"(%d,0,'%s')" % (at, swallowed.encode()) for at in range(3000))
    path = tmp_path / "linktarget.sql"
    path.write_bytes(dumps.LINKTARGET.encode() + b"INSERT INTO `linktarget` VALUES " + rows + b";")

    with pytest.raises(SourceError, match="quoting is not that of mysqldump"):
        values(path, machine_code=machine_code)


def test_types_follow_the_declared_ones(tmp_path):
    path = dumps.write(tmp_path / "page.sql", dumps.PAGE, [page(1, "A")])

    (batch,) = read_table(path, ["page_id", "page_random", "page_title", "page_lang"])

    assert batch.schema.types == [pa.int64(), pa.float64(), pa.string(), pa.string()]


def test_memory_holds_a_window_and_not_the_file(tmp_path):
    rows = [(at, 0, f"Title_{at}") for at in range(150_000)]
    path = dumps.write(tmp_path / "linktarget.sql", dumps.LINKTARGET, rows, per_insert=150_000)

    sizes = [batch.num_rows for batch in read_table(path)]

    assert sum(sizes) == 150_000
    assert max(sizes) < 40_000


def test_a_file_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(SourceError, match="is not there"):
        values(tmp_path / "page.sql")
