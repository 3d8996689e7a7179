"""A page of the snapshot as Markdown: title, infobox as a table, prose with its links."""

from collections.abc import Mapping, Sequence

from hopsight.types import Fact, Link, Page


def page_markdown(
    page: Page, facts: Sequence[Fact], links: Sequence[Link], urls: Mapping[int, str]
) -> str:
    """`# Title`, `| attribute | value |` rows, then the text with `[anchor](url)` links.

    `facts` and `links` are those of the page, in any order; `urls` gives the address of a page by
    its id. The text brings its own `## Section` lines.
    """
    pieces = [f"# {page.title}", infobox(facts, urls), with_links(page.text, links, urls)]
    return "\n\n".join(piece for piece in pieces if piece) + "\n"


def infobox(facts: Sequence[Fact], urls: Mapping[int, str]) -> str:
    """One table row per attribute, attributes and values sorted; "" without facts."""
    values: dict[str, set[str]] = {}
    for fact in facts:
        values.setdefault(fact.attribute, set()).add(_value(fact, urls))
    if not values:
        return ""
    rows = [f"| {_cell(name)} | {', '.join(sorted(values[name]))} |" for name in sorted(values)]
    return "\n".join(["| attribute | value |", "| --- | --- |", *rows])


def with_links(text: str, links: Sequence[Link], urls: Mapping[int, str]) -> str:
    """`text` with each link's anchor turned into `[anchor](url)`.

    Every link takes the first place in its sentence that no earlier link took; one whose anchor
    or target is not found leaves the text as it is.
    """
    taken: list[tuple[int, int, str]] = []
    for link in sorted(links, key=lambda link: (link.start, -len(link.anchor), link.id)):
        url = urls.get(link.target)
        place = _free_place(text, link, taken)
        if url is not None and place is not None:
            taken.append((place, place + len(link.anchor), url))
    pieces, position = [], 0
    for start, end, url in sorted(taken):
        pieces += [text[position:start], f"[{text[start:end]}]({url})"]
        position = end
    return "".join([*pieces, text[position:]])


def _free_place(text: str, link: Link, taken: Sequence[tuple[int, int, str]]) -> int | None:
    place = text.find(link.anchor, link.start, link.end) if link.anchor else -1
    while place >= 0:
        end = place + len(link.anchor)
        # Inside of a word it is another word: "Roma" in "Romania".
        whole = not (text[place - 1 : place].isalnum() or text[end : end + 1].isalnum())
        if whole and all(end <= start or place >= stop for start, stop, _ in taken):
            return place
        place = text.find(link.anchor, place + 1, link.end)
    return None


def _value(fact: Fact, urls: Mapping[int, str]) -> str:
    url = urls.get(fact.value_page) if fact.value_page is not None else None
    text = _cell(fact.value)
    return f"[{text}]({url})" if url else text


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
