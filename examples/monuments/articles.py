"""Articles of the world as wikitext: an infobox, the packages' own words, and stated facts.

Each fact of an infobox is also said by a sentence under "Facts", so that it has its evidence.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from examples.monuments.claims import Checked, bare
from examples.monuments.countries import Country
from examples.monuments.facts import (
    Stated,
    named,
    of_city,
    of_country,
    of_monument,
    of_water,
    sights,
    waters,
)
from examples.monuments.leads import Lead
from examples.monuments.plan import CityPlan
from examples.monuments.waters import Water, WaterClaim
from examples.monuments.wikitext import (
    bold_first,
    country,
    escape,
    infobox,
    link,
    linked,
    sentence,
)


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes the articles.

    `names` gives the pages that prose may mention by their names, `pictures` the file of each
    page, `sights` the monuments of a place, `outlines` the page of a country's outline, `waters`
    the rivers, lakes and seas of a country or of a city, and what flows into another water.
    """

    names: Mapping[str, str]
    pictures: Mapping[str, str]
    sights: Mapping[str, Sequence[Checked]]
    outlines: Mapping[str, str]
    waters: Mapping[str, Sequence[WaterClaim]]

    def monument(self, each: Checked) -> str:
        """A monument: what it is, where it stands, when it was built."""
        claim, done = each.claim, set[str]()
        place = country(claim.country)
        place = f"{link(claim.city)}, {place}" if claim.city else place
        instead = f"{claim.subject} {'are' if claim.plural else 'is'} a sight of {place}"
        lead = self._lead(claim.title, each.lead, instead, done)
        description = linked(each.monument.description, self.names, claim.title, done)
        said = tuple(of_monument(claim))
        sections = [("Description", description), ("Facts", _facts(said))]
        return self._page(claim.title, claim.infobox, said, lead, sections)

    def country(self, each: Country, borders: Sequence[str]) -> str:
        """A country with what the table says of it."""
        title, name = each.title, named(each.title)
        said = tuple(of_country(each, borders, self.outlines.get(title, "")))
        lead = self._lead(title, each.lead, f"{name} is a country or territory", set())
        facts = _facts(said, [*self._sights(title, name), *self._waters(title, name)])
        return self._page(title, "country", said, lead, [("Facts", facts)])

    def city(self, plan: CityPlan) -> str:
        """A city: the country that it lies in, and whether it is a capital."""
        title, name = plan.title, bare(plan.title)
        said = tuple(of_city(title, plan.country, self.waters.get(title, ())))
        more = [f"{name} is the capital of {country(each)}" for each in plan.capital_of]
        instead = f"{name} is a place in {country(plan.country)}"
        lead = self._lead(title, plan.lead, instead, set())
        facts = _facts(said, [*more, *self._sights(title, name)])
        return self._page(title, "settlement", said, lead, [("Facts", facts)])

    def water(self, each: Water) -> str:
        """A river, lake or sea: its countries, where it ends, its size, and what flows into it."""
        claim = each.claim
        said = tuple(of_water(claim))
        lead = self._lead(claim.title, each.lead, "", set())
        facts = _facts(said, self._waters(claim.title, claim.subject))
        return self._page(claim.title, claim.infobox, said, lead, [("Facts", facts)])

    def outline(self, each: Country) -> str:
        """The page of a country's outline: a picture and no facts of its own."""
        file = self.pictures[self.outlines[each.title]]
        words = sentence(f"the outline shows the land of {country(each.title)}, north up")
        return f"[[File:{file}|thumb|The outline]]\n{words}\n"

    def plain(self, lead: Lead, kind: str = "") -> str:
        """A page that others mention: its lead, and an infobox only where its kind is certain."""
        return self._page(lead.title, kind, (), self._lead(lead.title, lead, "", set()), ())

    def _lead(self, title: str, lead: Lead | None, instead: str, done: set[str]) -> str:
        text = sentence(instead) if lead is None else linked(lead.extract, self.names, title, done)
        return bold_first(text, escape(bare(title)))

    def _sights(self, title: str, name: str) -> list[str]:
        found = {each.claim.title: each.claim.the for each in self.sights.get(title, ())}
        return [sights(found, name)] if found else []

    def _waters(self, title: str, name: str) -> list[str]:
        found = self.waters.get(title, ())
        return [waters(found, name)] if found else []

    def _page(
        self,
        title: str,
        kind: str,
        said: Sequence[Stated],
        lead: str,
        sections: Sequence[tuple[str, str]],
    ) -> str:
        head = [("name", escape(bare(title))), ("image", self.pictures.get(title, ""))]
        values = [*head, *((each.parameter, each.value) for each in said)]
        box = infobox(kind, values) if kind else ""
        return "\n".join(
            [f"{box}{lead}\n", *(f"== {name} ==\n{text}\n" for name, text in sections)]
        )


def _facts(said: Iterable[Stated], more: Iterable[str] = ()) -> str:
    return " ".join(sentence(words) for words in [*(each.words for each in said), *more])
