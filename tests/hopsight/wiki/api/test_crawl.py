import re

import pytest

from hopsight.errors import LockedError, SourceError
from hopsight.store import ImageStore
from hopsight.store.lock import file_lock
from hopsight.wiki.build import build_snapshot
from hopsight.wiki.dump import RawPage, read_dump, read_site
from tests.hopsight.wiki.api.conftest import cases


def titles(files):
    return [page.title for page in read_dump(files.export)]


@pytest.fixture
def chain(wiki):
    """A → B → C → D, each by the first link of its prose."""
    wiki.add("A", "'''A''' is near [[B]].").add("B", "B is near [[C]] and [[A]].")
    return wiki.add("C", "C is near [[D]].").add("D", "D lies alone.")


@pytest.fixture
def tangle(wiki):
    """Links through redirects: single, double, to a section, in a circle."""
    wiki.add("A", "See [[One]], [[Two]], [[Part]], [[Round]] and [[missing page]].")
    wiki.add("B", "B is here.").redirect("One", "B").redirect("Two", "One")
    wiki.redirect("Part", "B#History").redirect("Round", "Circle").redirect("Circle", "Round")
    return wiki.redirect("Never linked", "B").redirect("Never linked 2", "Never linked")


@pytest.mark.parametrize(("hops", "found"), [(0, "A"), (1, "AB"), (2, "ABC"), (9, "ABCD")])
def test_a_crawl_goes_as_many_links_as_it_may(chain, run, hops, found):
    assert titles(run("A", hops=hops)) == list(found)


def test_a_crawl_takes_the_nearest_pages_and_counts_the_others(wiki, run):
    wiki.add("A", "[[D]], [[C]], [[B]]").add("B", "b").add("C", "c").add("D", "d [[E]]")
    files = run("A", max_pages=3)
    assert set(titles(files)) == {"A", "D", "C"}
    assert cases(files) == {("page_beyond_max_pages", "B"), ("page_beyond_max_pages", "")}
    assert wiki.asked["revision 1002"] == 0


def test_titles_left_out_unasked_are_counted(wiki, run):
    wiki.add("A", " ".join(f"[[P{number:03}]]" for number in range(450)))
    for number in range(450):
        wiki.add(f"P{number:03}", "text")
    files = run("A", max_pages=101)
    assert len(titles(files)) == 101
    assert '"detail": "250 titles not asked for"' in files.rejections.read_text()


def test_the_export_holds_pages_as_the_wiki_has_them(wiki, run):
    text = "<!-- & --> ]]> 'x' {{Infobox y|a=[[B]]}}\r\n\tZürich 𝔘 &amp; "
    wiki.add("A", text).redirect('Ä & "b"', "A#Part")
    files = run("A")
    assert list(read_dump(files.export)) == [
        RawPage(1, "A", 0, 1001, None, text),
        RawPage(2, 'Ä & "b"', 0, 1002, "A", "#REDIRECT [[A#Part]]"),
    ]
    site = read_site(files.export)
    assert (site.name, site.base) == ("Fake & wiki", "https://wiki.test/wiki/")
    assert site.namespaces == {-1: "Special", 0: "", 6: "File", 10: "Template"}


def test_pages_that_the_infobox_names_are_found_but_not_those_of_other_templates(wiki, run):
    wiki.add("A", "{{Infobox person|born=[[B]]}} A. {{Navbox|list=[[C]]}}")
    wiki.add("B", "b").add("C", "c")
    assert titles(run("A")) == ["A", "B"]


def test_links_that_the_wiki_lists_are_followed_if_that_is_asked_for(wiki, run):
    wiki.add("A", "A. {{Navbox|list=[[C]], [[B]]}}").add("B", "b").add("C", "c")
    wiki.per_answer = 1
    assert titles(run("A", links="listed")) == ["A", "B", "C"]


def test_titles_are_asked_in_any_form(wiki, run):
    wiki.add("Old town", "See [[new_Town]].").add("New Town", "x")
    assert titles(run("old_town")) == ["Old town", "New Town"]


def test_redirects_are_followed_and_all_names_of_a_page_are_fetched(tangle, run):
    files = run("A", hops=1)
    assert set(titles(files)) == set(tangle.pages)
    assert cases(files) == {("page_missing", "Missing page")}
    redirects = {page.title: page.redirect for page in read_dump(files.export) if page.redirect}
    assert redirects["Two"] == "One" and redirects["Never linked 2"] == "Never linked"


def test_a_crawl_is_a_dump_source(tangle, run, tmp_path):
    files = run("A")
    images = ImageStore(tmp_path / "images")
    tables = build_snapshot(files.export, files.pictures, files.sidecar, images)
    assert [page.title for page in tables.pages] == ["A", "B"]
    assert {"One", "Two", "Never linked 2"} <= {alias.name for alias in tables.aliases}


def test_a_full_crawl_still_fetches_the_names_of_its_pages(wiki, run):
    wiki.add("A", "See [[Name]] and [[B]].").add("B", "b").redirect("Name", "A")
    files = run("A", max_pages=1)
    assert titles(files) == ["A", "Name"]
    assert '"1 titles not asked for"' in files.rejections.read_text()


def test_names_beyond_the_limit_are_counted(wiki, run):
    wiki.add("A", "a")
    for number in range(5):
        wiki.redirect(f"Name {number}", "A")
    files = run("A", redirects_per_page=3)
    assert titles(files) == ["A", "Name 0", "Name 1", "Name 2"]
    assert '"2 of 5 redirects"' in files.rejections.read_text()


def test_continuation_and_concurrency_change_no_byte(tangle, run):
    first = run("A", into="whole")
    tangle.per_answer = 1
    second = run("A", into="bit by bit", concurrency=7)
    assert first.export.read_bytes() == second.export.read_bytes()
    assert first.rejections.read_bytes() == second.rejections.read_bytes()


def test_many_titles_are_asked_in_batches(wiki, run):
    wiki.add("A", " ".join(f"[[Page {number}]]" for number in range(120)))
    for number in range(120):
        wiki.add(f"Page {number}", "text")
    assert len(titles(run("A"))) == 121
    # Site, seed and its text; then 3 batches each of titles and texts, names, leading pictures.
    assert len(wiki.requests) <= 3 + 3 * 4


def test_addresses_stay_short(wiki, run):
    names = [f"{'Ж' * 100}{number}" for number in range(50)]
    wiki.add("A", " ".join(f"[[{name}]]" for name in names))
    run("A")
    assert max(len(params.get("titles", "").encode()) for _, params in wiki.requests) < 2500


@pytest.mark.parametrize(
    ("reason", "subject", "page"),
    [
        ("page_missing", "B", None),
        ("page_too_large", "B", {"text": "x" * 2000}),
        ("page_not_wikitext", "B", {"text": "{}", "model": "json"}),
        ("page_text_hidden", "B", {"text": "x", "hidden": True}),
        ("page_with_control_characters", "B", {"text": "a\x00b"}),
        ("page_with_control_characters", "B", {"text": "a\ud800b"}),
    ],
)
def test_a_page_that_cannot_be_taken_is_a_case(wiki, run, reason, subject, page):
    wiki.add("A", "See [[B]].")
    if page is not None:
        wiki.add("B", **page)
    files = run("A", max_page_bytes=1024)
    assert titles(files) == ["A"]
    assert cases(files) == {(reason, subject)}


@pytest.mark.parametrize(
    ("seed", "reason"),
    [
        ("Template:X", "page_of_other_namespace"),
        ("Special:Random", "page_of_other_namespace"),
        ("A::b", "title_invalid"),
        ("de:Wien", "title_of_other_wiki"),
    ],
)
def test_a_title_that_names_no_article_is_a_case(wiki, run, seed, reason):
    wiki.add("A", "a").add("Template:X", "x")
    files = run("A", seed)
    assert cases(files) == {(reason, seed)}


def test_a_link_that_would_break_a_question_apart_is_not_asked(wiki, run):
    wiki.add("A", "See [[B&#124;C]].").add("B", "b").add("C", "c")
    files = run("A")
    assert titles(files) == ["A"]
    assert cases(files) == {("title_invalid", "B|C")}


@pytest.mark.parametrize("target", ["B\x00", "B|C", ""])
def test_a_redirect_to_no_title_is_a_case(wiki, run, target):
    wiki.add("A", "a").redirect("Name", "A").redirect("Odd", "A")

    def spoil(params):
        if "redirects" in params and params.get("prop") is None:
            wiki.pages["Odd"].redirect = target or "A"
            if not target:
                del wiki.pages["Odd"]

    wiki.before = spoil
    files = run("A")
    assert titles(files) == ["A", "Name"]
    assert cases(files) >= {("redirect_without_target", "Odd")}


def test_a_name_deleted_meanwhile_is_a_case(wiki, run):
    wiki.add("A", "a").redirect("Name", "A")

    def delete(params):
        if params.get("revids") == "1002":
            wiki.pages.pop("Name", None)

    wiki.before = delete
    files = run("A")
    assert titles(files) == ["A"]
    assert cases(files) == {("page_deleted_meanwhile", "Name")}


def test_a_page_deleted_meanwhile_is_a_case(wiki, run):
    wiki.add("A", "See [[B]].").add("B", "b")

    def delete(params):
        if params.get("revids") == "1002":
            wiki.pages.pop("B", None)

    wiki.before = delete
    files = run("A")
    assert titles(files) == ["A"]
    assert cases(files) == {("page_deleted_meanwhile", "B")}


def test_seeds_can_be_searched_for(wiki, run):
    wiki.add("A", "a river").add("B", "a lake").add("C", "a long river").add("D", "River")
    files = run("B", search=("river",), seeds_per_search=2, hops=0)
    assert titles(files) == ["A", "B", "C"]


def test_seeds_that_do_not_exist_are_told(wiki, run):
    with pytest.raises(SourceError, match="none of the 2 seeds is an article"):
        run("X", "Y")


def test_a_finished_crawl_asks_nothing(chain, run):
    first = run("A")
    count = len(chain.requests)
    assert run("A") == first
    assert len(chain.requests) == count


def test_a_crawl_that_wants_more_asks_only_for_that(chain, run):
    run("A", hops=1)
    chain.asked.clear()
    assert titles(run("A", hops=9)) == ["A", "B", "C", "D"]
    assert chain.asked["revision 1001"] == chain.asked["info A"] == 0
    assert chain.asked["revision 1004"] == 1


def test_a_refresh_fetches_new_revisions_alone(chain, run):
    before = run("A", hops=9).export.read_text()
    chain.pages["B"].text, chain.pages["B"].revision = "B is new.", 2002
    chain.asked.clear()
    assert run("A", hops=9).export.read_text() == before
    after = run("A", hops=9, refresh=True).export.read_text()
    assert re.findall(r"<title>(.*)</title>", after) == ["A", "B"]
    assert [key for key in chain.asked if "revision" in key] == ["revision 2002"]


def test_two_crawls_of_one_folder_exclude_each_other(chain, run, tmp_path):
    with file_lock(tmp_path / "crawl" / "crawl.lock", "x"), pytest.raises(LockedError):
        run("A")
