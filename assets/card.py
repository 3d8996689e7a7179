"""The card of a round's data sets, with whose pictures they show and what they were made with."""

import json
from collections.abc import Mapping, Sequence
from typing import Final

import dagster as dg

from assets.wiring import Made, Round
from curation.attribution import Credit, all_cc0, attribution, credits_of
from curation.card import CardFacts
from curation.card import dataset_card as write_card
from curation.enhancement import originals
from curation.funnel import read_funnel
from curation.levels import Level, levels_of
from curation.search_leaks import SearchLeaks, search_leaks
from hopsight.llm.costs import CostRow
from hopsight.llm.service import stage_cost
from hopsight.store.files import write_atomic
from hopsight.types import (
    Difficulty,
    Domain,
    Enhancement,
    EvidenceChain,
    ExportRow,
    FunnelRow,
    PassRate,
    ProbeResult,
    Question,
    SplitAssignment,
    Trajectory,
)

FILES: Final = {
    "sft/sft.json": "sft_rows",
    "rl/rl.parquet": "rl_rows",
    "eval/eval.parquet": "eval_rows",
}
"""The exported files of a round, and the data set that says where each row comes from."""


def write_cards(round_: Round) -> Made:
    """Write README.md, ATTRIBUTION.md and round_config.json beside the exported files."""
    name = f"Hopsight round {round_.key}"
    rows = {file: round_.read(rows, ExportRow) for file, rows in FILES.items()}
    pictures = credits_of(
        round_.read("curated_questions", Question),
        [row for part in rows.values() for row in part],
        round_.read("teacher_trajectories", Trajectory),
        originals(round_.read("enhancements", Enhancement)),
    )
    sizes = {file: len(part) for file, part in rows.items()}
    card = write_card(_facts(round_, name, sizes, pictures))
    config = json.dumps(json.loads(round_.config.model_dump_json()), indent=1, sort_keys=True)
    folder = round_.workspace.exports(round_.key)
    texts = {
        "README.md": card,
        "ATTRIBUTION.md": attribution(name, pictures),
        "round_config.json": f"{config}\n",
    }
    for file, text in texts.items():
        write_atomic(folder / file, text.encode())
    entered = sum(map(len, rows.values()))
    return Made(
        "dataset_card",
        entered,
        entered,
        (),
        {},
        preview=card.split("---", 2)[-1],
        extra={f"file {file}": dg.MetadataValue.path(folder / file) for file in texts},
    )


def _facts(
    round_: Round, name: str, files: Mapping[str, int], pictures: Sequence[Credit]
) -> CardFacts:
    source = round_.source()
    funnel = read_funnel(round_.store, round_.key)
    spent = _spent(round_, funnel)
    return CardFacts(
        name=name,
        round=round_.key,
        source=f"{source.source} wiki, {source.pages} pages, export {source.dump_sha256[:16]}",
        license=_license(round_, pictures),
        models=round_.config.models.model_dump(),
        fingerprint=round_.fingerprint,
        questions=round_.read("curated_questions", Question),
        chains=round_.read("refined_chains", EvidenceChain),
        domains=_domains(round_),
        splits=round_.read("split_assignments", SplitAssignment),
        rates=round_.read("pass_rates", PassRate),
        funnel=funnel,
        cost_usd=sum(each.usd for each in spent),
        model_calls=sum(each.calls for each in spent),
        unpriced_calls=sum(each.unknown for each in spent),
        files=files,
        pictures=pictures,
        levels=_levels(round_),
        probes=round_.read("probe_results", ProbeResult),
        leaks=_leaks(round_),
    )


def _license(round_: Round, pictures: Sequence[Credit]) -> str:
    """CC0 where all is: the made wiki's text, questions of nobody else, and every picture."""
    ours = round_.source().source == "mini" and round_.config.harness.backend == "local"
    imports = bool(round_.config.refine.imported.files)
    return "cc0-1.0" if ours and not imports and all_cc0(pictures) else "other"


def _domains(round_: Round) -> dict[int, Domain]:
    snapshot = round_.snapshot()
    found = {page_id: snapshot.page(page_id).domain for page_id in snapshot.ids()}
    return {page_id: domain for page_id, domain in found.items() if domain}


def _spent(round_: Round, funnel: Sequence[FunnelRow]) -> list[CostRow]:
    """What the round's stages cost so far, of those that asked a model."""
    costs = [stage_cost(round_.models, row.stage) for row in funnel]
    return [cost for cost in costs if cost is not None]


def _levels(round_: Round) -> tuple[Level, ...]:
    names = ("probed_questions", "enhanced_questions")
    return levels_of(
        [each for name in names for each in round_.read(name, Question)],
        round_.read("refined_questions", Question),
        round_.read("difficulties", Difficulty),
        round_.read("pass_rates", PassRate),
    )


def _leaks(round_: Round) -> dict[str, SearchLeaks]:
    questions = round_.read("enhanced_questions", Question)
    return {
        role: search_leaks(questions, round_.read(f"{role}_rollouts", Trajectory))
        for role in ("policy", "teacher")
    }
