"""What a page's wikitext says: its infobox, its bold names, and the links of its prose."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

NOT_FACTS = frozenset("name image caption alt".split())
_REFERENCE = re.compile(r"<ref\b[^>]*/>|<ref\b[^>]*>.*?</ref>|<!--.*?-->", re.DOTALL)
LINK = re.compile(r"\[\[([^\[\]|]+)(?:\|([^\[\]]*))?\]\]")
_FILE = re.compile(r"\[\[(?:File|Image):(?:[^\[\]]|\[\[[^\[\]]*\]\])*\]\]", re.IGNORECASE)
_TABLE = re.compile(r"\{\|.*?\|\}", re.DOTALL)
_BOX = re.compile(r"\{\{\s*infobox\s+([^|{}\n]+)", re.IGNORECASE)
_BOLD = re.compile(r"'{3,5}(.+?)'{3,5}")
_HEADING = re.compile(r"^==\s*([^=].*?)\s*==\s*$", re.MULTILINE)
_APPENDICES = frozenset(
    "see also|references|notes|sources|bibliography|further reading|external links".split("|")
)


@dataclass(frozen=True, slots=True)
class Source:
    """A page cut up. `parameters` are those of its infobox, `kind` the infobox's name."""

    kind: str | None
    parameters: tuple[tuple[str, str], ...]
    bold: tuple[str, ...]
    linked: tuple[str, ...]
    """What the links of the prose point at, as written: no appendix, template, table or file."""


def read_source(text: str) -> Source:
    """Cut up a page's wikitext."""
    text = _REFERENCE.sub("", text)
    box = _BOX.search(text)
    if box is None:
        return Source(None, (), (), tuple(_prose_links(text)))
    inside, body = _balanced(text[box.start() :])
    lead = body.partition("\n==")[0]
    return Source(
        kind=" ".join(box.group(1).split()).lower(),
        parameters=tuple(_parameters(inside)),
        bold=tuple(shown(bold) for bold in _BOLD.findall(lead)),
        linked=tuple(_prose_links(text[: box.start()] + body)),
    )


def _prose_links(body: str) -> Iterator[str]:
    """A page's first part has no heading; each heading is followed by its part."""
    first, *rest = _HEADING.split(_TABLE.sub("", _FILE.sub("", _without_templates(body))))
    for heading, part in zip(["", *rest[::2]], [first, *rest[1::2]], strict=True):
        if heading.casefold() not in _APPENDICES:
            lines = (line for line in part.splitlines() if not line.startswith("=="))
            for line in lines:
                yield from (target for target, _ in LINK.findall(line))


def _without_templates(text: str) -> str:
    kept, depth, start = [], 0, 0
    for mark in re.finditer(r"\{\{|\}\}", text):
        opens = mark.group() == "{{"
        if opens and depth == 0:
            kept.append(text[start : mark.start()])
        depth = depth + 1 if opens else max(0, depth - 1)
        start = mark.end() if depth == 0 else start
    return "".join([*kept, text[start:]])


def _balanced(text: str) -> tuple[str, str]:
    """A template at the start of `text` without its braces, and what follows it."""
    depth = 0
    for mark in re.finditer(r"\{\{|\}\}", text):
        depth += 1 if mark.group() == "{{" else -1
        if depth == 0:
            return text[2 : mark.start()], text[mark.end() :]
    return text[2:], ""


def _parameters(inside: str) -> Iterator[tuple[str, str]]:
    for part in split(inside, "|")[1:]:
        name, equals, value = part.partition("=")
        if equals:
            yield name.strip().lower(), value.strip()


def split(text: str, separator: str) -> list[str]:
    """Split where no link, template or parenthesis is open; a comma inside a number is no end."""
    parts, depth, start = [], 0, 0
    for place, char in enumerate(text):
        if char in "[{(":
            depth += 1
        elif char in "]})":
            depth -= 1
        elif char == separator and depth == 0:
            around = text[place - 1 : place] + text[place + 1 : place + 2]
            if separator != "," or not (len(around) == 2 and around.isdigit()):
                parts.append(text[start:place])
                start = place + 1
    return [*parts, text[start:]]


def shown(text: str) -> str:
    """Wikitext as a reader sees it."""
    text = LINK.sub(lambda link: link.group(2) or link.group(1), text)
    return " ".join(text.replace("''", "").split())
