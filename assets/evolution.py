"""Evolution: what a round is made with."""

from typing import Any

import dagster as dg

from assets.wiring import Made, Round, run_stage
from assets.workspace import PARTITIONS, WorkspaceResource
from hopsight.types import RoundRecord


@dg.asset(partitions_def=PARTITIONS, group_name="evolution", kinds={"yaml"})
def round_config(
    context: dg.AssetExecutionContext, workspace: WorkspaceResource
) -> dg.MaterializeResult[Any]:
    """The configuration of this round, fixed here; every later asset checks that it still holds."""
    return run_stage(context, workspace, _fix, begins=True)


def _fix(round_: Round) -> Made:
    text = round_.config.model_dump_json()
    record = RoundRecord(
        round=round_.key,
        parent_round=round_.config.parent,
        fingerprint=round_.fingerprint,
        config=text,
    )
    return Made(
        stage="round_config",
        entered=1,
        kept=1,
        rejected=(),
        outputs={"round_configs": (record,)},
        extra={"fingerprint": round_.fingerprint, "seed": round_.config.seed},
    )
