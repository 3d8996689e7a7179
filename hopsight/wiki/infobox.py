"""Reading an infobox: its name, and for every parameter the members of its value."""

import re
from dataclasses import dataclass, field
from typing import Final

from mwparserfromhell.nodes import (
    Comment,
    ExternalLink,
    HTMLEntity,
    Tag,
    Template,
    Text,
    Wikilink,
)
from mwparserfromhell.wikicode import Wikicode

from hopsight.wiki.templates import LIST_TEMPLATES, inline_text, template_name
from hopsight.wiki.titles import CATEGORY, FILE, Namespaces

_BOXES: Final = frozenset(
    {"taxobox", "automatic taxobox", "speciesbox", "subspeciesbox", "chembox", "drugbox",
     "starbox", "geobox"}
)  # fmt: skip
_COMMA: Final = re.compile(
    r"(?<!\d),(?:\s*(?:and|und)\b)?|,(?!\d)(?:\s*(?:and|und)\b)?|\s*[;•·]\s*"
)
_BETWEEN_LINKS: Final = re.compile(r"\s*(?:,?\s*(?:and|und|&)|/|\n)\s*\Z")
_DAY: Final = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
    r" \d{1,2}\Z"
)
_OPEN: Final = re.compile(r"[()]")


@dataclass(frozen=True, slots=True)
class Member:
    """One value: its words, the link targets in it as written, and its reference note."""

    text: str
    targets: tuple[str, ...]
    note: str


@dataclass(frozen=True, slots=True)
class Infobox:
    """`kind` is the template's name in lower case without "infobox"; `raw` is unsplit text."""

    kind: str
    parameters: tuple[tuple[str, tuple[Member, ...]], ...]
    raw: dict[str, str]


@dataclass(slots=True)
class _Draft:
    """A member being read."""

    parts: list[str] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def member(self) -> Member:
        text = " ".join("".join(self.parts).split()).strip(" ,;")
        return Member(text, tuple(self.targets), "; ".join(self.notes))


def read_infobox(code: Wikicode, namespaces: Namespaces) -> Infobox | None:
    """The first infobox (or taxobox) at the top level of a page, or None."""
    for node in code.nodes:
        if isinstance(node, Template):
            kind = _kind(template_name(node))
            if kind is not None:
                return _read(kind, node, namespaces)
    return None


def _kind(name: str) -> str | None:
    if name.startswith("infobox ") and len(name) > len("infobox "):
        return name.removeprefix("infobox ")
    if name.endswith(" infobox"):
        return name.removesuffix(" infobox")
    return name if name in _BOXES else None


def _read(kind: str, template: Template, namespaces: Namespaces) -> Infobox:
    parameters: dict[str, tuple[Member, ...]] = {}
    raw: dict[str, str] = {}
    for parameter in template.params:
        name = "_".join(str(parameter.name).strip().lower().split())
        if parameter.showkey and name:
            parameters[name] = members(parameter.value, namespaces)
            raw[name] = str(parameter.value).strip()
    return Infobox(kind, tuple(parameters.items()), raw)


def members(value: Wikicode, namespaces: Namespaces) -> tuple[Member, ...]:
    """Split a value at commas, line breaks, list items and list templates.

    A comma inside a number, a link, or parentheses splits nothing; " and " splits only between
    two links. A note that stands once, after the last member, belongs to every member.
    """
    drafts = [_Draft()]
    _collect(value, drafts, namespaces)
    found = [member for member in (draft.member() for draft in drafts) if member.text]
    if found and found[-1].note and not any(member.note for member in found[:-1]):
        note = found[-1].note
        found = [Member(member.text, member.targets, note) for member in found]
    return tuple(found)


def _collect(code: Wikicode, drafts: list[_Draft], namespaces: Namespaces) -> None:
    for index, node in enumerate(code.nodes):
        if isinstance(node, Text):
            _add_text(str(node.value), drafts, between=_is_between_links(code, index))
        elif isinstance(node, Wikilink):
            _add_link(node, drafts, namespaces)
        elif isinstance(node, Tag):
            _add_tag(node, drafts, namespaces)
        elif isinstance(node, Template):
            _add_template(node, drafts, namespaces)
        elif isinstance(node, HTMLEntity):
            drafts[-1].parts.append(node.normalize())
        elif isinstance(node, ExternalLink):
            drafts[-1].parts.append(str(node.title or ""))
        elif isinstance(node, Comment):
            continue


def _is_between_links(code: Wikicode, index: int) -> bool:
    nodes = code.nodes
    return (
        0 < index < len(nodes) - 1
        and isinstance(nodes[index - 1], Wikilink)
        and isinstance(nodes[index + 1], Wikilink)
    )


def _add_text(text: str, drafts: list[_Draft], *, between: bool) -> None:
    if between and _BETWEEN_LINKS.match(text):
        drafts.append(_Draft())
        return
    start = 0
    for match in _COMMA.finditer(text):
        before = "".join(drafts[-1].parts) + text[start : match.start()]
        if _depth(before) == 0 and not _DAY.search(before):
            drafts[-1].parts.append(text[start : match.start()])
            drafts.append(_Draft())
            start = match.end()
    drafts[-1].parts.append(text[start:])


def _depth(text: str) -> int:
    depth = 0
    for bracket in _OPEN.findall(text):
        depth = max(0, depth + (1 if bracket == "(" else -1))
    return depth


def _add_link(node: Wikilink, drafts: list[_Draft], namespaces: Namespaces) -> None:
    target = str(node.title).strip()
    title = namespaces.title(target)
    if title.namespace in (FILE, CATEGORY) and not target.startswith(":"):
        return
    words = target if node.text is None else str(node.text.strip_code())
    drafts[-1].parts.append(words.removeprefix(":").replace("_", " "))
    if title.name:
        drafts[-1].targets.append(target)


def _add_tag(node: Tag, drafts: list[_Draft], namespaces: Namespaces) -> None:
    name = str(node.tag).strip().lower()
    if name == "ref":
        note = str(node.contents.strip_code()).strip() if node.contents is not None else ""
        if note:
            # A reference follows its value, so one after a separator belongs to the value before.
            owner = drafts[-1] if drafts[-1].member().text or len(drafts) == 1 else drafts[-2]
            owner.notes.append(" ".join(note.split()))
        return
    if name in {"br", "li", "dd", "dt", "hr"}:
        drafts.append(_Draft())
    if node.contents is not None and not node.self_closing:
        _collect(node.contents, drafts, namespaces)


def _add_template(node: Template, drafts: list[_Draft], namespaces: Namespaces) -> None:
    if template_name(node) in LIST_TEMPLATES:
        for parameter in node.params:
            if not parameter.showkey:
                drafts.append(_Draft())
                _collect(parameter.value, drafts, namespaces)
        drafts.append(_Draft())
        return
    words = inline_text(node)
    if words is not None:
        drafts[-1].parts.append(words)
        if template_name(node) in {"flag", "flagcountry"}:
            drafts[-1].targets.append(words)
