"""Infobox values as facts: one per member, normalised, with the sentence that states it."""

import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from hopsight.types import Evidence, Fact
from hopsight.wiki.alignment import align
from hopsight.wiki.infobox import Infobox, Member
from hopsight.wiki.numbers import quantity
from hopsight.wiki.places import Mention, Sentence, Wanted, sentence
from hopsight.wiki.titles import Resolved
from hopsight.wiki.wikitext import ParsedPage

MAX_VALUE: Final = 200
"""Characters; a longer infobox value is a text, not a value."""

_NO_VALUE: Final = re.compile(
    r"auto|capital|[Nn]one|n/a|N/A|TB[AD]|[Yy]es|no|[–—-]"
    r"|.*\.(?i:svg|png|jpe?g|gif|tiff?|webp|ogg|ogv|wav|mid)"
)
"""What states nothing: a parameter left open, a switch, `capital` for the largest city, a file."""

_PRESENTATION: Final = re.compile(
    r"(?:name|title|image|caption|alt|logo|signature|website|url|footnotes?|coordinates|coords?|coor"
    r"|coat_of_arms|native_name|native_name_lang|other_names|embed|module|colou?rs?|bodyclass|child"
    r"|pronunciation|(?:lat|long)[dmsnew]+|established_event|border|common_name|conventional_long_name|cover|background|homepage"
    r"|references|unit_pref|(?:metric|imperial)_unit|status_system|subdivision_ranks|italic_title"
    r"|(?:club|bridge_|ship_|building_|station_|show_|park_|museum_|company_)name|visitation_year"
    r"|(?:postal_code|area_code|languages|total|symbol|cor|sovereignty)[_-]type"
    r"|(?:prev|next)_(?:title|year)|(?:pattern|leftarm|rightarm|body|shorts|socks)(?:_.*|\d.*)"
    r"|(?:image|map|pushpin|caption|logo|module|photo|footnote|blank|subdivision_type|leader_title)"
    r"(?:_.*|\d.*|map.*)?"
    r"|(?:gdp|hdi|gini|population|ethnic|religion).*year"
    r"|(?:flag|seal|shield|emblem|symbol|signature|coat|patch|cover|picture|ship_image)_?size"
    r"|.*(?:link|_change|_format|refname)|alt_.*"
    r"|.*[_-](?:caption|alt|ref|footnotes?|image|link|title|map|upright|label|lang|rank|event"
    r"|as_of)"
    r")\d*"
)
"""Parameters that steer the display or label another one; they state nothing themselves."""


@dataclass(frozen=True, slots=True)
class PageContext:
    """The page whose facts are read."""

    page_id: int
    title: str
    revision: int


Resolver = Callable[[str], Resolved]


@dataclass(frozen=True, slots=True)
class ReadFacts:
    """Facts, and what was left out: reason → the parameters or targets concerned."""

    facts: tuple[Fact, ...]
    left_out: dict[str, tuple[str, ...]]


def read_facts(context: PageContext, parsed: ParsedPage, resolve: Resolver) -> ReadFacts:
    """Facts of one page, in the infobox's order, each (attribute, value) once.

    A value that links to no article stays a fact without `value_page`. Parameters that only
    steer the display (image, caption, map, …) are no facts and are not reported.
    """
    if parsed.infobox is None:
        return ReadFacts((), {})
    left_out: dict[str, list[str]] = defaultdict(list)
    wanted = _wanted(parsed.infobox, parsed.text, resolve, left_out)
    sentences = prepared_sentences(parsed, resolve)
    stated = align(sentences, [want for want, _ in wanted], _bare(context.title))
    facts: dict[tuple[str, str, int | None], Fact] = {}
    for (want, note), found in zip(wanted, stated, strict=True):
        key = (want.attribute, want.value, want.page_id)
        facts.setdefault(key, _fact(context, want, note, found))
    return ReadFacts(tuple(facts.values()), {k: tuple(v) for k, v in left_out.items()})


def prepared_sentences(parsed: ParsedPage, resolve: Resolver) -> tuple[Sentence, ...]:
    """The page's sentences with their links resolved, ready for alignment."""
    by_start: dict[int, list[Mention]] = defaultdict(list)
    for link in parsed.links:
        target = resolve(link.target).page_id
        end = link.anchor_start + len(link.anchor)
        by_start[link.start].append(Mention(target, link.anchor_start, end))
    return tuple(
        sentence(number, parsed.text, start, end, by_start.get(start, ()))
        for number, (start, end) in enumerate(parsed.sentences)
    )


def _bare(title: str) -> str:
    """The title without the parenthesis that tells it from namesakes."""
    return title[: title.rindex(" (")] if title.endswith(")") and " (" in title else title


def _wanted(
    infobox: Infobox, text: str, resolve: Resolver, left_out: dict[str, list[str]]
) -> list[tuple[Wanted, str]]:
    found = []
    for attribute, members in infobox.parameters:
        if _PRESENTATION.fullmatch(attribute):
            continue
        if not members and infobox.raw.get(attribute):
            left_out["unreadable_value"].append(attribute)
        unit = "_" + infobox.raw.get("metric_unit", "cm") if attribute.endswith("_metric") else ""
        for member in _rejoined(members, text):
            if _NO_VALUE.fullmatch(member.text):
                continue
            if len(member.text) > MAX_VALUE:
                left_out["value_too_long"].append(attribute)
                continue
            page_id = _value_page(member, resolve, left_out)
            amount = None
            if page_id is None:
                comma = infobox.decimal_comma
                amount = quantity(attribute + unit, member.text, decimal_comma=comma)
            found.append((Wanted(attribute, member.text, page_id, amount), member.note))
    return found


def _rejoined(members: tuple[Member, ...], text: str) -> list[Member]:
    """Put plain members together again where the prose shows that their comma joins one name.

    "Cambridge, Massachusetts" is one value if the page says just that; in a list the prose would
    go on with "and" or another comma.
    """
    runs: list[list[Member]] = []
    for member in members:
        if runs and not member.targets and not runs[-1][-1].targets:
            runs[-1].append(member)
        else:
            runs.append([member])
    found: list[Member] = []
    for run in runs:
        joined = ", ".join(member.text for member in run)
        if len(run) > 1 and joined in text and _is_one_name(joined, text):
            found.append(Member(joined, (), run[0].note))
        else:
            found.extend(run)
    return found


def _is_one_name(joined: str, text: str) -> bool:
    pattern = rf"(?<!, )(?<!\w){re.escape(joined)}(?!\w|,| and | or )"
    return re.search(pattern, text) is not None


def _value_page(member: Member, resolve: Resolver, left_out: dict[str, list[str]]) -> int | None:
    for target in member.targets:
        resolved = resolve(target)
        if resolved.page_id is not None:
            return resolved.page_id
        left_out["value_" + resolved.reason].append(target)
    return None


def _fact(context: PageContext, wanted: Wanted, note: str, found: Sentence | None) -> Fact:
    evidence = None
    if found is not None:
        evidence = Evidence(
            page_id=context.page_id,
            title=context.title,
            revision=context.revision,
            start=found.start,
            end=found.end,
            sentence=found.text,
        )
    return Fact(
        page_id=context.page_id,
        attribute=wanted.attribute,
        value=wanted.value,
        value_page=wanted.page_id,
        number=None if wanted.quantity is None else wanted.quantity.number,
        unit=None if wanted.quantity is None else wanted.quantity.unit,
        evidence=evidence,
        note=note,
    )
