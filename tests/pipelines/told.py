"""What the command says when something is wrong."""

import re
import subprocess

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def told_in_one_line(ran: subprocess.CompletedProcess[str]) -> str:
    """The one line on standard error, which names cause and remedy; the exit status is not 0."""
    assert ran.returncode not in (0, None), ran.stdout
    assert "Traceback" not in ran.stderr + ran.stdout
    lines = ran.stderr.splitlines()
    assert len(lines) == 1, ran.stderr
    line = lines[0]
    assert line.startswith("error: ")
    cause, dash, remedy = line.removeprefix("error: ").partition(" — ")
    assert cause, line
    assert dash, line
    assert remedy, line
    assert not CONTROL.search(line)
    return line
