"""HTML as Markdown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopsight.providers.markdown import page_of_html, without_pictures
from hopsight.providers.markdown_writer import MAX_CHARS

BASE = "https://a.example/dir/page"


def markdown(html: str) -> str:
    return page_of_html(html, BASE)[1]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h2>Two</h2>text", "## Two\n\ntext"),
        ("<p>a <b>bold</b>\n  <i>word</i></p>", "a bold word"),
        ("<p>one<br>two</p>", "one\n\ntwo"),
        ("<ul><li>a<li>b<ul><li>c</ul></ul>", "- a\n- b\n  - c"),
        ("<ol><li>a</li><li>b</li></ol>", "1. a\n2. b"),
        ("<blockquote><p>q</p><p>r</p></blockquote>s", "> q\n\n> r\n\ns"),
        ("<pre>def f():\n    return 1\n</pre>", "```\ndef f():\n    return 1\n```"),
        (
            "<table><tr><th>Year<th>Who</tr><tr><td>1566<td>a|<p>b</p></tr></table>",
            "| Year | Who |\n| --- | --- |\n| 1566 | a\\| b |",
        ),
        ("<a href='x?y=1#z'>t</a>", "[t](https://a.example/dir/x?y=1#z)"),
        ("<a href='/a(b) c'>t</a>", "[t](https://a.example/a%28b%29%20c)"),
        ("<a href='javascript:x()'>t</a> <a href='#top'>u</a> <a>v</a>", "t u v"),
        ("<a href='http://[bad'>t</a>", "t"),
        (
            "<p>seen</p><p hidden>h</p><p style='display: none'>h</p><p aria-hidden='true'>h</p>",
            "seen",
        ),
        ("<nav>n</nav><footer>f</footer><div role='navigation'>n</div><p>p</p>", "p"),
        ("<body>all<main>inner</main></body>", "inner"),
        ("<!-- c --><?pi?>x", "x"),
        ("<base href='https://b.example/'><a href='c'>t</a>", "[t](https://b.example/c)"),
        ("<p>a &amp; b &lt;i&gt; &#x1F600;</p>", "a & b <i> 😀"),
        ("", ""),
        ("<!-- nothing -->", ""),
    ],
)
def test_elements(html, expected):
    assert markdown(html) == expected


def test_pictures_are_absolute_each_once_and_no_icons():
    html = """<img src=a.jpg><img src="a.jpg"><img src=" /b.png "><img width=16 src=c.gif>
    <img src="data:image/gif;base64,R0" data-src="https://c.example/d.jpg"><img><img src="ftp://x">"""
    assert page_of_html(html, BASE)[2] == (
        "https://a.example/dir/a.jpg",
        "https://a.example/b.png",
        "https://c.example/d.jpg",
    )


def test_a_page_cannot_grow_beyond_the_bound_by_its_links():
    html = f"<base href='https://a.example/{'x' * 3000}/'>" + "<p><a href=b>c</a></p>" * 2_000
    assert len(markdown(html)) <= MAX_CHARS
    html = f"<base href='https://a.example/{'x' * 3000}/'><p>" + "<a href=b>c</a> " * 2_000
    assert len(markdown(html)) <= MAX_CHARS


def test_a_deep_page_is_read_without_running_out_of_stack():
    assert "bottom" in markdown("<div>" * 200 + "bottom" + "</div>" * 200)
    markdown("<div>" * 100_000 + "bottom")
    markdown("<table><tr><td>" * 5_000 + "x")


@given(st.text(alphabet=st.sampled_from(list("<>/abp=\"' \n&;![]()#")), max_size=200))
def test_nothing_that_a_page_holds_breaks_it(text):
    title, body, pictures = page_of_html(text, BASE)
    assert title == title.strip()
    assert body == body.strip()
    assert without_pictures(body, BASE)[0] == without_pictures(body, BASE)[0].strip()
    assert all(url.startswith(("http://", "https://")) for url in pictures)


@given(st.lists(st.sampled_from("p div table tr td th ul ol li a pre br blockquote h1".split())))
def test_elements_in_any_order_give_text_with_every_word(tags):
    html = "".join(f"<{tag}>w{number}" for number, tag in enumerate(tags))
    body = markdown(html)
    assert [n for n in range(len(tags)) if f"w{n}" not in body] == []


@pytest.mark.parametrize("piece", ["![", "![](", "![a](b", "[]", "![a](b(", '![a](b "'])
def test_hostile_markdown_is_read_through(piece):
    assert without_pictures(piece * 30_000, BASE)[1] == ()
