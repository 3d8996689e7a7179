"""A store with one exported row and all that led to it, for tests of catalog and lineage."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from hopsight.provenance import ProvenanceRow, rows_for
from hopsight.store import DataStore
from hopsight.types import (
    Domain,
    Evidence,
    EvidenceChain,
    ExportRow,
    LinkPath,
    Page,
    ProbeResult,
    PromptRef,
    Question,
    Record,
    Rejection,
    Task,
    Trajectory,
    Usage,
    Verdict,
)
from hopsight.types import StopReason as Stop

R = TypeVar("R", bound=Record)

FILE = "sft/train.json"
_SENTENCE = Evidence(page_id=2, title="B", revision=1, start=0, end=4, sentence="B is.")
_PROMPT = PromptRef(name="rules", version="1", sha256="0" * 64)


@dataclass(frozen=True, slots=True)
class World:
    """The records that were stored."""

    store: DataStore
    pages: tuple[Page, ...]
    path: LinkPath
    chain: EvidenceChain
    canonical: Question
    fuzzed: Question
    rollouts: tuple[Trajectory, ...]
    verdicts: tuple[Verdict, ...]
    row: ExportRow


def make_world(root: Path, round_name: str = "0001") -> World:
    """Write every data set of a small round, with provenance."""
    store = DataStore(root)
    pages = tuple(_page(number) for number in (1, 2, 3))
    path = LinkPath(
        entities=(1, 2),
        titles=("A", "B"),
        hops=(),
        attribute="height",
        domain=Domain.PERSON,
        seed=1,
    )
    chain = EvidenceChain(
        path_id=path.id,
        nodes=(),
        attribute="height",
        answer="4",
        answer_aliases=(),
        answer_evidence=_SENTENCE,
    )
    canonical = _question("Which height has B?", chain.id, None, round_name)
    fuzzed = _question("Which height has the thing?", chain.id, canonical.id, round_name)
    rollouts = tuple(_rollout(fuzzed, sample) for sample in (0, 1))
    verdicts = tuple(_verdict(rollout) for rollout in rollouts)
    row = ExportRow(
        file=FILE, row=0, question_id=fuzzed.id, trajectory_id=rollouts[0].id, images=()
    )
    probe = ProbeResult(question_id=fuzzed.id, probe="direct", answer=None, solved=False, detail="")
    refused = Rejection(record_id=canonical.id, stage="probes", reason="solved", detail="direct")
    store.write("pages", "all", pages, record_type=Page)
    _write(store, round_name, "link_paths", [path])
    _write(store, round_name, "canonical_chains", [chain])
    _write(store, round_name, "canonical_questions", [canonical])
    _write(store, round_name, "fuzzed_questions", [fuzzed])
    _write(store, round_name, "curated_questions", [fuzzed])
    _write(store, round_name, "teacher_rollouts", rollouts)
    _write(store, round_name, "teacher_verdicts", verdicts)
    _write(store, round_name, "probe_results", [probe])
    page = Rejection(record_id="wiki:1", stage="probes", reason="too_few_links", detail="")
    _write(store, round_name, "rejections_probes", [refused, page])
    _write(store, round_name, "sft_rows", [row])
    return World(store, pages, path, chain, canonical, fuzzed, rollouts, verdicts, row)


def _write(store: DataStore, round_name: str, name: str, records: Sequence[R]) -> None:
    store.write(name, round_name, records, record_type=type(records[0]))
    rows = rows_for(
        records,
        stage=name,
        round=round_name,
        run_id="run-1",
        made_at=datetime(2026, 1, 1, tzinfo=UTC),
        cost_usd=1.0,
    )
    store.write(f"provenance_{name}", round_name, rows, record_type=ProvenanceRow)


def _page(number: int) -> Page:
    return Page(
        page_id=number,
        title="ABC"[number - 1],
        revision=1,
        url="",
        text="",
        lead="",
        domain=None,
        infobox=None,
        is_disambiguation=False,
        is_list=False,
        in_degree=number,
    )


def _question(text: str, chain: str, parent: str | None, round_name: str) -> Question:
    return Question(
        text=text,
        answer="4",
        answer_aliases=(),
        images=(),
        chain_id=chain,
        parent_id=parent,
        operator="canonical" if parent is None else "fuzz",
        prompt=_PROMPT,
        round=round_name,
    )


def _rollout(question: Question, sample: int) -> Trajectory:
    return Trajectory(
        question_id=question.id,
        policy="strong",
        sample=sample,
        seed=sample,
        task=Task(text=question.text, images=()),
        turns=(),
        bank=(),
        final_answer="4",
        stop_reason=Stop.ANSWERED,
        fatal_step=None,
        usage=Usage(model_calls=1, tool_calls=0, images=0),
    )


def _verdict(rollout: Trajectory) -> Verdict:
    return Verdict(
        trajectory_id=rollout.id,
        question_id=rollout.question_id,
        outcome="correct",
        rationale="",
        judge="exact",
    )
