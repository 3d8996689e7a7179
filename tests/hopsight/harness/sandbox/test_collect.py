import os
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from hopsight.harness.sandbox import SandboxLimits
from hopsight.harness.sandbox.inside.collect import collect
from hopsight.harness.sandbox.inside.job import Job

JOB = Job("", (), **asdict(SandboxLimits(max_pictures=2, picture_bytes=10)))


def test_pictures_come_in_the_order_of_their_names(tmp_path: Path) -> None:
    (tmp_path / "b.PNG").write_bytes(b"second")
    (tmp_path / "a.webp").write_bytes(b"one")
    assert collect(str(tmp_path), JOB) == ([b"one", b"second"], [])


def test_links_pipes_folders_and_second_names_are_left_out(tmp_path: Path) -> None:
    outside = tmp_path / "outside.png"
    outside.write_bytes(b"secret")
    out = tmp_path / "out"
    (out / "d.png").mkdir(parents=True)
    (tmp_path / "single").write_bytes(b"secret")
    (out / "a.png").symlink_to(tmp_path / "single")
    (out / "b.png").hardlink_to(outside)
    os.mkfifo(out / "c.png")
    pictures, left_out = collect(str(out), JOB)
    assert pictures == []
    assert [line.split(":")[0] for line in left_out] == ["a.png", "b.png", "c.png", "d.png"]
    assert left_out[1:] == [f"{name}.png: no regular file" for name in "bcd"]


def test_number_and_bytes_are_bounded_and_what_is_left_out_is_told(tmp_path: Path) -> None:
    for name, size in {"a.png": 11, "b.png": 6, "c.png": 6, "d.png": 2, "e.png": 1}.items():
        (tmp_path / name).write_bytes(bytes(size))
    (tmp_path / "notes.txt").write_text("x")
    pictures, left_out = collect(str(tmp_path), JOB)
    assert [len(data) for data in pictures] == [6, 2]
    assert left_out == [
        "a.png: too large",
        "c.png: too large",
        "e.png: more than 2 pictures",
        "notes.txt: no picture by its name",
    ]


def test_any_bytes_of_a_name_become_text(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"\xff.txt")).write_text("x")
    assert collect(str(tmp_path), JOB)[1] == ["?.txt: no picture by its name"]


@pytest.mark.parametrize("kind", ["gone", "link"])
def test_a_folder_that_is_gone_or_a_link_gives_nothing(tmp_path: Path, kind: str) -> None:
    if kind == "link":
        (tmp_path / "real").mkdir()
        (tmp_path / "real" / "a.png").write_bytes(b"x")
        (tmp_path / "out").symlink_to("real")
    pictures, left_out = collect(str(tmp_path / "out"), replace(JOB))
    assert (pictures, len(left_out)) == ([], 1)
