"""Distinct questions: nothing twice, and nothing that a benchmark has."""

from functools import partial
from pathlib import Path
from typing import Any

import dagster as dg

from assets.preview import question_preview
from assets.refine import refined_questions
from assets.wiring import Made, Round, run_stage
from assets.workspace import PARTITIONS, WorkspaceResource
from curation.contamination import contaminated, read_fingerprints
from curation.duplicates import drop_duplicates
from hopsight.chains import by_id
from hopsight.imaging.hashes import difference_hash
from hopsight.store import ImageStore
from hopsight.types import EvidenceChain, Question


@dg.asset(
    deps=[refined_questions], partitions_def=PARTITIONS, group_name="filtering", kinds={"parquet"}
)
def distinct_questions(
    context: dg.AssetExecutionContext, workspace: WorkspaceResource
) -> dg.MaterializeResult[Any]:
    """Questions that repeat no other one, in words, picture or way, and that no benchmark has."""
    return run_stage(context, workspace, _distinct)


def _distinct(round_: Round) -> Made:
    questions = round_.read("refined_questions", Question)
    chains = round_.read("refined_chains", EvidenceChain)
    hash_of = partial(picture_hash, round_.workspace.images)
    once = drop_duplicates(questions, chains, hash_of)
    kept, rejected = once.kept, list(once.rejected)
    told: dict[str, Any] = {}
    if round_.config.curate.benchmarks:
        prints = read_fingerprints([Path(name) for name in round_.config.curate.benchmarks])
        clean = contaminated(kept, chains, prints, hash_of)
        kept, rejected = clean.kept, [*rejected, *clean.rejected]
        told = {"benchmark rows": len(prints.rows), "unusable parts": len(prints.rejected)}
    return Made(
        "distinct_questions",
        len(questions),
        len(kept),
        tuple(rejected),
        {"distinct_questions": kept},
        preview=question_preview(kept, by_id(chains), round_.workspace.images),
        extra=told,
    )


def picture_hash(images: ImageStore, sha256: str) -> int:
    """The perceptual hash of a stored picture."""
    return difference_hash(images.bytes(sha256))
