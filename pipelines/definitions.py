"""What Dagster loads."""

import dagster as dg

from assets import (
    datasets,
    distinct,
    enhancement,
    evolution,
    filtering,
    imported,
    paths,
    questions,
    refine,
    rollouts,
    wiki,
)
from assets.workspace import WorkspaceResource
from pipelines.jobs import IN_PROCESS, full_round, quick_round
from pipelines.settings import workspace_from_environment

MODULES = (
    wiki,
    paths,
    questions,
    imported,
    refine,
    distinct,
    filtering,
    enhancement,
    rollouts,
    datasets,
    evolution,
)
"""What holds assets, in the order of work."""


def definitions(workspace: WorkspaceResource) -> dg.Definitions:
    """All assets and jobs over one workspace."""
    return dg.Definitions(
        assets=dg.load_assets_from_modules(MODULES),
        jobs=[full_round, quick_round],
        resources={"workspace": workspace},
        executor=IN_PROCESS,  # for what is materialized without naming a job
    )


defs = definitions(workspace_from_environment())
