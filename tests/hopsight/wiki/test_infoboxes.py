"""Facts of infoboxes of many kinds, as pages write them, against what a reader of them wrote down.

`infoboxes.txt` holds both: its head tells its form.
"""

from dataclasses import dataclass
from pathlib import Path

import pytest

from hopsight.types import Fact
from hopsight.wiki.dump import SiteInfo
from hopsight.wiki.facts import PageContext, read_facts
from hopsight.wiki.titles import Namespaces, Resolved
from hopsight.wiki.wikitext import parse_page

SPACES = Namespaces(SiteInfo())
FIXTURE = Path(__file__).with_name("infoboxes.txt")

Row = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Section:
    """One infobox: its kind, its wikitext and the facts expected of it."""

    kind: str
    wikitext: str
    expected: frozenset[Row]


def read_sections(text: str) -> list[Section]:
    sections = []
    for block in text.split("\n# ")[1:]:
        head, _, rows = block.partition("\n->\n")
        kind, _, wikitext = head.partition("\n")
        expected = frozenset(_row(line) for line in rows.splitlines() if line.strip())
        sections.append(Section(kind, wikitext, expected))
    return sections


def _row(line: str) -> Row:
    attribute, value, amount, page = (*(part.strip() for part in line.split(" | ")), "-", "-")[:4]
    return attribute, value, amount, page


def read_rows(section: Section) -> frozenset[Row]:
    """What our reader makes of a section. Every title has a page."""
    titles: list[str] = []

    def resolve(target: str) -> Resolved:
        titles.append(SPACES.title(target).name)
        return Resolved(len(titles), "")

    parsed = parse_page("Subject", section.wikitext, SPACES)
    assert parsed.infobox is not None, section.kind
    assert parsed.infobox.kind == section.kind
    facts = read_facts(PageContext(99, "Subject", 1), parsed, resolve).facts
    return frozenset(_told(fact, titles) for fact in facts)


def _told(fact: Fact, titles: list[str]) -> Row:
    amount = "-" if fact.number is None else f"{fact.number:.10g} {fact.unit}"
    page = "-" if fact.value_page is None else titles[fact.value_page - 1]
    return fact.attribute, fact.value, amount, page


SECTIONS = read_sections(FIXTURE.read_text(encoding="utf-8"))


def test_the_fixture_covers_many_kinds():
    assert len({section.kind for section in SECTIONS}) >= 30
    assert sum(len(section.expected) for section in SECTIONS) >= 300


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.kind)
def test_every_fact_of_the_infobox_is_read_and_none_is_made_up(section):
    rows = read_rows(section)

    assert (section.expected - rows, rows - section.expected) == (frozenset(), frozenset())
