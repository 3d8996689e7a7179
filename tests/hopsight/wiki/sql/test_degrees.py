import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hopsight.errors import SourceError
from hopsight.wiki.sql import disambiguation_pages, in_degrees, redirects, table_file, titles_of
from tests.hopsight.wiki.sql import dumps

TITLES = {1: "Danube", 2: "Old_(bridge)", 3: "It's", 4: "River", 5: "Loop_a", 6: "Loop_b", 7: "To"}
NAMED = {title: number for number, title in TITLES.items()}


def page(number, title, redirect=0, namespace=0):
    return (
        number, namespace, title, redirect, 0, 0.5, "20260101000000", None, 7, 9, "wikitext", None,
    )  # fmt: skip


def wiki(folder, pages, leads, links, *, old=False, prefix="", gz=""):
    """Tables of a wiki. Redirects: (from, namespace, title, interwiki). Links: (from, its
    namespace, namespace, title)."""

    def write(table, create, rows):
        dumps.write(folder / f"{prefix}{table}.sql{gz}", create, rows)

    write("page", dumps.PAGE, pages)
    write("redirect", dumps.REDIRECT, [(*lead, None) for lead in leads])
    if old:
        by_title = [(source, space, title, its) for source, its, space, title in links]
        write("pagelinks", dumps.OLD_PAGELINKS, by_title)
        return folder
    targets = sorted({(space, title) for _, _, space, title in links})
    numbers = {target: at + 900 for at, target in enumerate(targets)}
    write("linktarget", dumps.LINKTARGET, [(numbers[target], *target) for target in targets])
    rows = [(source, its, numbers[space, title]) for source, its, space, title in links]
    write("pagelinks", dumps.PAGELINKS, rows)
    return folder


PAGES = [
    page(1, "Danube"), page(2, "Old_(bridge)"), page(3, "It's"), page(4, "River", 1),
    page(5, "Loop_a", 1), page(6, "Loop_b", 1), page(7, "To", 1), page(8, "Away", 1),
    page(9, "Danube", 0, 1), page(10, "Gone", 1), page(11, "Small"),
]  # fmt: skip
LEADS = [
    (4, 0, "Danube", None), (5, 0, "Loop_b", ""), (6, 0, "Loop_a", None), (7, 0, "River", None),
    (8, 0, "Danube", "de"), (10, 0, "Nowhere", None), (9, 0, "Danube", None),
]  # fmt: skip
LINKS = [
    (2, 0, 0, "Danube"), (2, 0, 0, "River"), (2, 0, 0, "To"),  # three ways to say Danube
    (3, 0, 0, "To"), (1, 0, 0, "River"), (3, 0, 0, "Loop_a"), (3, 0, 0, "Away"), (3, 0, 0, "Gone"),
    (3, 0, 0, "Red_link"), (3, 0, 1, "Danube"), (9, 1, 0, "It's"), (4, 0, 0, "Danube"),
    (1, 0, 0, "It's"), (1, 0, 0, "Old_(bridge)"), (3, 0, 0, "Old_(bridge)"), (1, 0, 0, "Small"),
]  # fmt: skip


@pytest.mark.parametrize("old", [False, True])
def test_in_degrees_follow_redirects_and_tell_what_was_left_out(tmp_path, old):
    folder = wiki(tmp_path, PAGES, LEADS, LINKS, old=old)

    degrees, left_out = in_degrees(folder, np.array([1, 2, 3], dtype=np.int64))

    assert degrees.tolist() == [2, 2, 1]
    assert degrees.dtype == np.int32
    assert left_out == {
        "link_from_other_namespace": 1,
        "link_from_page_left_out": 1,
        "link_to_nowhere": 2,
        "link_to_other_namespace": 1,
        "link_to_other_wiki": 1,
        "link_to_page_left_out": 1,
        "redirect_cycle": 1,
        "repeated_link": 2,
        "self_link": 1,
    }
    assert sum(left_out.values()) + int(degrees.sum()) == len(LINKS)


def slow_degrees(leads, links, articles):
    """The same, page by page."""
    sources: dict[int, set[int]] = {number: set() for number in articles}
    for source, _, _, title in links:
        seen = set()
        at = NAMED[title]
        while at in leads and at not in seen:
            seen.add(at)
            at = leads[at]
        if at in articles and source in articles and source != at:
            sources[at].add(source)
    return [len(sources[number]) for number in articles]


numbers = st.sampled_from(sorted(TITLES))


@settings(max_examples=20, deadline=None)
@given(st.dictionaries(numbers, numbers, max_size=6), st.sets(st.tuples(numbers, numbers)))
def test_in_degrees_are_those_of_a_walk_through_every_redirect(leads, pairs):
    pages = [page(number, title, int(number in leads)) for number, title in TITLES.items()]
    links = [(source, 0, 0, TITLES[target]) for source, target in sorted(pairs)]
    articles = [number for number in TITLES if number not in leads]
    with tempfile.TemporaryDirectory() as name:
        rows = [(a, 0, TITLES[b], None) for a, b in leads.items()]
        folder = wiki(Path(name), pages, rows, links)
        degrees, left_out = in_degrees(folder, np.array(articles, dtype=np.int64))

    assert degrees.tolist() == slow_degrees(leads, links, articles)
    assert sum(left_out.values()) + int(degrees.sum()) == len(links)


def test_files_of_different_days_are_noticed(tmp_path):
    folder = wiki(tmp_path, PAGES, LEADS, LINKS)
    dumps.write(folder / "linktarget.sql", dumps.LINKTARGET, [(1, 0, "Danube")])

    with pytest.raises(SourceError, match="linktarget does not have"):
        in_degrees(folder, np.array([1, 2, 3], dtype=np.int64))


def test_a_damaged_table_is_told_as_such(tmp_path):
    folder = wiki(tmp_path, PAGES, LEADS, LINKS)
    path = folder / "pagelinks.sql"
    path.write_bytes(path.read_bytes()[:-150])

    with pytest.raises(SourceError, match="is cut"):
        in_degrees(folder, np.array([1, 2, 3], dtype=np.int64))


def test_page_ids_out_of_order_are_refused(tmp_path):
    with pytest.raises(ValueError, match="ascending"):
        in_degrees(tmp_path, np.array([2, 1], dtype=np.int64))


def test_titles_redirects_and_disambiguation_pages_come_in_normal_form(tmp_path):
    folder = wiki(tmp_path, PAGES, LEADS, LINKS, prefix="testwiki-20260101-", gz=".gz")
    props = [
        (3, "disambiguation", "", None), (1, "wikibase_item", "Q1", 1.5),
        (2, "disambiguation", b"\xff", None),
    ]  # fmt: skip
    dumps.write(folder / "testwiki-20260101-page_props.sql.gz", dumps.PAGE_PROPS, props)

    titles = [row for batch in titles_of(folder) for row in batch.to_pylist()]
    leads = [row for batch in redirects(folder) for row in batch.to_pylist()]

    assert titles[1] == {"page_id": 2, "title": "Old (bridge)", "is_redirect": False}
    assert titles[4] == {"page_id": 5, "title": "Loop a", "is_redirect": True}
    assert len(titles) == len(PAGES) - 1
    assert leads[1] == {
        "page_id": 5, "namespace": 0, "title": "Loop b", "fragment": "", "interwiki": "",
    }  # fmt: skip
    assert leads[4]["interwiki"] == "de"
    assert disambiguation_pages(folder).tolist() == [2, 3]


def test_a_table_must_be_there_once(tmp_path):
    with pytest.raises(SourceError, match="no dump"):
        table_file(tmp_path, "page")
    for name in ("a-page.sql", "b-page.sql.gz", "a-wikipage.sql", "a-page.sql.md5"):
        (tmp_path / name).touch()
    with pytest.raises(SourceError, match=r"2 dump.*a-page.sql, b-page.sql.gz"):
        table_file(tmp_path, "page")
