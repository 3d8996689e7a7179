"""Records of the wiki snapshot."""

from enum import StrEnum
from typing import ClassVar, Literal

from pydantic import Field

from hopsight.types.base import Part, Record, Sha256


class Domain(StrEnum):
    """The five strata that seeds are drawn from [OpenSearch-VL]."""

    PERSON = "person"
    BUILDING = "building"
    LOCATION = "location"
    ORGANISM = "organism"
    ARTIFACT = "artifact"


class Evidence(Part):
    """A sentence of a page's plain text. `start`/`end` are character offsets into `Page.text`."""

    page_id: int
    title: str
    revision: int
    start: int
    end: int
    sentence: str


class Page(Record):
    """One article. `text` is its plain text; evidence spans are offsets into it.

    `closed` says whether every article that links to the page is in the snapshot too: true of
    all pages of a wholly read wiki, and of some pages of a selection.
    """

    kind: ClassVar[str] = "page"
    schema_version: ClassVar[int] = 2
    page_id: int
    title: str
    revision: int
    url: str
    text: str
    lead: str
    domain: Domain | None
    infobox: str | None
    is_disambiguation: bool
    is_list: bool
    in_degree: int
    closed: bool = True


class Link(Record):
    """A link in prose from page to page, redirects resolved. Offsets are those of the sentence."""

    kind: ClassVar[str] = "link"
    source: int
    target: int
    anchor: str
    section: str
    sentence: str
    start: int
    end: int


class Alias(Record):
    """Another name of a page: a redirect's title or a bold name in its lead."""

    kind: ClassVar[str] = "alias"
    page_id: int
    name: str


class Fact(Record):
    """An infobox value of a page, with the prose sentence that states it where one does.

    `number`/`unit` are set for quantities and years (unit "year"); `value_page` where the value
    is another page. A list in an infobox gives one fact per member. `note` is the reference.
    """

    kind: ClassVar[str] = "fact"
    page_id: int
    attribute: str
    value: str
    value_page: int | None
    number: float | None
    unit: str | None
    evidence: Evidence | None
    note: str


class ImageRef(Part):
    """A picture, by the hash of its bytes; the bytes lie in the image store. Sizes in pixels."""

    sha256: Sha256
    mime: Literal["image/png", "image/jpeg", "image/webp"]
    width: int
    height: int
    source_url: str
    license: str
    author: str


class PageImage(Record):
    """A picture on a page. `visual_facts` and `text` are what looking at it makes certain.

    `place` is its place among the page's pictures: 0 for the one that the page leads with.
    """

    kind: ClassVar[str] = "pageimage"
    schema_version: ClassVar[int] = 2
    page_id: int
    file: str
    place: int = Field(default=0, ge=0)
    image: ImageRef
    visual_facts: tuple[str, ...]
    text: tuple[str, ...]
