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

from hopsight.wiki.templates import (
    FLAGS,
    LIST_TEMPLATES,
    SEPARATORS,
    WRAPPERS,
    inline_text,
    template_name,
)
from hopsight.wiki.titles import CATEGORY, FILE, Namespaces

_BOXES: Final = frozenset(
    {"taxobox", "automatic taxobox", "speciesbox", "subspeciesbox", "chembox", "drugbox",
     "starbox", "geobox"}
)  # fmt: skip
BOX_START: Final = re.compile(
    r"\{\{\s*(?:infobox[ _]|[^{}|\n\[\]]*[ _]infobox\s*[|}]|"
    + "|".join(name.replace(" ", "[ _]") for name in sorted(_BOXES))
    + r")",
    re.IGNORECASE,
)
"""How an infobox begins."""

_COMMA: Final = re.compile(
    r"(?<!\d),(?:\s*(?:and|und)\b)?|,(?!\d)(?:\s*(?:and|und)\b)?|\s*[;•·]\s*"
)
_BETWEEN_LINKS: Final = re.compile(r"\s*(?:,?\s*(?:and|und|&)|/|\n)\s*\Z")
_DAY: Final = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
    r" \d{1,2}\Z"
)
_OPEN: Final = re.compile(r"[()]")


_LONGEST: Final = 20_000
"""Characters of a parameter; a longer one is a text, and slow to split where it is malicious."""

_FOOTNOTE: Final = re.compile(r"\[?(?:[a-z]|\*|†|note \d+)\]?")
"""What stands in `<sup>` to point below the box: a letter or a sign, no power."""

_NO_WORDS: Final = "\0"
"""Stands in a draft where a template gave no words."""

_EMPTIED: Final = re.compile(rf"\([^()]*{_NO_WORDS}[^()]*\)")
_ASIDE: Final = re.compile(r"(?<=.)\([^()]*\)\s*\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Member:
    """One value: its words, the targets of the links that are this value, its reference note.

    A link is the value if it makes up most of it, a remark in brackets aside: the United States
    dollar is not what "US$ 394 billion" is, nor the year of a prize the prize.
    """

    text: str
    targets: tuple[str, ...]
    note: str


@dataclass(frozen=True, slots=True)
class Infobox:
    """`kind` is the template's name in lower case without "infobox"; `raw` is unsplit text.

    `decimal_comma` says how its numbers are written.
    """

    kind: str
    parameters: tuple[tuple[str, tuple[Member, ...]], ...]
    raw: dict[str, str]
    decimal_comma: bool = False


@dataclass(slots=True)
class _Draft:
    """A member being read."""

    parts: list[str] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def member(self) -> Member:
        words = _EMPTIED.sub("", "".join(self.parts)).replace(_NO_WORDS, "")
        text = " ".join(words.split()).strip(" ,;")
        core = _core(text)
        anchors = ((target, _core(" ".join(anchor.split()))) for target, anchor in self.links)
        targets = (
            target
            for target, anchor in anchors
            if anchor in core and 2 * _letters(anchor) > _letters(core)
        )
        return Member(text, tuple(targets), "; ".join(self.notes))


def _core(text: str) -> str:
    """The text without remarks in brackets at its end."""
    while (shorter := _ASIDE.sub("", text)) != text:
        text = shorter
    return text


def _letters(text: str) -> int:
    return sum(character.isalnum() for character in text)


def read_infobox(code: Wikicode, namespaces: Namespaces) -> Infobox | None:
    """The first infobox (or taxobox) at the top level of a page, or None.

    A box in several templates (`Infobox ship begin`, `Infobox ship career`, …) is read as one;
    so are boxes set into it as a module.
    """
    boxes: list[tuple[str, Template]] = []
    for node in code.nodes:
        if isinstance(node, Template):
            kind = infobox_kind(template_name(node))
            if kind is not None and (not boxes or _continues(boxes[0][0], kind)):
                boxes.append((kind, node))
    if not boxes:
        return None
    box = Infobox(boxes[0][0], (), {}, namespaces.decimal_comma)
    for _, template in boxes:
        box = _read(box, template, namespaces)
    return box


def _continues(first: str, kind: str) -> bool:
    return first.endswith(" begin") and kind.split()[0] == first.split()[0]


def infobox_kind(name: str) -> str | None:
    """What kind of infobox a template of that name is; None for any other template."""
    if name.startswith("infobox ") and len(name) > len("infobox "):
        return name.removeprefix("infobox ")
    if name.endswith(" infobox"):
        return name.removesuffix(" infobox")
    return name if name in _BOXES else None


def _read(box: Infobox, template: Template, namespaces: Namespaces) -> Infobox:
    """The box with the parameters of one more template; the first of a name stays."""
    parameters = dict(box.parameters)
    raw = dict(box.raw)
    modules: list[Template] = []
    for parameter in template.params:
        name = "_".join(str(parameter.name).strip().lower().split())
        if not parameter.showkey or not name:
            continue
        inner = [node for node in parameter.value.nodes if isinstance(node, Template)]
        set_in = [node for node in inner if infobox_kind(template_name(node)) is not None]
        modules.extend(set_in)
        if not set_in and not parameters.get(name):
            raw[name] = str(parameter.value).strip()
            readable = len(raw[name]) <= _LONGEST
            parameters[name] = members(parameter.value, namespaces) if readable else ()
    found = Infobox(box.kind, tuple(parameters.items()), raw, box.decimal_comma)
    for module in modules:
        found = _read(found, module, namespaces)
    return found


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
    if between and _BETWEEN_LINKS.match(text) and _depth("".join(drafts[-1].parts)) == 0:
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
    words = words.removeprefix(":").replace("_", " ")
    drafts[-1].parts.append(words)
    if title.name:
        drafts[-1].links.append((target, words))


def _add_tag(node: Tag, drafts: list[_Draft], namespaces: Namespaces) -> None:
    name = str(node.tag).strip().lower()
    if name == "ref":
        note = str(node.contents.strip_code()).strip() if node.contents is not None else ""
        if note:
            # A reference follows its value, so one after a separator belongs to the value before.
            owner = drafts[-1] if drafts[-1].member().text or len(drafts) == 1 else drafts[-2]
            owner.notes.append(" ".join(note.split()))
        return
    if name == "sup" and _FOOTNOTE.fullmatch(str(node.contents or "").strip()):
        return
    if name in {"br", "li", "dd", "dt", "hr"}:
        drafts.append(_Draft())
    if node.contents is not None and not node.self_closing:
        _collect(node.contents, drafts, namespaces)


def _add_template(node: Template, drafts: list[_Draft], namespaces: Namespaces) -> None:
    name = template_name(node)
    if name in LIST_TEMPLATES:
        for parameter in node.params:
            if not parameter.showkey:
                drafts.append(_Draft())
                _collect(parameter.value, drafts, namespaces)
        drafts.append(_Draft())
        return
    if name in SEPARATORS:
        drafts.append(_Draft())
        return
    if name in WRAPPERS:
        unnamed = [parameter for parameter in node.params if not parameter.showkey]
        if len(unnamed) > max(0, WRAPPERS[name]):
            _collect(unnamed[WRAPPERS[name]].value, drafts, namespaces)
        return
    words = inline_text(node)
    drafts[-1].parts.append(_NO_WORDS if words is None else words)
    if words is not None and name in FLAGS:
        drafts[-1].links.append((words, words))
