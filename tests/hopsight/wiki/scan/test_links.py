import pytest

from tests.hopsight.wiki.scan.conftest import links_of, pages_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[Danube]] and [[vienna|the city]]s", ["Danube", "Vienna"]),
        ("[[A & B]] [[A_b#Course|x]] [[ A   c ]]", ["A & B", "A b", "A c"]),
        ('[["Quoted" (title)]] [[C%2B%2B]] [[AT&amp;T]]', ['"Quoted" (title)', "C++", "AT&T"]),
        ("[[Danube|]] [[Danube| ]]", []),
        ("[[#Course]] [[#Course|below]]", []),
        ("[[File:A.png|thumb|A [[bridge]] in [[Vienna]]]] [[Danube]]", ["Danube"]),
        ("[[Category:Rivers]] [[:Category:Rivers|all]] [[de:Donau]]", []),
        ("[[A|b [[C]] d]]", ["C"]),
        ("{{box|a=[[In]]|b={{c|[[In]]}}}} [[Out]]", ["Out"]),
        ("{{navbox|{{a|{{b|{{c|{{d|{{e|{{f|[[In]]}}}}}}}}}}}}}} [[Out]]", ["Out"]),
        ("{{a|" * 30 + "[[In]]" + "}}" * 30 + " [[Out]]", ["Out"]),
        ("x<ref>[[In]]</ref> <ref name=a />[[Out]]<REF name='b'>[[In]]</REF>", ["Out"]),
        ("<!-- [[In]] --> [[Out]] <!-- [[In]]", ["Out"]),
        ("<nowiki>[[In]]</nowiki> <math>[[In]]</math> <pre>[[In]]</pre> [[Out]]", ["Out"]),
        ("<gallery>\nA.png|[[In]]\n</gallery>\n[[Out]]", ["Out"]),
        ("{|\n|-\n| [[In]] || {{x|\n|}}\n|}\n[[Out]]", ["Out"]),
        ("{|\n|\n{|\n| [[In]]\n|}\n| [[In]]\n|}\n[[Out]]", ["Out"]),
        ("[[Out]]\n== [[In]] ==\n[[More]]", ["Out", "More"]),
        ("[[A]]\n== See also ==\n* [[In]]\n=== More ===\n[[In]]\n== Course ==\n[[B]]", ["A", "B"]),
        ("==See also==\n[[In]]", []),
        ("a = b = [[Out]]\n= [[Too]]", ["Out", "Too"]),
        ("''[[A]]'' [http://x.invalid see [[B]]] &lt;ref>[[C]]", ["A", "B", "C"]),
    ],
)
def test_links_are_those_that_a_reader_sees_in_prose(targets, text, expected):
    assert targets(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "{{open|[[A]] and\n\n[[B]]",
        "{{a|{{closed|[[In]]}} [[A]]\n\n[[B]]",
        "<ref>[[A]] and\n\n[[B]]",
        "{|\n| [[A]]\n\n[[B]]",
        "[[File:X.png|thumb|open [[A]]\n\n[[B]]",
        "}} |} [[A]] ]] </ref> [[B]]",
        "{{x|\n{|\n}} [[A]] {{y|[[In]]}} [[B]]",
    ],
)
def test_what_is_never_closed_swallows_nothing(targets, text):
    assert targets(text) == ["A", "B"]


def test_targets_are_distinct_and_each_has_a_link(scan):
    found = scan(("A", "[[b]] [[B]] [[B#x]] [[B_]]"), ("C", "[[D]] {|\n{{a|[[In]]}} [[E]]"))

    assert found.targets(0).to_pydict() == {"target_id": [0, 1, 2], "title": ["B", "D", "E"]}
    assert found.links(0)["target_id"].to_pylist() == [0, 0, 0, 0, 1, 2]


def test_offsets_are_bytes_into_the_wikitext(scan):
    text = 'Ä "quoted" <b>&</b> &amp; [[Donau]] {{x|"<>"}} <ref name="a">…</ref>[[Wien]]'
    found = scan(("Ä", "[[Donau]]"), ("B", text))

    encoded = text.encode()
    offsets = found.links(0)["offset"].to_pylist()

    assert [encoded[at : at + 6] for at in offsets[1:]] == [b"[[Dona", b"[[Wien"]
    assert [page["length"] for page in pages_of(found)] == [9, len(encoded)]


def test_links_that_lead_to_no_article_are_counted_by_reason(scan):
    found = scan(
        ("A", "[[de:Donau|x]] [[de:Donau]] [[:File:X.png]] [[Help:Y|y]] [[#a]] [[a<b]] [[B]]")
    )

    assert found.left_out == {
        "link_malformed": 1,
        "link_to_other_namespace": 2,
        "link_to_other_wiki": 1,
        "link_to_own_section": 1,
    }
    assert links_of(found) == [(1, "B")]


@pytest.mark.parametrize(
    ("namespaces", "prefixes"),
    [
        ({0: "", 6: "Datei", 10: "Vorlage", 14: "Kategorie"}, ("Datei", "Kategorie", "Vorlage")),
        ({0: "", 6: "文件", 10: "模板", 14: "分类"}, ("文件", "分类", "模板")),
    ],
)
def test_namespaces_are_the_wikis_own(scan, namespaces, prefixes):
    file, category, template = prefixes
    picture = f"[[{file}:X.png|mini|[[In]]]] [[File:Y.png]]"
    text = f"{picture} [[{category}:F]] [[:{template}:T|t]] [[维也纳]]"

    found = scan(("Fluß", text), namespaces=namespaces)

    assert links_of(found) == [(1, "维也纳")]
    assert found.left_out == {"link_to_other_namespace": 1}
    assert pages_of(found)[0]["picture"] == "X.png"


def test_a_page_is_marked_as_the_full_parser_marks_it(scan):
    box = "{{Infobox river\n| name = X\n| image = [[File:D x.jpg|thumb]]\n| n = {{a|b}}\n}}"
    found = scan(
        ("Danube", "[[File:First.png]]" + box),
        ("List of rivers", "[[File:B.png|x]]"),
        ("Mercury", "'''Mercury''' may be\n{{Disambiguation}}"),
        ("Deep (disambiguation)", "{{a|" * 9 + "x" + "}}" * 9 + "{{Taxobox|image=T.png}}"),
    )

    rows = [
        (row["infobox"], row["picture"], row["is_list"], row["is_disambiguation"])
        for row in pages_of(found)
    ]
    assert rows == [
        ("river", "D x.jpg", False, False),
        (None, "B.png", True, False),
        (None, None, False, True),
        ("taxobox", "T.png", False, True),
    ]


@pytest.mark.parametrize(
    "piece",
    ["{{", "}}", "[[", "]]", "{{{", "[[A|", "[[File:a|", "<ref>", "<!--", "<ref", "{|\n", "\n|}",
     "\n== a", "{{a|{{b}}", "[[File:a|[[b]]", "<table>", "</ref>", "{{a|\n{|\n", "=", "\n|"],
)  # fmt: skip
def test_a_page_of_unfit_marks_is_read_to_its_end(scan, piece):
    """The benchmark of ingest shows that the work grows with the page, and no faster."""
    found = scan(("Hostile", piece * 5000 + "\n\n-->" + "[[B]]"), ("C", "[[D]]"))

    assert (2, "D") in links_of(found)
    assert found.entered == 2
