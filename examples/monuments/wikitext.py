"""Small pieces of wikitext: escaping, links, infoboxes, lists in words."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from examples.monuments.claims import bare
from examples.monuments.mentions import mentions

_THE: Final = re.compile(
    r"(?:United |Czech |Dominican |Central African |Democratic |Republic |Federated |Netherlands$"
    r"|Philippines$|Maldives$|Seychelles$|Comoros$|Vatican|Isle of |.* Islands$|.* Republic$"
    r"|.* Territory$|.* Territories$)"
)
"""Names of countries that take an article."""
_MARKUP: Final = re.compile(r"[\[\]{}<>&|]|'{2,}|~{3,}|__|^[*#:;=]", re.MULTILINE)
_SPACES: Final = re.compile(r"[^\S\n]+")


def escape(text: str) -> str:
    """Plain text as wikitext that shows just that."""
    words = _SPACES.sub(" ", text.strip())
    return _MARKUP.sub(lambda found: "".join(f"&#{ord(c)};" for c in found.group()), words)


def link(title: str, shown: str = "") -> str:
    """A link to a page; shown as its name without what tells it from namesakes."""
    words = shown or bare(title)
    return f"[[{title}]]" if words == title else f"[[{title}|{words}]]"


def article(name: str) -> str:
    """The article that a country's name takes in a sentence, or nothing."""
    return "the " if _THE.match(name) else ""


def country(title: str) -> str:
    """A link to a country with its article."""
    return article(title) + link(title)


def listed(parts: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def sentence(words: str) -> str:
    """A sentence: its first letter large (behind a link's brackets too), a full stop after it."""
    return f"{words[:1].upper()}{words[1:]}."


def linked(text: str, titles: Mapping[str, str], own: str, done: set[str]) -> str:
    """Plain text as wikitext with each mentioned title linked once on the page.

    `own` is the page's own title, `done` the titles linked before; it is added to.
    """
    parts, at = [], 0
    done.add(own)
    for mention in mentions(text, titles):
        if mention.title in done:
            continue
        done.add(mention.title)
        words = text[mention.start : mention.end]
        parts.append(_escape_inside(text[at : mention.start]))
        parts.append(link(mention.title, words))
        at = mention.end
    return "".join([*parts, _escape_inside(text[at:])]).strip()


def infobox(kind: str, parameters: Sequence[tuple[str, str]]) -> str:
    """An infobox of the parameters that have a value."""
    lines = "".join(f"| {name} = {value}\n" for name, value in parameters if value)
    return f"{{{{Infobox {kind}\n{lines}}}}}\n"


def bold_first(wikitext: str, name: str) -> str:
    """The text with its first mention of the page's name in bold, in the first sentence only."""
    at = wikitext.find(name)
    first_link = wikitext.find("[[")
    if at < 0 or at > 60 or 0 <= first_link < at:
        return wikitext
    return f"{wikitext[:at]}'''{name}'''{wikitext[at + len(name) :]}"


def _escape_inside(text: str) -> str:
    """Escape a piece whose outer spaces count."""
    body = text.strip()
    if not body:
        return _SPACES.sub(" ", text)
    before = text[: len(text) - len(text.lstrip())]
    after = text[len(text.rstrip()) :]
    return _SPACES.sub(" ", before) + escape(body) + _SPACES.sub(" ", after)
