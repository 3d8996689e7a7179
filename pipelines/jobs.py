"""Jobs: a whole round, and a round up to the questions."""

import dagster as dg

from assets.workspace import PARTITIONS

IN_PROCESS = dg.in_process_executor
"""A process for each of two dozen small steps would take ten times as long as their work."""

full_round = dg.define_asset_job(
    "full_round",
    selection=dg.AssetSelection.all(),
    partitions_def=PARTITIONS,
    executor_def=IN_PROCESS,
    description="Everything, from the wiki to the exported data sets.",
)

quick_round = dg.define_asset_job(
    "quick_round",
    selection=dg.AssetSelection.assets("grounded_questions").upstream(),
    partitions_def=PARTITIONS,
    executor_def=IN_PROCESS,
    description="Up to the grounded questions: no agent is run.",
)
"""The round's own configuration and its stored wiki are used; nothing is rolled out."""
