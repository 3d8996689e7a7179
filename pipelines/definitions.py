"""What Dagster loads."""

import dagster as dg

from assets import datasets, evolution, filtering, paths, questions, rollouts, wiki
from assets.workspace import WorkspaceResource
from pipelines.jobs import IN_PROCESS, full_round, quick_round
from pipelines.settings import workspace_from_environment


def definitions(workspace: WorkspaceResource) -> dg.Definitions:
    """All assets and jobs over one workspace."""
    groups = [wiki, paths, questions, filtering, rollouts, datasets, evolution]
    return dg.Definitions(
        assets=dg.load_assets_from_modules(groups),
        jobs=[full_round, quick_round],
        resources={"workspace": workspace},
        executor=IN_PROCESS,  # for what is materialized without naming a job
    )


defs = definitions(workspace_from_environment())
