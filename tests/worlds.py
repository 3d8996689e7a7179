"""Small worlds made from a few lines of facts, read through the real snapshot."""

import hashlib
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from PIL import Image

from hopsight.types import (
    Alias,
    Domain,
    Evidence,
    Fact,
    ImageRef,
    Link,
    Page,
    PageImage,
)
from hopsight.wiki.snapshot import Snapshot
from hopsight.wiki.tables import SnapshotTables

Value = str | int | float
UNITS = ("km2", "km", "cm", "kg", "m")
DOMAINS = {
    "person": Domain.PERSON,
    "building": Domain.BUILDING,
    "artwork": Domain.ARTIFACT,
    "book": Domain.ARTIFACT,
    "organism": Domain.ORGANISM,
}


@dataclass(frozen=True)
class Entity:
    """A page. A value that is the title of another entity becomes a link and a page value."""

    title: str
    infobox: str | None
    facts: Mapping[str, Value | Sequence[Value]] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    picture: bool = False
    picture_text: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    untold: frozenset[str] = frozenset()
    is_list: bool = False
    closed: bool = True


class Pictures:
    """The pictures of a world: a blank PNG for each page, told apart by one pixel."""

    def __init__(self, size: int = 512) -> None:
        self.size = size
        self.stored: dict[str, bytes] = {}

    def add(self, number: int) -> ImageRef:
        """A picture of its own for a page."""
        image = Image.new("RGB", (self.size, self.size), (255, 255, 255))
        image.putpixel((0, 0), (number % 256, number // 256 % 256, 7))
        out = io.BytesIO()
        image.save(out, "PNG")
        sha256 = hashlib.sha256(out.getvalue()).hexdigest()
        self.stored[sha256] = out.getvalue()
        return ImageRef(
            sha256=sha256,
            mime="image/png",
            width=self.size,
            height=self.size,
            source_url=f"https://example.org/{number}.png",
            license="CC0-1.0",
            author="nobody",
        )

    def bytes(self, sha256: str) -> bytes:
        """The bytes of a picture."""
        return self.stored[sha256]


def world(*entities: Entity, pictures: Pictures | None = None) -> Snapshot:
    """A snapshot in which every fact is told by a sentence, unless its attribute is `untold`."""
    pictures = pictures or Pictures()
    ids = {entity.title: number for number, entity in enumerate(entities, start=1)}
    pages, links, facts, images = [], [], [], []
    for entity in entities:
        page, own_links, own_facts = _page(entity, ids)
        pages.append(page)
        links += own_links
        facts += own_facts
        if entity.picture:
            images.append(
                PageImage(
                    page_id=page.page_id,
                    file=f"p{page.page_id}.png",
                    image=pictures.add(page.page_id),
                    visual_facts=(f"sign number {page.page_id}",),
                    text=entity.picture_text,
                )
            )
    in_degrees = {
        number: len({link.source for link in links if link.target == number})
        for number in ids.values()
    }
    pages = [page.model_copy(update={"in_degree": in_degrees[page.page_id]}) for page in pages]
    aliases = [
        Alias(page_id=ids[entity.title], name=name)
        for entity in entities
        for name in entity.aliases
    ]
    return Snapshot(
        SnapshotTables(
            pages=tuple(pages),
            links=tuple(links),
            aliases=tuple(aliases),
            facts=tuple(facts),
            images=tuple(images),
            rejected=(),
            entered=len(pages),
        )
    )


def _page(entity: Entity, ids: Mapping[str, int]) -> tuple[Page, list[Link], list[Fact]]:
    page_id = ids[entity.title]
    text = ""
    links: list[Link] = []
    facts: list[Fact] = []
    for attribute, values in entity.facts.items():
        for value in [values] if isinstance(values, str | int | float) else values:
            evidence = None
            if attribute not in entity.untold:
                words = attribute.replace("_", " ")
                evidence = _sentence(
                    entity, page_id, f"{entity.title} has {words} {value}.", len(text)
                )
                text += evidence.sentence + " "
                if str(value) in ids:
                    links.append(_link(evidence, ids[str(value)], str(value)))
            facts.append(_fact(page_id, attribute, value, ids, evidence))
    for title in entity.mentions:
        evidence = _sentence(entity, page_id, f"Compare {title}.", len(text))
        text += evidence.sentence + " "
        links.append(_link(evidence, ids[title], title))
    page = Page(
        page_id=page_id,
        title=entity.title,
        revision=page_id * 10,
        url=f"https://example.org/{page_id}",
        text=text,
        lead=text[:80],
        domain=None if entity.infobox is None else DOMAINS.get(entity.infobox, Domain.LOCATION),
        infobox=entity.infobox,
        is_disambiguation=False,
        is_list=entity.is_list,
        in_degree=0,
        closed=entity.closed,
    )
    return page, links, facts


def _sentence(entity: Entity, page_id: int, sentence: str, start: int) -> Evidence:
    return Evidence(
        page_id=page_id,
        title=entity.title,
        revision=page_id * 10,
        start=start,
        end=start + len(sentence),
        sentence=sentence,
    )


def _link(evidence: Evidence, target: int, anchor: str) -> Link:
    return Link(
        source=evidence.page_id,
        target=target,
        anchor=anchor,
        section="",
        sentence=evidence.sentence,
        start=evidence.start,
        end=evidence.end,
    )


def _fact(
    page_id: int,
    attribute: str,
    value: Value,
    ids: Mapping[str, int],
    evidence: Evidence | None,
) -> Fact:
    is_number = isinstance(value, int | float)
    suffix = attribute.rsplit("_", 1)[-1]
    unit = suffix if suffix in UNITS else "year"
    return Fact(
        page_id=page_id,
        attribute=attribute,
        value=str(value),
        value_page=ids.get(str(value)),
        number=float(value) if isinstance(value, int | float) else None,
        unit=unit if is_number else None,
        evidence=evidence,
        note="a reference book",
    )


def atlas(pictures: Pictures | None = None) -> Snapshot:
    """Nine made-up countries in a row with capitals, rivers and seas: enough for every stage."""
    entities = []
    names = "Alund Boria Cestan Dunmark Estova Farlin Gorvia Hestan Islund".split()
    for number, name in enumerate(names):
        neighbours = names[max(0, number - 1) : number] + names[number + 1 : number + 3]
        entities.append(
            Entity(
                name,
                "country",
                {
                    "capital": f"{name} City",
                    "borders": neighbours,
                    "area_km2": 1000 * (number + 2),
                    "driving_side": "left" if number % 3 == 0 else "right",
                    "calling_code": f"+9{number}{number + 1}",
                    "tld": f".{name[:2].lower()}{number}",
                },
                picture=True,
            )
        )
        entities.append(
            Entity(
                f"{name} City",
                "settlement",
                {
                    "country": name,
                    "river": f"{name} Water",
                    "founded": 1200 + 37 * number,
                },
                picture=True,
            )
        )
        entities.append(
            Entity(
                f"{name} Water",
                "river",
                {
                    "length_km": 210 + 55 * number,
                    "countries": [name],
                    "mouth": "Sunrise Sea" if number % 2 else "Sunset Sea",
                },
                aliases=(f"The {name}er",),
            )
        )
    for sea in ("Sunrise Sea", "Sunset Sea", "Middle Sea"):
        entities.append(Entity(sea, "body of water", {"kind": "sea"}))
    return world(*entities, pictures=pictures)
