"""What is claimed of each monument: a table made by hand, and held against the packages' words.

The table (`monuments.csv`) holds names, years and places, no sentences. A claim that the texts of
its monument do not bear out is an error, so nothing enters the world that the packages do not say.
"""

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from examples.monuments.boards import Monument
from examples.monuments.leads import Lead, Leads
from hopsight.errors import SourceError

TABLE: Final = Path(__file__).parent / "monuments.csv"

_COUNTRY_OF_FOLDER: Final = MappingProxyType(
    {
        "egypt": "Egypt",
        "france": "France",
        "germany": "Germany",
        "india": "India",
        "usa": "United States",
    }
)
"""The country that a whole board of monuments is about."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One row of the table: everything but the title may be empty. Years are of our era."""

    key: str
    title: str
    lead: str
    the: bool
    plural: bool
    infobox: str
    kind: str
    city: str
    country: str
    started: str
    completed: str
    height_m: str
    names: tuple[str, ...]

    @property
    def subject(self) -> str:
        """How a sentence names the monument."""
        name = bare(self.title)
        return f"the {name}" if self.the else name


@dataclass(frozen=True, slots=True)
class Checked:
    """A monument with its claims, all borne out, and the lead of its article if there is one."""

    claim: Claim
    monument: Monument
    lead: Lead | None


def bare(title: str) -> str:
    """A title without what only tells it from namesakes: `Worms, Germany` → `Worms`."""
    return re.sub(r" \([^)]*\)$|, .*$", "", title)


def read_claims(path: Path = TABLE) -> tuple[Claim, ...]:
    """The rows of the table."""
    with path.open(encoding="utf-8", newline="") as stream:
        return tuple(
            Claim(
                **{name: value for name, value in row.items() if name not in {"article", "names"}},
                the=row["article"].startswith("the"),
                plural=row["article"] == "the plural",
                names=tuple(name for name in row["names"].split(";") if name),
            )
            for row in csv.DictReader(stream)
        )


def checked(
    claims: tuple[Claim, ...], monuments: tuple[Monument, ...], leads: Leads
) -> tuple[Checked, ...]:
    """Each monument with its claims. Raises SourceError for what the packages do not bear out."""
    by_key = {monument.key: monument for monument in monuments}
    keys = {claim.key for claim in claims}
    if keys != by_key.keys():
        odd = ", ".join(sorted(keys ^ by_key.keys()))
        raise SourceError(f"monuments.csv and the photographs differ in {odd}", "mend the table")
    found = []
    for claim in claims:
        lead = leads.by_title.get(claim.lead) if claim.lead else None
        each = Checked(claim, by_key[claim.key], lead)
        wrong = unsupported(each)
        if wrong:
            raise SourceError(
                f"the packages do not say of {claim.title}: {', '.join(wrong)}",
                "take it out of monuments.csv",
            )
        found.append(each)
    return tuple(found)


def unsupported(each: Checked) -> list[str]:
    """The claims that the monument's own texts do not hold, as `attribute value`.

    The country may also follow from the board, which shows the monuments of one country.
    """
    claim = each.claim
    words = texts(each)
    country = _COUNTRY_OF_FOLDER.get(claim.key.partition("/")[0])
    stated: Mapping[str, str] = {
        "kind": claim.kind,
        "city": bare(claim.city),
        "country": "" if claim.country == country else claim.country,
        "started": claim.started,
        "completed": claim.completed,
        "height_m": claim.height_m,
        "title": bare(claim.title),
    }
    wrong = [f"{name} {value}" for name, value in stated.items() if not says(words, value)]
    wrong += [f"name {name}" for name in claim.names if not says(words, name)]
    return wrong + (["lead " + claim.lead] if claim.lead and each.lead is None else [])


def texts(each: Checked) -> str:
    """All that the packages say of a monument."""
    lead = "" if each.lead is None else f"{each.lead.description}\n{each.lead.extract}"
    return f"{each.monument.name}\n{each.monument.description}\n{lead}"


def says(words: str, value: str) -> bool:
    """Whether a value stands in a text as whole words, in any case."""
    pattern = rf"(?<!\w){re.escape(value)}(?:s|es)?(?!\w)"
    return re.search(pattern, words, re.IGNORECASE) is not None
