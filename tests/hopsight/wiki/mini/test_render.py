"""The renderer: every fact is told, in English that stands up, on links that lead somewhere."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopsight.errors import SourceError
from hopsight.wiki.mini import DATA_DIR
from hopsight.wiki.mini.render import World, load_tables, render_world
from hopsight.wiki.mini.render.english import join, number, plain, shown, with_a, year
from hopsight.wiki.mini.render.pattern import Value, fill, slots_of
from hopsight.wiki.mini.render.patterns import INVERSE, LEADS, PATTERNS, SECTIONS
from hopsight.wiki.mini.render.schema import KINDS, Cell
from hopsight.wiki.mini.render.tables import Tables
from hopsight.wiki.mini.render.writer import MAX_LINKS, Sentence, chunks

_LINK = re.compile(r"\[\[([^\[\]|]+)(?:\|[^\[\]]*)?\]\]")
_RIVERS = "title,aliases,length_km,mouth,source\n"


@cache
def tables() -> Tables:
    return load_tables(DATA_DIR)


@cache
def world() -> World:
    return render_world(tables(), ())


def sentences() -> list[tuple[str, Sentence]]:
    return [(article.title, line) for article in world().articles for line in article.sentences]


def small_world(tmp_path: Path, **files: str) -> World:
    for name, text in files.items():
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    return render_world(load_tables(tmp_path), ())


def test_every_cell_is_stated_by_a_sentence_that_shows_its_value() -> None:
    told = {
        (fact.subject, fact.attribute, fact.value)
        for title, line in sentences()
        for fact in line.states
        if fact.subject == title and fact.shown in plain(line.text)
    }
    owed = {
        (row.title, column, value)
        for row in tables().rows
        for column, values in row.cells.items()
        for value in values
    }
    assert owed - told == set()


def test_a_page_value_is_linked_where_it_is_stated() -> None:
    targets = {page.title: page.redirect or page.title for page in world().pages}
    for title, line in sentences():
        linked = {targets[_raised(name)] for name in _LINK.findall(line.text)}
        for fact in line.states:
            own = fact.value_title if fact.subject == title else fact.subject
            assert own is None or own in linked or own == title, (title, line.text)


def test_links_lead_to_pages_of_the_world() -> None:
    titles = {page.title for page in world().pages}
    for title, line in sentences():
        for name in _LINK.findall(line.text):
            assert _raised(name) in titles, (title, line.text)


def test_no_page_links_to_itself() -> None:
    for title, line in sentences():
        assert title not in {_raised(name) for name in _LINK.findall(line.text)}, line.text


def test_sentences_are_clean_english() -> None:
    faults = re.compile(
        r"  | ,| \.(?!\w)|\.\.|\b([a-z]+) \1\b|\b[aA] [aeio]\w|\ban [bcdfgjklmnpqrstvwz]"
        r"|[{}<>|\[\]]|\bthe (The|A) |\bin (United|Netherlands|Philippines|Czech)"
    )
    allowed = re.compile(r"\b(an der|a one|a eu\w+)\b")
    for title, line in sentences():
        text = plain(line.text)
        assert not faults.search(allowed.sub("a", text)), (title, text)
        assert text.endswith(".") and (text[0].isupper() or not text[0].isalpha()), (title, text)


def test_no_sentence_stands_on_two_pages() -> None:
    pages: dict[str, set[str]] = {}
    for title, line in sentences():
        pages.setdefault(plain(line.text), set()).add(title)
    assert {text: found for text, found in pages.items() if len(found) > 1} == {}


def test_no_sentence_has_more_than_eight_links_of_one_list() -> None:
    for title, line in sentences():
        counts = Counter(fact.attribute for fact in line.states)
        assert max(counts.values(), default=0) <= MAX_LINKS, (title, line.text)


def test_held_out_patterns_are_used_on_about_a_fifth_of_the_pages() -> None:
    pages = {
        article.title: article.sentences[0] for article in world().articles if article.sentences
    }
    share = sum(line.held_out for line in pages.values()) / len(pages)
    assert 0.1 <= share <= 0.3
    for title, line in sentences():
        assert ("held" in line.pattern_id.rpartition(".")[2]) == line.held_out, title


def test_held_out_and_tuned_patterns_share_no_wording() -> None:
    every = [
        *((kind, lines) for kind, lines in LEADS.items()),
        *((f"{kind}.{key}", lines) for kind, own in PATTERNS.items() for key, lines in own.items()),
        *((key, lines) for key, (_, lines) in INVERSE.items()),
    ]
    for key, lines in every:
        assert not {*lines.tuned, *lines.parts} & {*lines.held, *lines.parts_held}, key


def test_every_column_has_four_patterns_and_a_place_on_the_page() -> None:
    for kind in KINDS.values():
        placed = {
            name for _, items in SECTIONS[kind.name] for item in items for name in item.split("+")
        }
        for column in kind.columns:
            patterns = PATTERNS[kind.name][column]
            assert len(patterns.tuned) >= 4 and patterns.held, (kind.name, column)
            assert column in placed, (kind.name, column)


def test_inverse_patterns_name_columns_that_exist() -> None:
    for key, (heading, lines) in INVERSE.items():
        kind, _, column = key.partition(".")
        assert KINDS[kind].columns[column] is Cell.PAGE and heading
        assert len(lines.tuned) >= 4 and lines.held, key


def test_every_pattern_can_be_filled() -> None:
    own = {
        "s": "the Danube",
        "n": "the river",
        "was": "was",
        "B": "the '''Danube'''",
        "place": "in",
    }
    for lines in (lines for patterns in PATTERNS.values() for lines in patterns.values()):
        for pattern in (*lines.tuned, *lines.held, *lines.parts, *lines.parts_held):
            for count in (1, 3):
                values = {name: Value("Vienna", count) for name in slots_of(pattern)}
                text = fill(pattern, own, count > 1, values)
                assert not re.search(r"[{}<>]|\[|\]", text) and text.endswith("."), pattern


def test_a_building_that_is_gone_is_told_of_in_the_past(tmp_path: Path) -> None:
    head = "title,aliases,kind,city,country,completed,height_m,source\n"
    rows = head + "Crystal Palace,,exhibition hall,London,United Kingdom,1851,39,Atlas\n"
    (article,) = small_world(tmp_path, buildings=rows).articles
    text = " ".join(plain(line.text) for line in article.sentences)
    assert not re.search(r"\b(is|are|stands|lies|rises|belongs|measures|reaches)\b", text)


def test_no_inverse_pattern_repeats_the_words_of_a_page_it_speaks_of() -> None:
    own = {"n": "the N", "was": "was", "place": "in"}
    forward = {
        fill(pattern, {**own, "s": "X", "B": "X"}, plural, {"v": Value("Y", 1)})
        for patterns in PATTERNS.values()
        for key, lines in patterns.items()
        if "+" not in key
        for pattern in (*lines.tuned, *lines.held)
        for plural in (False, True)
    }
    for key, (_, lines) in INVERSE.items():
        for pattern in (*lines.tuned, *lines.held, *lines.parts, *lines.parts_held):
            text = fill(
                pattern, {**own, "s": "Y", "B": "Y"}, plural=False, values={"v": Value("X", 1)}
            )
            assert text not in forward, (key, pattern)


def test_rendering_twice_gives_the_same_pages() -> None:
    assert render_world(tables(), ()) == world()


def test_a_value_without_a_page_stays_plain_text(tmp_path: Path) -> None:
    rows = _RIVERS + "Danube,,2850,Black Sea,Atlas\n"
    (article,) = small_world(tmp_path, rivers=rows).articles
    assert "Black Sea" in article.text and "[[Black Sea" not in article.text


def test_an_alias_of_two_pages_becomes_a_disambiguation(tmp_path: Path) -> None:
    rows = _RIVERS + "Congo River,Congo,4700,,Atlas\nLittle Congo,Congo,,,Atlas\n"
    pages = {page.title: page for page in small_world(tmp_path, rivers=rows).pages}
    assert pages["Congo"].redirect is None
    assert "{{disambiguation}}" in pages["Congo"].text
    assert "[[Little Congo]]" in pages["Congo"].text


def test_namesakes_with_equal_facts_still_differ_in_every_sentence(tmp_path: Path) -> None:
    head = "title,aliases,kind,composer,year,source\n"
    rows = head + "Mass (Bach),,mass,Ann,1749,Atlas\nMass (Haydn),,mass,Ann,1749,Atlas\n"
    first, second = small_world(tmp_path, music=rows).articles
    texts = [{plain(line.text) for line in article.sentences} for article in (first, second)]
    assert texts[0] and not texts[0] & texts[1]


@pytest.mark.parametrize(
    ("name", "text", "cause"),
    [
        ("rivers", "title,aliases,source,depth\n", "unknown column 'depth'"),
        ("rivers", "title,aliases\n", "no column 'source'"),
        ("rivers", "title,aliases,source\nRhine,,A\nRhine,,A\n", "title 'Rhine' is in rivers"),
        ("rivers", "title,aliases,source\nRhine,Elbe,A\nElbe,,A\n", "alias 'Elbe' of 'Rhine'"),
        ("rivers", "title,aliases,source\nRhine,,\n", "rivers.csv:2: empty source"),
        ("rivers", "title,aliases,source\nRhine,\n", "rivers.csv:2: wrong number of cells"),
        ("rivers", "title,aliases,source,length_km\nRhine,,A,long\n", "length_km is 'long'"),
        ("rivers", "title,aliases,source\n[[Rhine]],,A\n", "title holds wiki markup"),
        ("clouds", "title,aliases,source\n", "clouds.csv is no known kind"),
        ("cities", "title,aliases,source,latitude\nUlm,,A,48.4\n", "half a position"),
    ],
)
def test_a_bad_table_is_refused_with_its_place(
    tmp_path: Path, name: str, text: str, cause: str
) -> None:
    (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    with pytest.raises(SourceError, match=re.escape(cause)):
        load_tables(tmp_path)


def test_a_folder_without_tables_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no fact tables"):
        load_tables(tmp_path)


def test_numbers_and_years_are_readable() -> None:
    assert number("8848") == "8,848" and number("0.02") == "0.02"
    assert year("-753") == "753 BC" and year("1887") == "1887"
    assert shown(Cell.KM, "2850") == "2,850 km"
    assert shown(Cell.LATITUDE, "-33.87") == "33.87° S"


def test_lists_and_articles_follow_english() -> None:
    assert join(["A"]) == "A" and join(["A", "B", "C"]) == "A, B and C"
    assert with_a("opera") == "an opera" and with_a("university") == "a university"
    assert with_a("[[insect]]") == "an [[insect]]"
    assert with_a("concertos") == "a set of concertos" and with_a("mass") == "a mass"
    assert with_a("chamber music") == "a piece of chamber music"


@given(st.lists(st.text(min_size=1), min_size=1, max_size=60, unique=True))
def test_chunks_keep_every_value_in_order_and_none_is_long(values: list[str]) -> None:
    parts = list(chunks(tuple(values)))
    assert [value for part in parts for value in part] == values
    assert all(1 <= len(part) <= MAX_LINKS for part in parts)


def _raised(name: str) -> str:
    name = name.partition("#")[0]
    return name[:1].upper() + name[1:]
