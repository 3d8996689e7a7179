"""Reading what a visit shows."""

from hypothesis import given
from hypothesis import strategies as st

from hopsight.reference.agents.page import read_page
from tests.hopsight.reference.agents.views import link, page, url

ADA = page(
    "Ada",
    {"birth_place": link("Ulm"), "birth_year": "1801", "architect": f"{link('B')}, {link('C')}"},
    f"Ada was a painter from {link('Ulm')}.",
    "## Work",
    f"She painted {link('Dawn (painting)')}. It hangs in {link('Hall')}.",
)


def test_rows_title_and_kind_come_from_the_table():
    read = read_page(url("Ada"), ADA)
    assert (read.title, read.url) == ("Ada", url("Ada"))
    assert [(row.label, row.value, row.linked) for row in read.rows[:2]] == [
        ("birth place", "Ulm", True),
        ("birth year", "1801", False),
    ]
    assert read.kinds == {"person"}


def test_without_a_table_the_first_sentence_tells_the_kind():
    assert read_page(url("Po"), "# Po\n\nThe Po is a river in the north.").kinds == {"river"}


def test_every_link_is_met_with_its_label_or_its_sentence():
    mentions = {m.url: m for m in read_page(url("Ada"), ADA).mentions}
    assert {url("B"), url("C"), url("Dawn (painting)"), url("Hall")} <= mentions.keys()
    assert "person" in mentions[url("B")].kinds
    assert "housed" in mentions[url("Hall")].around
    assert "housed" not in mentions[url("Dawn (painting)")].around


@given(st.text(max_size=400))
def test_any_markdown_is_read(markdown):
    assert read_page("https://example.org", markdown).url == "https://example.org"
