"""Single files out of packages, and what is refused."""

import hashlib
import io
import tarfile
import zipfile
from dataclasses import replace

import pytest

from examples.monuments import packages
from examples.monuments.packages import (
    LEADS,
    debian_data,
    open_package,
    read_tar,
    read_wheel,
)
from hopsight.errors import SourceError


def tar(files, mode="w:xz"):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


def ar(members):
    parts = [b"!<arch>\n"]
    for name, content in members.items():
        head = f"{name:<16}{'0':<12}{'0':<6}{'0':<6}{'100644':<8}{len(content):<10}`\n"
        parts += [head.encode(), content, b"\n" * (len(content) % 2)]
    return b"".join(parts)


def test_the_data_of_a_debian_package_is_found_behind_members_of_odd_length():
    data = tar({"./usr/a.rcc": b"content", "./usr/b": b"other"})
    package = ar({"debian-binary": b"2.0\n", "control.tar.xz": b"odd", "data.tar.xz": data})
    assert read_tar(debian_data(package), ["usr/a.rcc"]) == {"usr/a.rcc": b"content"}


@pytest.mark.parametrize("cut", [1, 200])
def test_a_debian_package_that_ends_early_is_refused(cut):
    package = ar({"debian-binary": b"2.0\n", "data.tar.xz": tar({"a": bytes(900)})})
    with pytest.raises(SourceError, match="no whole data"):
        debian_data(package[:-cut])
    with pytest.raises(SourceError, match="no ar archive"):
        debian_data(package[8:])


def test_files_of_a_tar_come_by_name_and_by_ending():
    data = tar({"package/a.svg": b"1", "package/b.txt": b"2", "package/c.json": b"3"}, "w:gz")
    found = read_tar(data, ["package/c.json"], (".svg",))
    assert found == {"package/a.svg": b"1", "package/c.json": b"3"}
    with pytest.raises(SourceError, match="lacks package/d"):
        read_tar(data, ["package/d"])
    with pytest.raises(SourceError, match="damaged"):
        read_tar(b"no archive at all", ["a"])


def test_a_file_of_a_wheel_and_one_that_is_too_large(monkeypatch):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as wheel:
        wheel.writestr("data/a.json", "{}" * 50)
    assert read_wheel(out.getvalue(), "data/a.json") == b"{}" * 50
    with pytest.raises(SourceError, match="no readable file"):
        read_wheel(out.getvalue(), "data/b.json")
    monkeypatch.setattr(packages, "MAX_FILE", 99)
    with pytest.raises(SourceError, match="too large"):
        read_wheel(out.getvalue(), "data/a.json")


def test_a_package_is_opened_only_if_its_hash_is_the_expected_one(tmp_path):
    package = replace(LEADS, file="x.whl", sha256=hashlib.sha256(b"right").hexdigest())
    with pytest.raises(SourceError, match="cannot be read"):
        open_package(tmp_path, package)
    (tmp_path / "x.whl").write_bytes(b"wrong")
    with pytest.raises(SourceError, match="not the file"):
        open_package(tmp_path, package)
    (tmp_path / "x.whl").write_bytes(b"right")
    assert open_package(tmp_path, package) == b"right"
