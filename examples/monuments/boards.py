"""The monuments of GCompris: name, description, photograph, and who made the photograph."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from hopsight.errors import SourceError

ROOT: Final = "gcompris/src/activities/explore_monuments/resource/"
"""Where the activity's files lie inside the resource file."""

LICENSES: Final = MappingProxyType(
    {
        "CC-BY-SA 4.0": "CC-BY-SA-4.0",
        "CC0-1.0": "CC0-1.0",
        "Public Domain": "Public domain",
    }
)
"""The terms that the package names, as SPDX writes them where it knows them."""

_MISSPELT: Final = MappingProxyType({"germany/audaPalatina.webp": "germany/aulaPalatina.webp"})
"""File names in the list of credits that differ from the files themselves."""

_PICTURE: Final = "qrc:/" + ROOT
_BLOCK: Final = re.compile(r"\{([^{}]*)\}")
_STRING: Final = re.compile(r'"(\w+)":\s*(?:qsTr\()?"((?:[^"\\]|\\.)*)"')
_ESCAPE: Final = re.compile(r"\\(.)")
_REMEDY: Final = "fetch the package again, in the version that packages.py names"


@dataclass(frozen=True, slots=True)
class Credit:
    """Who made a photograph, under which terms it may be used, and where it was published."""

    author: str
    license: str
    source: str


@dataclass(frozen=True, slots=True)
class Monument:
    """One monument. `key` is folder and name of its photograph, as in `india/hawaMahal`."""

    key: str
    name: str
    description: str
    photograph: bytes
    suffix: str
    credit: Credit


def read_monuments(files: Mapping[str, bytes]) -> tuple[Monument, ...]:
    """Every monument of the activity, by key.

    `files` are those of the resource file. Raises SourceError where a description, a photograph
    or its credit is missing, so that no photograph is used without its author's name.
    """
    credits_by_file = read_credits(_text(files, ROOT + "README"))
    monuments = {}
    for path in sorted(files):
        if path.startswith(ROOT + "board/") and path.endswith(".qml"):
            for entry in read_board(_text(files, path)):
                monument = _monument(entry, files, credits_by_file)
                monuments[monument.key] = monument
    if not monuments:
        raise SourceError("the resource file describes no monuments", _REMEDY)
    return tuple(monuments[key] for key in sorted(monuments))


def read_board(qml: str) -> list[dict[str, str]]:
    """The entries of a board that show a picture: their strings by name."""
    blocks = (dict(_strings(match.group(1))) for match in _BLOCK.finditer(qml))
    return [block for block in blocks if {"title", "text", "image2"} <= block.keys()]


def read_credits(readme: str) -> dict[str, Credit]:
    """Credits by file from paragraphs of `Copyright:`, `License:`, `Source:` and `Files:`.

    A paragraph without a source (the package's own drawings) is passed over. Raises SourceError
    for terms that are not among `LICENSES`.
    """
    found = {}
    for paragraph in re.split(r"\n\s*\n", readme):
        head, _, listed = paragraph.partition("Files:")
        fields = dict(re.findall(r"^(\w+):\s*(.+?)\s*$", head, re.MULTILINE))
        if not {"Copyright", "License", "Source"} <= fields.keys():
            continue
        if fields["License"] not in LICENSES:
            raise SourceError(
                f"the terms {fields['License']!r} of a photograph are unknown",
                "read them and enter them into LICENSES of boards.py",
            )
        credit = Credit(fields["Copyright"], LICENSES[fields["License"]], fields["Source"])
        for file in listed.split():
            found[_MISSPELT.get(file, file)] = credit
    return found


def _strings(block: str) -> list[tuple[str, str]]:
    return [
        (name, _ESCAPE.sub(lambda found: "\n" if found.group(1) == "n" else found.group(1), text))
        for name, text in _STRING.findall(block)
    ]


def _monument(
    entry: Mapping[str, str], files: Mapping[str, bytes], credits_by_file: Mapping[str, Credit]
) -> Monument:
    file = entry["image2"].removeprefix(_PICTURE)
    photograph = files.get(ROOT + file)
    credit = credits_by_file.get(file)
    if photograph is None or credit is None:
        lacks = "its picture" if photograph is None else "its credit"
        raise SourceError(f"{entry['title']} lacks {lacks} ({file})", _REMEDY)
    key, _, suffix = file.rpartition(".")
    return Monument(key, entry["title"], entry["text"], photograph, suffix, credit)


def _text(files: Mapping[str, bytes], path: str) -> str:
    try:
        return files[path].decode("utf-8")
    except (KeyError, UnicodeDecodeError) as error:
        raise SourceError(f"the resource file has no readable {path} ({error})", _REMEDY) from error
