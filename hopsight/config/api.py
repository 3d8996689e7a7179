"""What an API crawl is asked for: which wiki, where it starts, how far it goes, how politely."""

import re
from typing import Annotated, Final, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

_TITLE: Final = r"^[^\x00-\x1f\x7f#<>\[\]|{}]{1,255}$"
_HOST: Final = re.compile(r"(?=.{1,253}(?::|$))[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::[0-9]{1,5})?")
_CONTACT: Final = re.compile(r"[\x21-\x7e]*(?:@|://)[\x21-\x7e]+")

Title = Annotated[str, Field(pattern=_TITLE)]


def _api_address(value: str) -> str:
    """Only a plain http(s) address: what it says is what is asked, with nothing hidden in it."""
    try:
        parts = urlsplit(value)
        known = parts.scheme in ("http", "https") and parts.hostname is not None
        odd = "@" in parts.netloc or bool(parts.query or parts.fragment) or parts.port == 0
    except ValueError as error:
        raise ValueError(f"{value!r} is no address ({error})") from error
    if not known or odd or not value.isascii() or not value.isprintable() or " " in value:
        raise ValueError(f"{value!r} must be http(s)://host/…/api.php, without user or query")
    if not parts.path.endswith("/api.php"):
        raise ValueError(f"{value!r} does not end with /api.php, as a MediaWiki's API does")
    return value


def _contact(value: str) -> str:
    if not _CONTACT.fullmatch(value):
        raise ValueError("give an e-mail address or a URL under which the wiki can reach you")
    return value


def _host(value: str) -> str:
    if not _HOST.fullmatch(value):
        raise ValueError(f"{value!r} is no host name such as upload.wikimedia.org")
    return value


class ApiSource(BaseModel):
    """An ego crawl of a MediaWiki. Everything but the politeness decides what comes out."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    base_url: Annotated[str, AfterValidator(_api_address)] = Field(
        description="The wiki's API, e.g. https://en.wikipedia.org/w/api.php."
    )
    contact: Annotated[str, Field(max_length=200), AfterValidator(_contact)] = Field(
        description="E-mail address or URL, sent with every request so that the wiki can reach you."
    )
    seeds: tuple[Title, ...] = Field((), description="Titles that the crawl starts from.")
    search: tuple[Annotated[str, Field(min_length=1, max_length=300)], ...] = Field(
        (), description="Texts to search for; the pages found are seeds, after those named."
    )
    seeds_per_search: Annotated[int, Field(ge=1, le=500)] = Field(
        10, description="Pages taken of each search."
    )
    hops: Annotated[int, Field(ge=0, le=32)] = Field(
        2, description="How many links away from a seed a page may lie."
    )
    max_pages: Annotated[int, Field(ge=1, le=500_000)] = Field(
        2_000, description="Most articles; redirects to them come on top."
    )
    links: Literal["text", "listed"] = Field(
        "text",
        description="Which links are followed. text: those that an article's own prose and infobox"
        " name. listed: all that the wiki lists, those made by templates included; one more"
        " request for each page.",
    )
    redirects_per_page: Annotated[int, Field(ge=0, le=5_000)] = Field(
        200, description="Most redirects that are fetched as other names of one page."
    )
    pictures: bool = Field(default=True, description="Whether the articles' pictures are fetched.")
    picture_hosts: tuple[Annotated[str, AfterValidator(_host)], ...] = Field(
        (),
        description="Hosts other than the wiki's own that pictures may come from, e.g."
        " upload.wikimedia.org.",
    )
    max_picture_px: Annotated[int, Field(ge=64, le=6_000)] = Field(
        1_280,
        description="Longest side; a larger picture is fetched scaled down, if the wiki can.",
    )
    max_picture_bytes: Annotated[int, Field(ge=1_024, le=64 * 1024 * 1024)] = Field(
        16 * 1024 * 1024, description="A larger file is not fetched."
    )
    max_page_bytes: Annotated[int, Field(ge=1_024, le=4_000_000)] = Field(
        2_097_152, description="A page with more wikitext is not fetched."
    )
    concurrency: Annotated[int, Field(ge=1, le=16)] = Field(
        2, description="Requests under way at once."
    )
    maxlag: Annotated[int, Field(ge=1, le=60)] = Field(
        5, description="Seconds of replication lag above which the wiki shall make us wait."
    )
    timeout_s: Annotated[float, Field(gt=0, le=600)] = Field(
        30.0, description="Seconds to wait for an answer."
    )
    retries: Annotated[int, Field(ge=0, le=20)] = Field(
        6, description="How often a request is repeated that the wiki was too busy for."
    )
    max_wait_s: Annotated[float, Field(gt=0, le=3_600)] = Field(
        120.0, description="Longest pause the wiki may ask for; beyond it the crawl stops."
    )

    @model_validator(mode="after")
    def _starts_somewhere(self) -> Self:
        if not self.seeds and not self.search:
            raise ValueError("name at least one title in seeds, or a text in search")
        return self

    def decides(self) -> dict[str, object]:
        """What decides the bytes of a crawl: all but contact, concurrency and patience."""
        polite = {"contact", "concurrency", "maxlag", "timeout_s", "retries", "max_wait_s"}
        return self.model_dump(mode="json", exclude=polite)
