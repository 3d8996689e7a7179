"""A record's past as a person reads it: from the exported row back to sentence and pixel."""

from collections.abc import Iterable
from typing import Any

from rich.tree import Tree

from hopsight.lineage import LineageNode
from hopsight.workspace import Workspace
from pipelines.terminal import console, plain


def print_lineage(node: LineageNode, workspace: Workspace) -> None:
    """Draw the record, what it was made from, and what was found out about each."""
    tree = Tree(_title(node, workspace))
    _grow(tree, node, workspace, seen={node.id})
    console.print(tree)


def _grow(tree: Tree, node: LineageNode, workspace: Workspace, seen: set[str]) -> None:
    for line in _details(node, workspace):
        tree.add(line)
    for label, related in (("", node.parents), ("found: ", _told_findings(node.findings))):
        for each in related:
            branch = tree.add(label + _title(each, workspace))
            if each.id in seen:
                branch.add("[dim](told above)[/dim]")
                continue
            seen.add(each.id)
            _grow(branch, each, workspace, seen)


def _told_findings(findings: Iterable[LineageNode]) -> list[LineageNode]:
    """Rollouts by policy and sample, then the rest by kind."""

    def order(node: LineageNode) -> tuple[str, str, int, str]:
        row = node.row or {}
        return (node.kind, str(row.get("policy", "")), _number(row.get("sample")), node.id)

    return sorted(findings, key=order)


def _number(value: object) -> int:
    return value if isinstance(value, int) else -1


def _title(node: LineageNode, workspace: Workspace) -> str:
    row: dict[str, Any] = node.row or {}
    head = f"[bold]{plain(node.id)}[/bold]"
    said = {
        "row": lambda: f"row {row.get('row')} of {row.get('file')}",
        "traj": lambda: (
            f"{row.get('policy')}, sample {row.get('sample')}: {row.get('final_answer')!r}, "
            f"{row.get('stop_reason')}"
        ),
        "verdict": lambda: f"{row.get('outcome')} ({row.get('judge')}): {row.get('rationale')}",
        "pass": lambda: f"{row.get('policy')}: {row.get('correct')} of {row.get('graded')} right",
        "probe": lambda: (
            f"{row.get('probe')} probe: {'solved' if row.get('solved') else 'not solved'}"
        ),
        "split": lambda: f"split {row.get('split')}, band {row.get('band')}",
        "q": lambda: f"question, {row.get('operator')}: {row.get('text')}",
        "chain": lambda: f"chain to {row.get('answer')!r}",
        "path": lambda: f"path {' → '.join(row.get('titles', []))}",
        "page": lambda: f"page {row.get('title')}, revision {row.get('revision')}",
        "rej": lambda: f"rejected by {row.get('stage')}: {row.get('reason')}",
    }
    told = said[node.kind]() if node.kind in said and row else node.kind
    where = f" [dim]{plain(node.dataset)}[/dim]" if node.dataset else ""
    return f"{head}{where}  {plain(told)}"


def _details(node: LineageNode, workspace: Workspace) -> list[str]:
    row: dict[str, Any] = node.row or {}
    if node.kind == "q":
        pictures = [
            f"picture {image['sha256']} ({image['license']}, {image['author']})"
            for image in row.get("images", [])
        ]
        return [plain(line) for line in pictures]
    if node.kind == "chain":
        lines = [
            line
            for each in row.get("nodes", [])
            if each.get("hop")
            for line in (_node_line(each), *_constraint_lines(each))
        ]
        return [*lines, _evidence_line("answer", row.get("answer_evidence"))]
    if node.kind == "traj":
        calls = [call["name"] for turn in row.get("turns", []) for call in turn["calls"]]
        return [plain(" → ".join(calls))] if calls else []
    return []


def _node_line(node: dict[str, Any]) -> str:
    clue = node["clue"]
    direction = "inverse of " if clue["inverse"] else ""
    return _evidence_line(f"{node['title']} by {direction}{clue['relation']}", node["hop"])


def _constraint_lines(node: dict[str, Any]) -> list[str]:
    """What else the question says of a node, where a sentence states it."""
    return [
        _evidence_line(f"{node['title']}, {each['attribute']}", each["evidence"])
        for each in node["clue"]["constraints"]
        if each["evidence"] is not None
    ]


def _evidence_line(label: str, evidence: dict[str, Any] | None) -> str:
    if evidence is None:
        return plain(label)
    place = (
        f"{evidence['title']}, revision {evidence['revision']}, "
        f"characters {evidence['start']}–{evidence['end']}"
    )
    return f"{plain(label)}: “{plain(evidence['sentence'])}” [dim]({plain(place)})[/dim]"
