import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hopsight.errors import SourceError, StoreError
from hopsight.wiki.resolve import Resolution, TitleTable, resolve
from hopsight.wiki.titles import Resolved
from tests.hopsight.wiki.small_scan import SmallPage, SmallScan


def articles(*titles):
    return [SmallPage(title) for title in titles]


def redirect(title, target):
    return SmallPage(title, redirect=target)


def edges_of(resolution):
    return sorted(
        (int(a), int(b))
        for sources, targets in resolution.edges()
        for a, b in zip(sources, targets, strict=True)
    )


NAMES = st.sampled_from(
    ["A", "B", "C", "Ä", "Ωmega", "A b", "List of A", "A (disambiguation)", "X", "Y", "Ab"]
)
TARGETS = st.one_of(
    NAMES,
    NAMES.map(lambda name: name + "#Part"),
    NAMES.map(lambda name: "de:" + name),
    NAMES.map(lambda name: "File:" + name),
    NAMES.map(lambda name: " _" + name.lower().replace(" ", "_")),
    st.sampled_from(["", "#Part", ":A", "a%20b", "&#65;", "\ud800", "A\x00", "é" * 90]),
)
PAGES = st.lists(
    st.builds(
        SmallPage,
        title=NAMES,
        links=st.lists(TARGETS.filter(lambda t: "\ud800" not in t), max_size=4).map(tuple),
        redirect=st.one_of(st.none(), TARGETS.filter(lambda target: "\ud800" not in target)),
        text=st.sampled_from(["", "{{disambig}}"]),
        namespace=st.sampled_from([0, 0, 0, 0, 6]),
    ),
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(PAGES, st.lists(TARGETS, max_size=10), st.integers(1, 12))
@example([redirect("A", "de:A"), redirect("B", "A"), redirect("C", "de:B")], ["A", "B", "C"], 2)
@example([redirect("A", "B#x"), redirect("B", "C"), SmallPage("C")], ["A", "B", "C#y"], 1)
@example([redirect("B", "A"), redirect("A", "de:B")], ["A", "B"], 1)
@example([SmallPage("A", redirect="B"), SmallPage("A"), SmallPage("B")], ["A"], 1)
def test_the_table_answers_as_the_index_in_memory_does(pages, asked, size):
    scan = SmallScan(pages, size)
    index = scan.index()
    with tempfile.TemporaryDirectory() as folder:
        resolution = resolve(scan, Path(folder))
        table = resolution.titles

        for target in [*asked, *(page.title for page in pages)]:
            assert table.resolve(target) == index.resolve(target), target
        assert list(table.redirect_names()) == list(index.redirect_names())
        assert resolution.page_ids.tolist() == sorted(index.articles.values())
        wanted = [
            (number, index.resolve(link).page_id)
            for number, page in enumerate(pages, start=1)
            if index.articles.get(page.title) == number
            for link in page.links
            if index.namespaces.title(link).namespace == 0
        ]
        known = set(index.articles.values())
        found = [edge for edge in edges_of(resolution) if edge[0] in known]
        assert found == sorted(edge for edge in wanted if edge[1] is not None)
        del resolution, table


def test_every_link_is_kept_or_counted_with_its_reason(tmp_path):
    links = ("B", "b#Part", "Old", "Round", "List of all", "Mercury", "Nowhere", "A", "Away")
    scan = SmallScan(
        [
            SmallPage("A", links=links),
            *articles("B", "List of all"),
            SmallPage("Mercury", text="{{disambig}}"),
            redirect("Old", "Older"),
            redirect("Older", "B#History"),
            redirect("Round", "Round again"),
            redirect("Round again", "Round"),
            redirect("Away", "File:X.png"),
            SmallPage("B", links=("A",)),
            SmallPage("Talk", namespace=1),
        ]
    )

    resolution = resolve(scan, tmp_path)

    # Two links to B with one target, and one by way of two redirects; the second B is no page.
    assert edges_of(resolution) == [(1, 1), (1, 2), (1, 2), (1, 2), (10, 1)]
    assert resolution.links == 3
    assert resolution.left_out == {
        "duplicate_title": 1,
        "link_from_page_left_out": 1,
        "link_to_disambiguation": 1,
        "link_to_itself": 1,
        "link_to_list": 1,
        "link_to_nowhere": 1,
        "link_to_other_namespace": 1,
        "page_of_other_namespace": 1,
        "redirect_cycle": 1,
    }
    assert (resolution.articles, resolution.redirects) == (4, 5)
    assert resolution.titles.resolve("old") == Resolved(2, "", to_section=True)
    assert resolution.filtered.tolist() == [False, False, True, True]


def test_a_chain_of_a_thousand_redirects_is_followed_to_its_end(tmp_path):
    names = [f"R{number:04}" for number in range(1000)]
    pages = [redirect(a, b) for a, b in zip(names, [*names[1:], "End"], strict=True)]

    table = resolve(SmallScan([*pages, SmallPage("End")], 100), tmp_path).titles

    assert {table.resolve(name).page_id for name in names} == {1001}


def test_titles_beyond_the_first_block_are_found(tmp_path):
    titles = [f"Title {number * 7919 % 2000}" for number in range(2000)]
    table = resolve(SmallScan(articles(*titles), 700), tmp_path).titles

    assert [table.resolve(title).page_id for title in titles] == list(range(1, 2001))
    assert table.resolve("Title 2000").reason == "link_to_nowhere"
    assert table.resolve("A").page_id is None
    assert table.resolve("Z").page_id is None


def test_two_titles_of_one_page_id_are_an_error(tmp_path):
    class Doubled(SmallScan):
        def pages(self, part):
            table = super().pages(part)
            return table.set_column(0, "page_id", [np.array([7] * table.num_rows)])

    with pytest.raises(SourceError, match="page id 7"):
        resolve(Doubled(articles("A", "B")), tmp_path)


def test_a_stored_resolution_opens_and_one_of_another_scan_is_refused(tmp_path):
    scan = SmallScan([SmallPage("A", links=("B",)), SmallPage("B")])
    made = resolve(scan, tmp_path)

    opened = Resolution.open(scan, tmp_path)

    assert edges_of(opened) == edges_of(made) == [(1, 2)]
    assert (opened.links, opened.left_out) == (made.links, made.left_out)
    with pytest.raises(StoreError, match="does not fit the scan"):
        Resolution.open(SmallScan(articles("A", "B"), size=1), tmp_path)


@pytest.mark.parametrize("name", ["resolution.json", "titles.bin", "ends.npy", "targets.npy"])
def test_a_damaged_resolution_is_an_error_with_a_remedy(tmp_path, name):
    scan = SmallScan(articles("A"))
    resolve(scan, tmp_path)
    (tmp_path / name).unlink()

    with pytest.raises(StoreError, match="link_graph"):
        Resolution.open(scan, tmp_path)


def test_a_title_file_that_was_cut_is_noticed(tmp_path):
    scan = SmallScan(articles("A", "B"))
    resolve(scan, tmp_path)
    (tmp_path / "titles.bin").write_bytes(b"A")

    with pytest.raises(StoreError, match="do not fit"):
        TitleTable.open(tmp_path, scan.site)


def test_too_little_memory_is_an_error_with_a_remedy(tmp_path):
    scan = SmallScan(articles(*(f"{n:0200}" for n in range(60_000))), 60_000)

    with pytest.raises(StoreError, match="raise the memory limit"):
        resolve(scan, tmp_path, memory_limit="1MB")
