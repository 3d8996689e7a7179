"""Data sets: equal bytes for equal records, whole versions only, and errors with remedies."""

import json
import random
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hopsight.errors import StoreError
from hopsight.store import DataStore, Manifest, arrow_schema, encode
from hopsight.types import Alias, Clue, Constraint, EvidenceNode, Fact, Record
from tests.hopsight.store.processes import context, version, with_small_disk


class Nested(Record):
    kind: ClassVar[str] = "nested"
    nodes: tuple[EvidenceNode, ...]
    box: tuple[float, float, float, float] | None
    number: int


_texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
_floats = st.floats(allow_nan=False, allow_infinity=False)
_constraints = st.builds(
    Constraint,
    attribute=_texts,
    op=st.sampled_from(["is", "between"]),
    value=st.none() | _texts,
    low=st.none() | _floats,
    high=st.none(),
    unit=st.none() | _texts,
    evidence=st.none(),
)
_clues = st.builds(
    Clue,
    relation=_texts,
    inverse=st.booleans(),
    constraints=st.lists(_constraints, max_size=2).map(tuple),
    named=st.booleans(),
)
_nodes = st.builds(
    EvidenceNode,
    page_id=st.integers(-(2**63), 2**63 - 1),
    title=_texts,
    infobox=_texts,
    clue=st.none() | _clues,
    hop=st.none(),
    link=st.none(),
    images=st.just(()),
)
_nested = st.builds(
    Nested,
    nodes=st.lists(_nodes, max_size=3).map(tuple),
    box=st.none() | st.tuples(_floats, _floats, _floats, _floats),
    number=st.integers(-(2**63), 2**63 - 1),
)


def _files(root: Path) -> dict[str, bytes]:
    folder = root / "datasets"
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@settings(max_examples=60, deadline=None)
@given(st.lists(_nested, max_size=6))
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, records: list[Nested]
) -> None:
    store = DataStore(tmp_path_factory.mktemp("store"))
    store.write("nested", "0001", records, record_type=Nested)
    read = store.read("nested", "0001", Nested)
    assert read == sorted(set(records), key=lambda record: record.id)


def test_the_order_of_records_has_no_influence_on_the_bytes(tmp_path: Path) -> None:
    records = version(1)
    shuffled = random.Random(5).sample(records, len(records))
    DataStore(tmp_path / "a").write("aliases", "0001", records, record_type=Alias)
    DataStore(tmp_path / "b").write("aliases", "0001", iter(shuffled), record_type=Alias)
    assert _files(tmp_path / "a") == _files(tmp_path / "b")


def test_the_bytes_of_a_data_set_do_not_drift(tmp_path: Path) -> None:
    """Fails where writer settings, schema or pyarrow change: then every data set changes."""
    manifest = DataStore(tmp_path).write("aliases", "0001", version(1, 3), record_type=Alias)
    assert manifest.digest[:16] == "128d15cedfa3f5b0"


def test_equal_records_are_stored_once_and_counted(tmp_path: Path) -> None:
    store = DataStore(tmp_path)
    manifest = store.write("aliases", "all", version(1, 3) * 2, record_type=Alias)
    assert (manifest.rows, manifest.duplicates) == (3, 3)
    assert len(store.read("aliases", "all", Alias)) == 3


def test_large_data_sets_are_cut_into_parts_and_read_as_one() -> None:
    records, _ = encode.sorted_unique(version(1, 25_000), Alias)
    parts = list(encode.encode_parts(records, Alias, part_bytes=1))
    assert [part.rows for part, _ in parts] == [10_000, 10_000, 5_000]
    assert [part.file[:9] for part, _ in parts] == ["part-0000", "part-0001", "part-0002"]


def test_an_empty_data_set_keeps_its_columns(tmp_path: Path) -> None:
    store = DataStore(tmp_path)
    store.write("facts", "all", [], record_type=Fact)
    assert store.read("facts", "all", Fact) == []
    assert store.table("facts", "all", Fact).schema.equals(arrow_schema(Fact))


def test_names_and_rounds_are_those_that_were_committed(tmp_path: Path) -> None:
    store = DataStore(tmp_path)
    assert store.names() == []
    assert not store.exists("aliases", "0001")
    for round_name in ("0002", "0001"):
        store.write("aliases", round_name, version(1), record_type=Alias)
    (tmp_path / "datasets/pages/round=0001").mkdir(parents=True)
    for odd in ("datasets/.trash/round=0001", "datasets/aliases/round=Old copy"):
        (tmp_path / odd).mkdir(parents=True)
        (tmp_path / odd / "manifest.json").touch()
    assert store.names() == ["aliases"]
    assert store.rounds("aliases") == ["0001", "0002"]
    assert store.exists("aliases", "0001")
    assert store.rounds("pages") == []


def test_the_manifest_holds_nothing_that_changes_between_runs(tmp_path: Path) -> None:
    DataStore(tmp_path).write("aliases", "0001", version(1, 3), record_type=Alias)
    manifest = json.loads((tmp_path / "datasets/aliases/round=0001/manifest.json").read_text())
    assert set(manifest) == {
        "name", "round", "kind", "schema_version", "rows", "duplicates", "parts",
    }  # fmt: skip
    assert set(manifest["parts"][0]) == {"file", "rows", "size", "sha256"}


def test_without_a_manifest_nothing_is_seen(tmp_path: Path) -> None:
    store = DataStore(tmp_path)
    store.write("aliases", "0001", version(1), record_type=Alias)
    (tmp_path / "datasets/aliases/round=0001/manifest.json").unlink()
    assert not store.exists("aliases", "0001")
    with pytest.raises(StoreError, match="does not exist") as error:
        store.read("aliases", "0001", Alias)
    assert "wiki_snapshot" in error.value.remedy


def test_left_overs_of_a_broken_write_are_removed_by_the_next(tmp_path: Path) -> None:
    store = DataStore(tmp_path)
    folder = tmp_path / "datasets/aliases/round=0001"
    folder.mkdir(parents=True)
    (folder / ".tmp-abc").write_bytes(b"half")
    (folder / "part-0000-0123456789abcdef.parquet").write_bytes(b"never committed")
    store.write("aliases", "0001", version(1), record_type=Alias)
    assert len(list(folder.iterdir())) == 2


def test_a_reader_of_the_version_before_is_not_disturbed_by_a_writer(tmp_path: Path) -> None:
    store = DataStore(tmp_path)
    before = store.write("aliases", "0001", version(1), record_type=Alias)
    store.write("aliases", "0001", version(2), record_type=Alias)
    assert all(path.is_file() for path in store.part_paths(before))
    store.write("aliases", "0001", version(3), record_type=Alias)
    assert not any(path.is_file() for path in store.part_paths(before))
    assert store.read("aliases", "0001", Alias)[0].page_id == 3


def test_a_read_that_two_commits_overtake_follows_the_newest(tmp_path: Path) -> None:
    writer = DataStore(tmp_path)
    writer.write("aliases", "0001", version(1), record_type=Alias)

    class Overtaken(DataStore):
        """Lets two commits happen between its manifest and its parts."""

        def part_paths(self, manifest: Manifest) -> list[Path]:
            if not overtaken:
                overtaken.append(manifest)
                writer.write("aliases", "0001", version(2), record_type=Alias)
                writer.write("aliases", "0001", version(3), record_type=Alias)
            return super().part_paths(manifest)

    overtaken: list[Manifest] = []
    assert Overtaken(tmp_path).read("aliases", "0001", Alias)[0].page_id == 3
    assert len(overtaken) == 1


def test_an_iterator_that_fails_leaves_the_version_before(tmp_path: Path) -> None:
    store = DataStore(tmp_path)
    store.write("aliases", "0001", version(1), record_type=Alias)
    before = _files(tmp_path)

    def failing():
        yield from version(2)
        raise RuntimeError("the stage failed")

    with pytest.raises(RuntimeError):
        store.write("aliases", "0001", failing(), record_type=Alias)
    assert _files(tmp_path) == before


class AliasOfAnotherVersion(Record):
    kind: ClassVar[str] = "alias"
    schema_version: ClassVar[int] = 2
    page_id: int
    name: str


class AliasWithMore(Record):
    kind: ClassVar[str] = "alias"
    page_id: int
    name: str
    language: str = "en"


def test_an_older_schema_is_refused_with_the_asset_to_materialize(tmp_path: Path) -> None:
    store = DataStore(tmp_path)
    store.write("aliases", "0001", version(1), record_type=Alias)
    with pytest.raises(StoreError, match="older schema version 1") as error:
        store.read("aliases", "0001", AliasOfAnotherVersion)
    assert error.value.remedy == "materialize it again from the asset wiki_snapshot"


def test_a_newer_schema_is_refused(tmp_path: Path) -> None:
    store = DataStore(tmp_path)
    records = [AliasOfAnotherVersion(page_id=1, name="a")]
    store.write("aliases", "0001", records, record_type=AliasOfAnotherVersion)
    with pytest.raises(StoreError, match="newer schema version 2") as error:
        store.read("aliases", "0001", Alias)
    assert "or use the version of Hopsight that wrote it" in error.value.remedy


def test_changed_columns_without_a_new_version_are_refused(tmp_path: Path) -> None:
    store = DataStore(tmp_path)
    store.write("aliases", "0001", version(1), record_type=Alias)
    with pytest.raises(StoreError, match="other columns"):
        store.read("aliases", "0001", AliasWithMore)


def test_another_record_type_is_refused_for_reading_and_writing(tmp_path: Path) -> None:
    store = DataStore(tmp_path)
    store.write("aliases", "0001", version(1), record_type=Alias)
    with pytest.raises(StoreError, match="kind alias, not fact"):
        store.read("aliases", "0001", Fact)
    mixed: list[Record] = [AliasWithMore(page_id=1, name="a")]
    with pytest.raises(StoreError, match="AliasWithMore was given to a data set of Alias"):
        store.write("aliases", "0001", mixed, record_type=Alias)


def test_a_part_with_other_bytes_is_refused(tmp_path: Path) -> None:
    store = DataStore(tmp_path)
    [path] = store.part_paths(store.write("aliases", "0001", version(1), record_type=Alias))
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.raises(StoreError, match=r"damaged.*other bytes"):
        store.read("aliases", "0001", Alias)


def test_a_missing_part_is_refused(tmp_path: Path) -> None:
    store = DataStore(tmp_path)
    [path] = store.part_paths(store.write("aliases", "0001", version(1), record_type=Alias))
    path.unlink()
    with pytest.raises(StoreError, match=r"damaged.*is missing"):
        store.read("aliases", "0001", Alias)


@pytest.mark.parametrize("text", ["", "{", '{"parts": [{"file": "../../etc/passwd"}]}'])
def test_a_manifest_that_is_none_is_refused_and_can_be_replaced(tmp_path: Path, text: str) -> None:
    store = DataStore(tmp_path)
    store.write("aliases", "0001", version(1), record_type=Alias)
    (tmp_path / "datasets/aliases/round=0001/manifest.json").write_text(text)
    with pytest.raises(StoreError, match="is no manifest"):
        store.read("aliases", "0001", Alias)
    store.write("aliases", "0001", version(2), record_type=Alias)
    assert len(store.read("aliases", "0001", Alias)) == len(version(2))


def test_a_row_whose_id_is_not_its_content_is_refused(tmp_path: Path) -> None:
    table = encode._table([Alias(page_id=1, name="a")], Alias)
    forged = table.set_column(2, table.schema.field("name"), [["b"]])
    with pytest.raises(ValueError, match="holds the content of alias_"):
        encode.decode(forged, Alias)


class Number(Record):
    kind: ClassVar[str] = "number"
    whole: int
    real: float


@pytest.mark.parametrize(
    "record", [Number(whole=2**64, real=0), Number(whole=0, real=float("inf"))]
)
def test_a_number_that_has_no_column_is_told_or_kept_exactly(
    tmp_path: Path, record: Number
) -> None:
    store = DataStore(tmp_path)
    try:
        store.write("numbers", "0001", [record], record_type=Number)
    except StoreError as error:
        assert "64 bits" in error.remedy
        assert not store.exists("numbers", "0001")
    else:
        assert store.read("numbers", "0001", Number) == [record]


@pytest.mark.parametrize(("name", "round_name"), [("../x", "0001"), ("aliases", "../1"), ("", "")])
def test_names_that_are_no_names_are_refused(tmp_path: Path, name: str, round_name: str) -> None:
    with pytest.raises(StoreError, match="is no name"):
        DataStore(tmp_path).write(name, round_name, [], record_type=Alias)


@pytest.mark.parametrize("limit", [0, 100, 20_000])
def test_a_full_disk_is_one_clear_error_and_leaves_the_version_before(
    tmp_path: Path, limit: int
) -> None:
    store = DataStore(tmp_path)
    store.write("aliases", "0001", version(1), record_type=Alias)
    before = _files(tmp_path)
    ours, theirs = context().Pipe()
    process = context().Process(target=with_small_disk, args=("data set", tmp_path, limit, theirs))
    process.start()
    kind, cause, remedy = ours.recv()
    process.join()
    assert kind == "StoreError"
    assert "no space left" in cause
    assert "free some space" in remedy
    assert _files(tmp_path) == before
