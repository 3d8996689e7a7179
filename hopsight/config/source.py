"""Where a round's wiki comes from, and how much of a large one is read closely."""

from pathlib import Path
from typing import Literal, Self

from pydantic import Field, model_validator

from hopsight.config.api import ApiSource
from hopsight.config.section import Count, Section


class SelectConfig(Section):
    """Which pages of a large wiki are read closely; every page is scanned for titles and links."""

    all_below: Count = Field(
        20_000, description="A wiki of at most so many articles is read whole [ours]."
    )
    walks: Count = Field(
        2_000, description="Walks drawn for each stratum over the link graph of a larger wiki."
    )
    max_pages: Count = Field(
        20_000,
        description="Most pages read closely: those on walks and, so that uniqueness can be "
        "checked, every page that links to one of them [ours].",
    )
    max_neighbours: Count = Field(
        300, description="Most pages around a page of a walk; with more the walk is left [ours]."
    )


class SourceConfig(Section):
    """Where the wiki comes from."""

    kind: Literal["mini", "dump", "api"] = Field(
        "mini",
        description="mini: the world that ships with Hopsight. dump: a MediaWiki export. api: any "
        "MediaWiki, crawled from some of its pages.",
    )
    version: str = Field(
        "", max_length=100, description="A name for this state of the wiki, told in the card."
    )
    dump: Path | None = Field(
        None,
        description="The pages-articles XML (plain, .bz2 or .zst) or a folder of its parts; needed "
        "for kind dump.",
    )
    sql: Path | None = Field(
        None,
        description="A folder with the same dump's page, redirect, linktarget and pagelinks SQL "
        "files; in-degrees then count these links.",
    )
    pictures: Path | None = Field(
        None, description="A folder with the dump's pictures and their pictures.jsonl."
    )
    api: ApiSource | None = Field(
        None, description="Which wiki is crawled and how far; needed for kind api."
    )
    select: SelectConfig = Field(
        default_factory=SelectConfig, description="How much of a large wiki is read closely."
    )

    @model_validator(mode="after")
    def _what_the_kind_needs(self) -> Self:
        if self.kind == "dump" and self.dump is None:
            raise ValueError("kind dump needs the key dump: the path of an XML export")
        if self.kind == "api" and self.api is None:
            raise ValueError("kind api needs the key api: base_url, contact, and seeds or search")
        foreign = {
            "mini": ("dump", "sql", "pictures", "api"),
            "dump": ("api",),
            "api": ("dump", "sql", "pictures"),
        }[self.kind]
        given = [name for name in foreign if getattr(self, name) is not None]
        if given:
            raise ValueError(
                f"kind {self.kind} takes no {' and no '.join(given)}; set kind to what they are of"
            )
        return self
