"""Every attack of `sandbox_programs`, as root and as a plain user, in both ways to confine."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.services.sandbox_programs import AS_ROOT, ATTACKS

ROOT = Path(__file__).parents[2]
NOBODY = "65534"
DRIVER = (sys.executable, "-B", "-m", "tests.services.sandbox_attacks")


def closed_parent(path: Path) -> Path | None:
    """The outermost folder on the way to `path` that only its owner may enter."""
    parents = [each for each in reversed(path.parents) if not each.stat().st_mode & 0o001]
    return parents[0] if parents else None


def as_nobody(command: list[str]) -> list[str]:
    """The command as a plain user, who is let to the interpreter and to this repository.

    Both may lie in root's home: in mounts that only this command sees, that is opened.
    """
    needed = [Path(sys.base_prefix), Path(sys.prefix), ROOT]
    steps = ["mount -t tmpfs -o mode=755 none /mnt"]
    for number, path in enumerate(needed):
        steps += [f"mkdir /mnt/{number}", f"mount --rbind {shlex.quote(str(path))} /mnt/{number}"]
    closed = {folder for path in needed if (folder := closed_parent(path)) is not None}
    steps += [f"mount -t tmpfs -o mode=755 none {shlex.quote(str(folder))}" for folder in closed]
    for number, path in enumerate(needed):
        if closed_parent(path) is not None:
            place = shlex.quote(str(path))
            steps += [f"mkdir -p {place}", f"mount --rbind /mnt/{number} {place}"]
    become = ["setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups", *command]
    script = " && ".join([*steps, f"cd {shlex.quote(str(ROOT))}", f"exec {shlex.join(become)}"])
    return ["unshare", "--mount", "sh", "-c", script]


def command_of(who: str, way: str) -> list[str]:
    command = [*DRIVER, way]
    is_root = os.getuid() == 0
    if who == "plain user":
        return as_nobody(command) if is_root else command
    if not is_root and shutil.which("sudo") is None:
        pytest.fail("to try the attacks as root, run this as root or install sudo")
    return command if is_root else ["sudo", "-n", *command]


@pytest.mark.parametrize("way", ["namespaces", "landlock"])
@pytest.mark.parametrize("who", ["root", "plain user"])
def test_every_attack_works_without_the_sandbox_and_none_inside(who: str, way: str) -> None:
    done = subprocess.run(
        command_of(who, way),
        cwd=ROOT,
        env={**os.environ, "HOME": "/tmp"},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = [json.loads(line) for line in done.stdout.splitlines()]
    wanted = [*ATTACKS, *(AS_ROOT if who == "root" else ())]
    assert [each["attack"] for each in found] == [attack.name for attack in wanted]
    toothless = {each["attack"]: each["how_without"] for each in found if not each["without"]}
    assert toothless == {}, "attacks that do not even work without the sandbox prove nothing"
    escaped = {each["attack"]: each["how"] for each in found if each["inside"]}
    assert escaped == {}
