"""Evolution: what a round is made with."""

from typing import Any

import dagster as dg
import yaml

from assets.named_files import check_named_files
from assets.preview import code_preview
from assets.wiring import Made, Round, run_stage
from assets.workspace import PARTITIONS, WorkspaceResource
from hopsight.errors import ConfigError
from hopsight.types import RoundRecord


@dg.asset(partitions_def=PARTITIONS, group_name="evolution", kinds={"yaml"})
def round_config(
    context: dg.AssetExecutionContext, workspace: WorkspaceResource
) -> dg.MaterializeResult[Any]:
    """The configuration of this round, fixed here. Every later asset checks that it still holds."""
    return run_stage(context, workspace, _fix, begins=True)


def _fix(round_: Round) -> Made:
    check_named_files(round_.config)
    parent = round_.config.parent
    if parent is not None and not round_.store.exists("round_configs", parent):
        raise ConfigError(
            f"round {round_.key} names {parent} as its parent, and that round has not been made",
            f"run `hopsight run --round {parent}` first, or set parent to null",
        )
    text = round_.config.model_dump_json()
    record = RoundRecord(
        round=round_.key,
        parent_round=parent,
        fingerprint=round_.fingerprint,
        config=text,
    )
    return Made(
        stage="round_config",
        entered=1,
        kept=1,
        rejected=(),
        outputs={"round_configs": (record,)},
        preview=code_preview(
            yaml.safe_dump(round_.config.model_dump(mode="json"), sort_keys=False), "yaml"
        ),
        extra={"fingerprint": round_.fingerprint, "seed": round_.config.seed},
    )
