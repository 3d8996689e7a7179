"""`python -m tests.checker EXPORTS_DIR WORLD_XML PICTURES_DIR`: exit 1 if any row fails."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.checker.checks import check_exports
from tests.checker.world import read_world


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for each failed row and a summary; 0 if no row failed and there were rows."""
    parser = argparse.ArgumentParser(prog="python -m tests.checker", description=__doc__)
    parser.add_argument("exports", type=Path, help="folder with sft/, rl/ and eval/")
    parser.add_argument("world", type=Path, help="the MediaWiki XML export")
    parser.add_argument("pictures", type=Path, help="folder with the pictures of its articles")
    parser.add_argument("--worded", action="store_true", help="texts were worded by a model")
    given = parser.parse_args(arguments)
    world = read_world(given.world, given.pictures)
    report = check_exports(given.exports, world, worded=given.worded)
    lines = [
        *report.failures,
        f"checked {report.sft} SFT, {report.rl} RL and {report.held} evaluation rows: "
        f"{len(report.failures)} failed",
    ]
    sys.stdout.write("\n".join(lines) + "\n")
    return 0 if report.sft and report.rl and not report.failures else 1


if __name__ == "__main__":
    sys.exit(main())
