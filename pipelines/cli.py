"""The `hopsight` command: what it does is in `pipelines.commands`."""

import logging
import sys

from rich.console import Console

from hopsight.errors import HopsightError


def main() -> None:
    """Run a command; what the user can mend is told in one line, without a traceback."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s %(message)s")
    try:
        # Here, not above: processes that roll out import this module again, and need none of it.
        from pipelines.commands import app
        from pipelines.settings import read_env_file

        read_env_file()
        app()
    except HopsightError as error:
        told = " ".join(str(error).split())
        Console(stderr=True, soft_wrap=True, highlight=False, emoji=False).print(
            f"error: {told}", style="red", markup=False
        )
        sys.exit(1)
