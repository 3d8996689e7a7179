"""Of every exported row one can ask where it comes from, down to sentence and pixel."""

import hashlib
import json
from typing import Any

import pyarrow.parquet as pq
import pytest

from hopsight.catalog import Catalog
from hopsight.datasets import DATASETS, SNAPSHOT_ROUND
from hopsight.types import ExportRow, Page, Trajectory
from tests.loop.place import ROUND

OPERATORS = ["canonical", "fuzz", "ground"]
HARDER = {"expand", "blur", "visualize"}


@pytest.fixture(scope="module")
def catalog(mini_round):
    """The catalog of the finished round."""
    with Catalog(mini_round.store) as opened:
        yield opened


@pytest.fixture(scope="module")
def pages(mini_round):
    """Pages by id."""
    return {page.page_id: page for page in mini_round.store.read("pages", SNAPSHOT_ROUND, Page)}


def exported(place):
    """(name of the row, question id, trajectory id, pictures) as the files themselves say."""
    for number, row in enumerate(json.loads((place.exports / "sft" / "sft.json").read_text())):
        shown = [(place.exports / "sft" / path).read_bytes() for path in row["images"]]
        yield f"sft.json:{number}", row["id"], row["trajectory_id"], shown
    table = pq.read_table(place.exports / "rl" / "rl.parquet").to_pylist()
    for number, row in enumerate(table):
        shown = [image["bytes"] for image in row["images"]]
        yield f"rl.parquet:{number}", row["extra_info"]["question_id"], None, shown


def test_every_row_reaches_pages_pictures_rollouts_and_verdicts(mini_round, catalog, pages):
    rows = list(exported(mini_round))
    probed = {each.id for each in mini_round.store.read("probe_rollouts", ROUND, Trajectory)}
    assert len(rows) > 15
    for name, question_id, trajectory_id, pictures in rows:
        root = catalog.lineage(name)
        nodes = {node.id: node for node in root.walk()}
        by_kind: dict[str, list[Any]] = {}
        for node in nodes.values():
            assert node.row is not None, (name, node.id)
            by_kind.setdefault(node.kind, []).append(node)

        assert question_id in nodes, name
        assert trajectory_id is None or trajectory_id in nodes, name
        shown = [hashlib.sha256(data).hexdigest() for data in pictures]
        assert list(root.row["images"]) == shown, name
        asked = nodes[question_id].row
        assert all(image["license"] and image["author"] for image in asked["images"])
        operators = sorted(node.row["operator"] for node in by_kind["q"])
        assert [each for each in operators if each not in HARDER] == OPERATORS, name

        (path,) = by_kind["path"]
        on_path = {f"wiki:{page_id}" for page_id in path.row["entities"]}
        assert on_path == {node.id for node in by_kind["page"]}, name
        chain = nodes[asked["chain_id"]].row
        sentences = evidence_of(chain)
        assert len(sentences) >= len(path.row["hops"]) + 1
        for each in sentences:
            page = pages[each["page_id"]]
            assert page.text[each["start"] : each["end"]] == each["sentence"], name
            assert (page.revision, page.title) == (each["revision"], each["title"])

        judged = {node.row["trajectory_id"]: node.row["outcome"] for node in by_kind["verdict"]}
        # What a probe played is judged at once: its result stands in probe_results.
        tried = {node.id for node in by_kind["traj"]} - probed
        assert tried == set(judged), name
        assert len(tried) == 5, name
        assert trajectory_id is None or judged[trajectory_id] == "correct"
        assert {node.row["policy"] for node in by_kind["pass"]} == {
            node.row["policy"] for node in by_kind["traj"] if node.id in tried
        }
        assert not any(node.row["solved"] for node in by_kind["probe"])
        (split,) = by_kind["split"]
        assert split.row["split"] == ("rl" if trajectory_id is None else "sft"), name


def evidence_of(chain):
    """All sentences that a chain rests on."""
    found = [chain["answer_evidence"]]
    for node in chain["nodes"]:
        found += [each for each in (node["hop"], node["link"]) if each]
        if node["clue"]:
            found += [each["evidence"] for each in node["clue"]["constraints"] if each["evidence"]]
    return found


def test_the_exported_files_and_the_row_records_agree(mini_round):
    records = [
        *mini_round.store.read("sft_rows", ROUND, ExportRow),
        *mini_round.store.read("rl_rows", ROUND, ExportRow),
    ]
    told = {f"{row.file}:{row.row}": (row.question_id, row.trajectory_id) for row in records}
    found = {name: (question, trace) for name, question, trace, _ in exported(mini_round)}
    assert told == found


def test_sql_sees_every_data_set(mini_round, catalog):
    store = mini_round.store
    for name in DATASETS:
        stored = sum(store.manifest(name, key).rows for key in store.rounds(name))
        assert catalog.sql(f"select count(*) from {name}")[1] == [(stored,)], name
    for family in ("rejections", "funnel", "provenance"):
        members = [name for name in store.names() if name.startswith(f"{family}_")]
        rows = sum(store.manifest(n, key).rows for n in members for key in store.rounds(n))
        assert catalog.sql(f"select count(*) from {family}")[1] == [(rows,)], family


def test_every_stored_record_has_provenance(catalog):
    """One row for each record and stage; of the pages too, and of what was rejected."""
    for name in [*DATASETS, "rejections"]:
        query = f"select count(*) from {name} where id not in (select record_id from provenance)"
        assert catalog.sql(query)[1] == [(0,)], name
