from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hopsight.errors import StoreError
from hopsight.search import TextDoc, TextIndex

LONG = "The delta is wide. " * 40
DOCS = (
    TextDoc(
        "https://w/Danube", "Danube", ("Donau",), f"{LONG} It rises in the Black Forest. {LONG}"
    ),
    TextDoc(
        "https://w/Rhine", "Rhine", ("Rhein",), "The Rhine flows past Cologne.", "length: 1233"
    ),
    TextDoc("https://w/Sao", "São Tomé", (), "An island on the equator."),
    TextDoc("https://w/Who", "The Who", (), "A band from London."),
    TextDoc("https://w/B", "Twin", (), "Same words."),
    TextDoc("https://w/A", "Twin", (), "Same words."),
)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> TextIndex:
    return TextIndex.build(DOCS, tmp_path_factory.mktemp("text") / "index")


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("Rhine", "Rhine"),
        ("which river is called Donau?", "Danube"),
        ("forests where rivers rise", "Danube"),
        ("sao tome", "São Tomé"),
        ("1233", "Rhine"),
        ("the who", "The Who"),
    ],
)
def test_a_page_is_found_by_title_other_name_text_accents_and_facts(
    index: TextIndex, query: str, title: str
) -> None:
    assert index.search(query, 3)[0].title == title


def test_a_query_without_a_known_word_finds_nothing(index: TextIndex) -> None:
    assert index.search("zyzzyva", 3) == []
    assert index.search("", 3) == []
    assert index.search("Rhine", 0) == []


def test_the_snippet_surrounds_the_match_and_is_short(index: TextIndex) -> None:
    snippet = index.search("black forest", 1)[0].snippet
    assert "Black Forest" in snippet
    assert len(snippet) < 300


def test_ties_are_ordered_by_address(index: TextIndex) -> None:
    assert [hit.url for hit in index.search("twin", 2)] == ["https://w/A", "https://w/B"]


def test_the_order_of_documents_does_not_change_answers(index: TextIndex, tmp_path: Path) -> None:
    other = TextIndex.build(reversed(DOCS), tmp_path / "index")
    for query in ("Rhine", "rises in a forest on the equator", "twin words", "London band"):
        assert other.search(query, 5) == index.search(query, 5)


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=300) | st.just("\ud800 Rhine") | st.just('"a AND (b:* ^9'))
def test_no_query_raises(index: TextIndex, query: str) -> None:
    assert len(index.search(query, 2)) <= 2


def test_a_missing_index_names_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="build the search index"):
        TextIndex.open(tmp_path / "none")


def test_an_empty_world_can_be_searched(tmp_path: Path) -> None:
    assert TextIndex.build([], tmp_path / "empty").search("Rhine", 3) == []
