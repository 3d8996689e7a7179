"""Small graphs that a person may look at: around one page, and the evidence of one chain."""

import re
from pathlib import Path
from typing import Any, Final

import networkx as nx

from hopsight.types import EvidenceChain
from hopsight.wiki.graph import LinkGraph
from hopsight.wiki.snapshot import Snapshot

_CONTROL: Final = re.compile(r"[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot hold."""


def ego_graph(
    graph: LinkGraph, snapshot: Snapshot, page_id: int, hops: int = 1, max_nodes: int = 200
) -> "nx.DiGraph[int]":
    """Pages within `hops` links of a page, nearest first and at most `max_nodes`, by page id.

    Raises KeyError for a page that the graph does not have.
    """
    graph.index(page_id)
    distance = {page_id: 0}
    frontier = [page_id]
    for hop in range(1, hops + 1):
        reached = sorted({t for source in frontier for t in graph.neighbours(source)})
        frontier = [t for t in reached if t not in distance][: max_nodes - len(distance)]
        distance.update(dict.fromkeys(frontier, hop))
    view: nx.DiGraph[int] = nx.DiGraph()
    for node, hop in distance.items():
        page = snapshot.page(node)
        view.add_node(node, title=page.title, domain=str(page.domain or ""), distance=hop)
    for source in distance:
        view.add_edges_from((source, t) for t in graph.neighbours(source) if t in distance)
    return view


def evidence_graph(chain: EvidenceChain) -> "nx.DiGraph[str]":
    """One chain as a graph: its pages in order, each hop with its sentence, then the answer."""
    view: nx.DiGraph[str] = nx.DiGraph(chain_id=chain.id)
    previous = ""
    for position, node in enumerate(chain.nodes):
        name = f"{position}:{node.page_id}"
        view.add_node(name, title=node.title, infobox=node.infobox, position=position,
                      images=" ".join(image.sha256 for image in node.images))  # fmt: skip
        if previous and node.clue is not None:
            view.add_edge(
                previous,
                name,
                relation=node.clue.relation,
                inverse=node.clue.inverse,
                sentence=node.hop.sentence if node.hop else "",
                sentence_page=node.hop.title if node.hop else "",
            )
        previous = name
    view.add_node("answer", title=chain.answer, position=len(chain.nodes))
    view.add_edge(
        previous,
        "answer",
        relation=chain.attribute,
        sentence=chain.answer_evidence.sentence,
        sentence_page=chain.answer_evidence.title,
    )
    return view


def write_graphml(view: "nx.DiGraph[Any]", path: Path) -> None:
    """Write a view as GraphML; characters that XML cannot hold become spaces."""
    clean: nx.DiGraph[Any] = nx.DiGraph(**_clean(view.graph))
    clean.add_nodes_from((node, _clean(data)) for node, data in view.nodes(data=True))
    clean.add_edges_from((a, b, _clean(data)) for a, b, data in view.edges(data=True))
    path.parent.mkdir(parents=True, exist_ok=True)
    nx.write_graphml(clean, path, encoding="utf-8")


def _clean(data: dict[str, Any]) -> dict[str, Any]:
    return {k: _CONTROL.sub(" ", v) if isinstance(v, str) else v for k, v in data.items()}
