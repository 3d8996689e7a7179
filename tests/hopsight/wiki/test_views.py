import networkx as nx
import pytest

from hopsight.store.images import ImageStore
from hopsight.types import Clue, Evidence, EvidenceChain, EvidenceNode
from hopsight.wiki.build import build_snapshot
from hopsight.wiki.graph import build_graphs
from hopsight.wiki.snapshot import Snapshot
from hopsight.wiki.views import ego_graph, evidence_graph, write_graphml


@pytest.fixture
def world(export, tmp_path):
    path = export(("A", "[[B]]"), ("B", "[[C]] [[A]]"), ("C", "[[D]]"), ("D", "x"), ("E", "[[A]]"))
    tables = build_snapshot(path, None, None, ImageStore(tmp_path / "store"))
    graph, _ = build_graphs(tables, tmp_path / "graphs", max_in_degree=100)
    return graph, Snapshot(tables)


def test_the_ego_graph_holds_pages_within_its_hops(world):
    view = ego_graph(world[0], world[1], 1, hops=2)

    assert {node: data["distance"] for node, data in view.nodes(data=True)} == {1: 0, 2: 1, 3: 2}
    assert set(view.edges) == {(1, 2), (2, 1), (2, 3)}
    assert view.nodes[2]["title"] == "B"


def test_the_ego_graph_is_bounded(world):
    assert len(ego_graph(world[0], world[1], 1, hops=9, max_nodes=2)) == 2


def _evidence(page_id, title, text):
    return Evidence(page_id=page_id, title=title, revision=1, start=0, end=len(text), sentence=text)


def test_a_chains_evidence_goes_to_graphml_and_back(tmp_path):
    hop = _evidence(1, "Tower", "The tower stands in Paris\x00.")
    node = EvidenceNode(
        page_id=1, title="Tower", infobox="building", clue=None, hop=None, link=None
    )
    chain = EvidenceChain(
        path_id="path_0",
        nodes=(
            node,
            EvidenceNode(
                page_id=2,
                title="Paris",
                infobox="settlement",
                clue=Clue(relation="city", inverse=False),
                hop=hop,
                link=hop,
            ),
        ),
        attribute="founded",
        answer="508",
        answer_aliases=(),
        answer_evidence=_evidence(2, "Paris", "It was founded in 508."),
    )
    path = tmp_path / "deep" / "chain.graphml"

    write_graphml(evidence_graph(chain), path)
    read = nx.read_graphml(path)

    assert list(read.nodes) == ["0:1", "1:2", "answer"]
    assert read.edges["0:1", "1:2"]["relation"] == "city"
    assert read.edges["0:1", "1:2"]["sentence"] == "The tower stands in Paris ."
    assert read.edges["1:2", "answer"]["sentence"] == "It was founded in 508."
