"""The past of one record: a recursive query over provenance, told as a tree.

Upward: the records it was made from, back to pages. Sideways: what was found about each of them,
that is rollouts, verdicts, pass rates, probes, splits and rejections.
"""
# ruff: noqa: S608 -- names and texts that are put into queries are checked or quoted

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from hopsight.errors import StoreError

Row = dict[str, object]

FINDINGS = ("traj", "verdict", "pass", "probe", "split", "rej")
"""Kinds of records that say something about the record they were made from."""

PAGE_PREFIX = "wiki:"
_PAGE = re.compile(PAGE_PREFIX + r"([0-9]{1,18})")

_REACHED = """
WITH RECURSIVE
edges AS (
    SELECT record_id AS child, record_kind AS kind, unnest(made_from) AS parent FROM provenance
),
up(id) AS (
    SELECT CAST(? AS VARCHAR)
    UNION
    SELECT edges.parent FROM edges JOIN up ON edges.child = up.id
),
around(id) AS (
    SELECT id FROM up
    UNION
    SELECT edges.child FROM edges JOIN around ON edges.parent = around.id
    WHERE list_contains(?, edges.kind) AND NOT starts_with(edges.parent, 'wiki:')
)
SELECT * FROM provenance WHERE record_id IN (SELECT id FROM around)
ORDER BY record_id, round, made_at, stage
"""


class Queries(Protocol):
    """What a catalog offers here."""

    def names(self) -> list[str]:
        """The views."""

    def views_of_kind(self, kind: str) -> list[str]:
        """The views with records of a kind."""

    def rows(
        self, query: str, parameters: Sequence[object] = ()
    ) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
        """Columns and rows."""


@dataclass(frozen=True, slots=True)
class LineageNode:
    """A record with its past.

    `row` is the stored record with its `round` (None for a record that only provenance knows),
    `dataset` the first data set that holds it, `made` its provenance rows, oldest round first.
    `parents` are the records it was made from; `findings` what was found out about it.
    """

    id: str
    kind: str
    dataset: str | None
    row: Row | None
    made: tuple[Row, ...]
    parents: tuple["LineageNode", ...]
    findings: tuple["LineageNode", ...]

    def walk(self) -> Iterator["LineageNode"]:
        """This node and all under it, each id once, the record itself first."""
        seen: set[str] = set()
        waiting = [self]
        while waiting:
            node = waiting.pop(0)
            if node.id not in seen:
                seen.add(node.id)
                yield node
                waiting += [*node.parents, *node.findings]


def build_lineage(catalog: Queries, record_id: str, *, round: str | None = None) -> LineageNode:
    """The tree of one record; see `Catalog.lineage`."""
    start = _exported_row(catalog, record_id, round) or record_id
    made = _provenance(catalog, start)
    ids = {start, *made} | {str(p) for rows in made.values() for row in rows for p in _from(row)}
    stored = _stored(catalog, ids)
    if start not in made and start not in stored:
        raise StoreError(
            f"no record {record_id!r} is stored",
            "give a record's id, or <file>:<row> of an exported file (see `sft_rows`, `rl_rows`)",
        )
    return _Tree(made, stored).ancestor(start)


def _exported_row(catalog: Queries, text: str, round_name: str | None) -> str | None:
    """The id of the ExportRow that `<file>:<row>` names; None where `text` has no such form."""
    file, _, number = text.rpartition(":")
    if not file or not re.fullmatch(r"[0-9]{1,18}", number) or text.startswith(PAGE_PREFIX):
        return None
    views = catalog.views_of_kind("row")
    if not views:
        raise StoreError("no row has been exported yet", "materialize the exports first")
    exported = " UNION ALL BY NAME ".join(f'SELECT * FROM "{view}"' for view in views)
    _, found = catalog.rows(
        f"SELECT id FROM ({exported}) WHERE file = ? AND row = ? AND round = coalesce(?, round)"
        " ORDER BY round DESC LIMIT 1",
        [file, int(number), round_name],
    )
    if found:
        return str(found[0][0])
    _, files = catalog.rows(f"SELECT file, count(*) FROM ({exported}) GROUP BY file ORDER BY file")
    known = ", ".join(f"{name} ({count} rows)" for name, count in files) or "none"
    raise StoreError(f"no exported row {text}", f"exported files are: {known}")


def _provenance(catalog: Queries, record_id: str) -> dict[str, list[Row]]:
    """Provenance rows of the record, its ancestors and their findings, by record id."""
    if "provenance" not in catalog.names():
        return {}
    made: dict[str, list[Row]] = defaultdict(list)
    for row in _dicts(*catalog.rows(_REACHED, [record_id, list(FINDINGS)])):
        made[str(row["record_id"])].append(row)
    return dict(made)


def _stored(catalog: Queries, ids: set[str]) -> dict[str, tuple[str, Row]]:
    """Data set and row of each id that some data set holds."""
    by_kind: dict[str, list[str]] = defaultdict(list)
    for record_id in sorted(ids):
        by_kind[kind_of(record_id)].append(record_id)
    stored: dict[str, tuple[str, Row]] = {}
    for kind, wanted in by_kind.items():
        for view in catalog.views_of_kind(kind):
            for record_id, row in _lookup(catalog, kind, view, wanted):
                stored.setdefault(record_id, (view, row))
    return stored


def _lookup(catalog: Queries, kind: str, view: str, wanted: list[str]) -> Iterator[tuple[str, Row]]:
    if kind == "page":
        numbers = [int(match[1]) for match in map(_PAGE.fullmatch, wanted) if match]
        query = f'SELECT * FROM "{view}" WHERE list_contains(?, page_id) ORDER BY round'
        for row in _dicts(*catalog.rows(query, [numbers])):
            yield f"{PAGE_PREFIX}{row['page_id']}", row
    query = f'SELECT * FROM "{view}" WHERE list_contains(?, id) ORDER BY round'
    for row in _dicts(*catalog.rows(query, [wanted])):
        yield str(row["id"]), row


def kind_of(record_id: str) -> str:
    """The kind that an id begins with; `wiki:<page id>` is a page."""
    if record_id.startswith(PAGE_PREFIX):
        return "page"
    return record_id.rpartition("_")[0]


class _Tree:
    """Builds nodes; an ancestor that several records share is one node."""

    def __init__(self, made: dict[str, list[Row]], stored: dict[str, tuple[str, Row]]) -> None:
        self._made = made
        self._stored = stored
        self._done: dict[str, LineageNode] = {}
        self._open: set[str] = set()
        self._findings = _children(made)

    def ancestor(self, record_id: str) -> LineageNode:
        """A node with everything it was made from."""
        if record_id in self._done:
            return self._done[record_id]
        if record_id in self._open:
            raise StoreError(
                f"provenance says that {record_id} was made from itself",
                "materialize the round again",
            )
        self._open.add(record_id)
        names = dict.fromkeys(p for row in self._made.get(record_id, ()) for p in _from(row))
        parents = tuple(self.ancestor(name) for name in names)
        self._open.discard(record_id)
        self._done[record_id] = self._node(record_id, parents)
        return self._done[record_id]

    def _node(self, record_id: str, parents: tuple[LineageNode, ...]) -> LineageNode:
        dataset, row = self._stored.get(record_id, (None, None))
        return LineageNode(
            id=record_id,
            kind=kind_of(record_id),
            dataset=dataset,
            row=row,
            made=tuple(self._made.get(record_id, ())),
            parents=parents,
            findings=tuple(self._node(child, ()) for child in self._findings.get(record_id, ())),
        )


def _children(made: dict[str, list[Row]]) -> dict[str, list[str]]:
    """Findings by the record they are about."""
    children: dict[str, dict[str, None]] = defaultdict(dict)
    for record_id, rows in made.items():
        if rows[0]["record_kind"] in FINDINGS:
            for parent in (name for row in rows for name in _from(row)):
                children[parent][record_id] = None
    return {parent: sorted(names) for parent, names in children.items()}


def _from(row: Row) -> list[str]:
    names = row["made_from"]
    return [str(name) for name in names] if isinstance(names, list) else []


def _dicts(columns: tuple[str, ...], rows: list[tuple[object, ...]]) -> Iterator[Row]:
    return (dict(zip(columns, row, strict=True)) for row in rows)
