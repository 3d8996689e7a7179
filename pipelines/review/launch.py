"""Starting the review page."""

from collections.abc import Callable
from typing import Final

import uvicorn

from hopsight.net.listening import check_listening
from hopsight.serve import ServeSettings
from hopsight.serve.settings import check_exposure, token_from_environment
from hopsight.workspace import Workspace
from pipelines.review.app import MAX_BODY, create_app
from pipelines.review.material import open_material

ANOTHER_PORT: Final = "end what listens there, or name another --port"


def serve_review(
    workspace: Workspace,
    round: str,
    host: str,
    port: int,
    *,
    ready: Callable[[bool], None],
    open_to_all: bool = False,
) -> None:
    """Serve a round's questions until interrupted. A token in HOPSIGHT_SERVE_TOKEN is asked for.

    `ready` is called before it listens, and told whether there is a token.

    Raises, before anything listens, ConfigError where others could reach it and no token is set,
    and StoreError where the round has no questions.
    """
    settings = ServeSettings(host=host, port=port, open_to_all=open_to_all, max_body_bytes=MAX_BODY)
    token = token_from_environment()
    check_exposure(settings, token)
    check_listening("the review page", host, port, ANOTHER_PORT)
    material = open_material(workspace, round)
    try:
        app = create_app(material, settings, token=token)
        ready(token is not None)
        uvicorn.run(
            app,
            host=host,
            port=port,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            ws="none",
            timeout_graceful_shutdown=5,
        )
    finally:
        material.close()
