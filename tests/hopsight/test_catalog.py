"""The catalog: every data set by SQL, and nothing but reading."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from hopsight import catalog as catalog_module
from hopsight.catalog import Catalog
from hopsight.errors import StoreError
from hopsight.store import DataStore
from hopsight.types import Alias
from tests.hopsight.world import World, make_world


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """One for all tests that only read."""
    return make_world(tmp_path_factory.mktemp("world") / "the 'store'")


@pytest.fixture
def fresh(tmp_path: Path) -> World:
    """For tests that write."""
    return make_world(tmp_path)


@pytest.fixture(scope="module")
def catalog(world: World) -> Iterator[Catalog]:
    with Catalog(world.store) as opened:
        yield opened


def test_every_data_set_is_a_view(catalog: Catalog, world: World) -> None:
    names = catalog.names()
    expected = {name for name in world.store.names() if not name.startswith("provenance_")}
    assert set(names) == expected | {"rejections", "provenance"}
    assert [row[0] for row in catalog.sql("SHOW TABLES")[1]] == names
    for name in names:
        assert catalog.sql(f'SELECT count(*) FROM "{name}"')[1][0][0] != 0


def test_a_view_holds_all_rounds_with_their_round(fresh: World) -> None:
    make_world(fresh.store.root, "0002")
    with Catalog(fresh.store) as catalog:
        columns, rows = catalog.sql(
            "SELECT round, record_round, text FROM fuzzed_questions ORDER BY 1"
        )
        assert columns == ("round", "record_round", "text")
        assert [row[:2] for row in rows] == [("0001", "0001"), ("0002", "0002")]
        assert catalog.sql("SELECT DISTINCT round FROM pages")[1] == [("all",)]


def test_provenance_and_rejections_of_all_stages_are_one_view_each(catalog: Catalog) -> None:
    _, stages = catalog.sql("SELECT DISTINCT stage FROM provenance ORDER BY 1")
    assert len(stages) == 10
    assert catalog.sql("SELECT stage, reason FROM rejections ORDER BY 2")[1] == [
        ("probes", "solved"),
        ("probes", "too_few_links"),
    ]


def test_nested_fields_can_be_queried(catalog: Catalog) -> None:
    _, rows = catalog.sql("SELECT prompt.version, len(images) FROM fuzzed_questions")
    assert rows == [("1", 0)]


@pytest.mark.parametrize(
    "query",
    [
        "SELECT 1",
        "with x as (select 1 as a) select a from x",
        "DESCRIBE pages",
        "SHOW TABLES",
        "from pages",
        "/* a comment; */ select 1;",
    ],
)
def test_reading_statements_pass(catalog: Catalog, query: str) -> None:
    assert catalog.sql(query)[1]


@pytest.mark.parametrize(
    "query",
    [
        "",
        "INSERT INTO pages VALUES (1)",
        "CREATE TABLE x AS SELECT 1",
        "DROP VIEW pages",
        "COPY (SELECT 1) TO '/tmp/x.csv'",
        "ATTACH '/tmp/x.db'",
        "PRAGMA version",
        "SET threads = 1",
        "SET enable_external_access = true",
        "INSTALL httpfs",
        "CALL enable_logging()",
        "EXPLAIN ANALYZE SELECT 1",
        "COMMIT",
        "SELECT 1; DROP VIEW pages",
    ],
)
def test_other_statements_are_refused(catalog: Catalog, query: str) -> None:
    with pytest.raises(StoreError, match="SELECT, WITH, DESCRIBE or SHOW"):
        catalog.sql(query)
    assert catalog.sql("SELECT count(*) FROM pages")[1] == [(3,)]


def test_a_statement_that_reads_cannot_hide_one_that_writes(catalog: Catalog) -> None:
    for query in (
        "WITH x AS (INSERT INTO pages VALUES (1) RETURNING *) SELECT * FROM x",
        "WITH x AS (DELETE FROM pages RETURNING *) SELECT * FROM x",
        "SELECT * FROM query('DROP VIEW pages')",
    ):
        with pytest.raises(StoreError):
            catalog.sql(query)
    assert catalog.sql("SELECT count(*) FROM pages")[1] == [(3,)]


def test_nothing_outside_the_data_sets_can_be_read(catalog: Catalog, world: World) -> None:
    secret = world.store.root / "secret.csv"
    secret.write_text("a\n1\n")
    path = str(secret).replace("'", "''")
    around = path.replace("secret.csv", "datasets/../secret.csv")
    for query in (
        f"SELECT * FROM read_csv('{path}')",
        f"SELECT * FROM '{path}'",
        f"SELECT * FROM read_text('{around}')",
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM glob('/etc/*')",
        "SELECT * FROM read_csv('https://example.org/a.csv')",
        "SELECT * FROM enable_logging(storage='file', storage_path='/tmp/hopsight-log')",
    ):
        with pytest.raises(StoreError):
            catalog.sql(query)


def test_a_python_variable_is_no_table(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog_module, "hidden", pa.table({"a": [1]}), raising=False)
    with pytest.raises(StoreError, match="hidden does not exist"):
        catalog.sql("SELECT * FROM hidden")


def test_errors_name_what_there_is(catalog: Catalog) -> None:
    with pytest.raises(StoreError, match="nothing does not exist") as error:
        catalog.sql("SELECT * FROM nothing")
    assert "curated_questions" in error.value.remedy
    with pytest.raises(StoreError) as error:
        catalog.sql("SELECT nothing FROM pages")
    assert "nothing" in error.value.cause
    assert "\n" not in str(error.value)
    with pytest.raises(StoreError, match="syntax error"):
        catalog.sql("SELEC 1")


def test_an_open_catalog_shows_the_version_it_was_opened_on_and_survives_its_end(
    tmp_path: Path,
) -> None:
    store = DataStore(tmp_path)
    count = "SELECT count(*) FROM aliases"

    def write(rows: int) -> None:
        records = [Alias(page_id=row, name="a") for row in range(rows)]
        store.write("aliases", "all", records, record_type=Alias)

    write(1)
    with Catalog(store) as catalog:
        write(2)
        assert catalog.sql(count)[1] == [(1,)]
        write(3)
        assert catalog.sql(count)[1] == [(3,)]
        write(4)
        catalog.refresh()
        assert catalog.sql(count)[1] == [(4,)]


def test_a_missing_part_is_told_when_the_catalog_is_opened(fresh: World) -> None:
    [part] = fresh.store.part_paths(fresh.store.manifest("pages", "all"))
    part.unlink()
    with pytest.raises(StoreError, match=part.name) as error:
        Catalog(fresh.store)
    assert error.value.remedy == "materialize that data set again"


def test_an_empty_store_says_so(tmp_path: Path) -> None:
    with Catalog(DataStore(tmp_path)) as catalog:
        assert catalog.names() == []
        with pytest.raises(StoreError, match="materialize some first"):
            catalog.sql("SELECT * FROM pages")


def test_no_file_is_written_by_reading(catalog: Catalog, world: World) -> None:
    before = sorted(world.store.root.rglob("*"))
    catalog.sql("SELECT * FROM provenance ORDER BY cost_usd")
    catalog.lineage(world.row.id)
    assert sorted(world.store.root.rglob("*")) == before
