"""Words by which a sentence shows that it speaks of an attribute."""

from functools import lru_cache
from types import MappingProxyType
from typing import Final

_CUES: Final = MappingProxyType(
    {
        "birth": "born birth birthplace native hails began from",
        "death": "died death dies ended",
        "capital": "capital seat",
        "continent": "continent lies located",
        "area": "area covers square surface",
        "basin": "basin drains drainage catchment watershed",
        "borders": "border borders bordered neighbour neighbours neighbouring frontier adjoins",
        "language": "in language spoken speak official written read readers",
        "currency": "currency money pay",
        "highest": "highest higher point peak summit",
        "driving": "drive drives driving traffic",
        "calling": "dialling calling code telephone call",
        "tld": "internet domain top level",
        "iso2": "iso code two letter alpha",
        "iso3": "iso code three letter alpha",
        "demonym": "called known inhabitants people demonym",
        "country": "in of from country nationality state lies originated",
        "countries": "through flows crosses course way country shared lies",
        "river": "river banks flows stands on by city",
        "water": "on coast shore sea lake bay gulf port harbour",
        "founded": "founded foundation established",
        "elevation": "elevation altitude above rises high height metres tall",
        "latitude": "latitude north south coordinates",
        "longitude": "longitude east west coordinates",
        "length": "long length runs stretches flows course",
        "mouth": "mouth empties flows discharges enters joins drains ends into",
        "source": "source rises begins springs",
        "tributary": "tributary joins",
        "range": "range part belongs massif mountains peaks of",
        "ascent": "first ascent climbed ascended summit reached",
        "ascender": "first ascent climbed ascended reached climbers",
        "depth": "deep depth deepest",
        "outflow": "outflow drains flows outlet overflows leaves water",
        "city": "city stands in located town",
        "architect": "architect designed plans work by drew after",
        "started": "began begun started construction building laid",
        "completed": "completed finished opened consecrated inaugurated until lasted ended",
        "height": "high height tall stands rises",
        "style": "style architecture",
        "houses": "houses holds holdings displayed home keeps kept collection hangs",
        "occupation": "was is a an and worked",
        "field": "field work worked known contributions",
        "studied": "studied study educated attended graduated university student",
        "notable": "known works wrote painted composed designed created author best famous tied",
        "teacher": "taught teacher pupil student studied under",
        "creator": "by painted sculpted made created carved artist work",
        "location": "kept housed displayed hangs museum held on view seen stands",
        "material": "made of in oil canvas marble material",
        "subject": "theme about shows depicts portrays subject portrait represents",
        "author": "by written wrote author",
        "published": "published appeared publication",
        "year": "in of date published dated painted completed composed made premiered invented",
        "setting": "set setting takes place scene action plays",
        "characters": "figures people meet character characters hero heroine protagonist",
        "composer": "by of composed composer wrote music",
        "premiere": "premiered premiere first performed performance",
        "librettist": "libretto librettist text words",
        "key": "key in",
        "inventor": "inventor invention invented inventor devised built developed by",
        "named": "named after honour name",
        "native": "native found lives occurs grows range home",
        "described": "described named description",
        "symbol": "symbol emblem national stands for",
        "diet": "eats eating ate feeds feeding diet food lives",
        "mass": "weigh weighs weight mass heavy",
        "scientific": "scientific name binomial species latin formal biologists known as",
        "class": "class is a an as",
        "order": "order belongs",
        "family": "family belongs",
        "kind": "a an of",
        "status": "conservation status endangered",
    }
)

_CONTRARY: Final = MappingProxyType(
    {
        "country": "capital highest point governed culminates origin source",
        "countries": "capital highest point culminates rises source begins origin",
        "city": "capital",
        "range": "highest culminates top",
        "architect": "notable",
        "symbol": "native",
        "notable": "recalls lives gave carries",
        "mouth": "tributary",
        "source": "way current touches meets met",
        "birth": "died death buried ended",
        "death": "born birth began",
        "started": "completed finished",
        "completed": "begun started",
    }
)
"""Words that speak of another relation in which the same value may stand."""

_NO_CUE: Final = frozenset({"year", "date", "name", "place", "type", "title"})
"""Words of parameters' names that say what kind of value it is, not what it is about."""

_UNSPOKEN: Final = frozenset(
    "country countries continent borders location setting city author inventor mouth creator"
    " highest".split()
)
"""Relations that prose often states with no word of their own: a bridge *in* a city."""

WEAK: Final = frozenset("in of on by a an at to from is was as into with after through and".split())
"""Roots of words that stand everywhere: they count only right before the value."""

_PREFIX: Final = 5
"""Longer words are compared by their first letters: founded, founding, foundation."""


def root(word: str) -> str:
    """What words are compared by: their first letters, without a plural's s."""
    single = word[:-1] if len(word) > 3 and word.endswith("s") else word
    return single[:_PREFIX]


@lru_cache(maxsize=1024)
def cues(attribute: str) -> frozenset[str]:
    """Roots of the words that go with an attribute: those of its name and their companions."""
    found: set[str] = set()
    words = attribute.lower().split("_")
    for word in words:
        if len(word) > 2 and (len(words) == 1 or word not in _NO_CUE):
            found.add(word)
        for form in (word, word.removesuffix("s")):
            found.update(_CUES.get(form, "").split())
    return frozenset(root(word) for word in found)


@lru_cache(maxsize=1024)
def is_unspoken(attribute: str) -> bool:
    """Whether a mere link in a sentence about the page mostly states the attribute."""
    return not _UNSPOKEN.isdisjoint(attribute.lower().split("_"))


@lru_cache(maxsize=1024)
def contrary(attribute: str) -> frozenset[str]:
    """Roots of the words that speak against a sentence being about the attribute."""
    words = (_CONTRARY.get(word, "").split() for word in attribute.lower().split("_"))
    return frozenset(root(word) for group in words for word in group) - cues(attribute)
