"""Jobs: a whole round, and a round up to the questions."""

import dagster as dg

IN_PROCESS = dg.in_process_executor
"""A process for each of two dozen small steps would take ten times as long as their work."""

full_round = dg.define_asset_job(
    "full_round",
    selection=dg.AssetSelection.all(),
    executor_def=IN_PROCESS,
    description="The whole round: from the wiki to the exported data sets and their card.",
)

quick_round = dg.define_asset_job(
    "quick_round",
    selection=dg.AssetSelection.assets("refined_questions").upstream(),
    executor_def=IN_PROCESS,
    description="A first look: from the wiki to the questions with their pictures. "
    "No agent is run and nothing is exported.",
)
