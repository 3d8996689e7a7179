"""Monuments with their photographs and credits."""

import pytest

from examples.monuments.boards import ROOT, Credit, read_credits, read_monuments
from hopsight.errors import SourceError

README = """Copyright: A Drawer, 2018
License: CC-BY-SA 4.0
Files:
key.svg

Copyright: Ünal Ö
License: CC0-1.0
Source: https://commons.example/File:A_(1).jpg
Files:
land/one.webp
land/two.webp
"""

BOARD = """import QtQuick 2.12
QtObject {
    property var tab: [
        { "image": "qrc:/key.svg",
          "title": qsTr("The \\"One\\""),
          "text": qsTr("Built in 1900, in a city."),
          "image2": "qrc:/gcompris/src/activities/explore_monuments/resource/land/one.webp",
          "text2": qsTr("One"), "x": "0.1" },
    ]
    property var instructions: [ { "text": qsTr("Click") } ]
}
"""


def files(**changed):
    given = {
        ROOT + "README": README.encode(),
        ROOT + "board/board1.qml": BOARD.encode(),
        ROOT + "land/one.webp": b"pixels",
    }
    return given | changed


def test_a_monument_has_its_words_its_photograph_and_its_credit():
    (monument,) = read_monuments(files())
    assert monument.key == "land/one"
    assert monument.suffix == "webp"
    assert monument.name == 'The "One"'
    assert monument.description == "Built in 1900, in a city."
    assert monument.photograph == b"pixels"
    assert monument.credit == Credit("Ünal Ö", "CC0-1.0", "https://commons.example/File:A_(1).jpg")


def test_a_photograph_without_credit_is_never_used():
    readme = README.replace("land/one.webp", "land/three.webp").encode()
    with pytest.raises(SourceError, match="lacks its credit"):
        read_monuments(files() | {ROOT + "README": readme})


def test_a_missing_photograph_and_a_missing_board_are_errors():
    without = {path: data for path, data in files().items() if not path.endswith("one.webp")}
    with pytest.raises(SourceError, match="lacks its picture"):
        read_monuments(without)
    with pytest.raises(SourceError, match="describes no monuments"):
        read_monuments({ROOT + "README": README.encode()})
    with pytest.raises(SourceError, match="no readable"):
        read_monuments({})


def test_terms_that_nobody_has_read_are_refused():
    with pytest.raises(SourceError, match="'All rights reserved'"):
        read_credits(README.replace("CC0-1.0", "All rights reserved"))


def test_a_credit_holds_for_every_file_under_it_and_drawings_have_none():
    assert sorted(read_credits(README)) == ["land/one.webp", "land/two.webp"]
