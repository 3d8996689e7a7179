"""Which stratum a page belongs to, by the name of its infobox."""

from types import MappingProxyType
from typing import Final

from hopsight.types import Domain

_BY_DOMAIN: Final = MappingProxyType(
    {
        Domain.PERSON: (
            "person", "biography", "scientist", "artist", "writer", "author", "poet", "architect",
            "officeholder", "politician", "president", "prime minister", "monarch", "royalty",
            "noble", "philosopher", "academic", "engineer", "explorer", "astronaut", "saint",
            "religious biography", "pope", "christian leader", "musical artist", "composer",
            "classical composer", "actor", "comedian", "military person", "sportsperson",
            "football biography", "tennis biography", "cricketer", "medical person", "economist",
            "mathematician", "mountaineer", "pirate", "chess biography", "chess player", "spy",
            "criminal", "theologian", "egyptologist", "photographer", "dancer", "chef",
            "deity", "musiker", "künstler",
        ),
        Domain.BUILDING: (
            "building", "bridge", "tower", "historic building", "historic site", "church",
            "religious building", "cathedral", "mosque", "synagogue", "temple", "hindu temple",
            "buddhist temple", "monastery", "museum", "university", "school", "library", "hospital",
            "hotel", "stadium", "venue", "theatre", "opera house", "concert hall", "palace",
            "castle", "military structure", "military installation", "fort", "monument", "memorial",
            "lighthouse", "dam", "station", "airport", "power station", "skyscraper", "tunnel",
            "ancient site", "archaeological site", "world heritage site",
            "unesco world heritage site",
            "zoo", "cemetery", "windmill", "observatory", "prison", "shopping mall", "pyramid",
            "brücke", "kirche", "schloss", "hochschule",
        ),
        Domain.LOCATION: (
            "country", "settlement", "city", "town", "village", "river", "mountain",
            "mountain range", "body of water", "lake", "sea", "ocean", "gulf", "strait", "bay",
            "island", "islands", "archipelago", "volcano", "glacier", "waterfall", "valley",
            "desert", "landform", "cape", "peninsula", "canal", "cave", "spring", "forest", "park",
            "protected area", "national park", "continent", "former country", "former subdivision",
            "u.s. state", "us state", "state", "province", "region", "administrative region",
            "german location", "french commune", "italian comune", "uk place", "swiss town",
            "subdivision", "neighborhood", "street", "planet", "crater", "ecoregion", "geobox",
            "fluss", "berg", "insel", "ort", "staat",
            "gemeinde in deutschland", "province or territory of canada",
        ),
        Domain.ORGANISM: (
            "organism", "species", "taxobox", "automatic taxobox", "speciesbox", "subspeciesbox",
            "animal", "plant", "bird", "mammal", "fish", "breed", "dog breed", "cat breed",
            "horse breed", "cultivar", "paraphyletic group", "dinosaur", "fungus",
        ),
        Domain.ARTIFACT: (
            "artwork", "painting", "sculpture", "book", "novel", "play", "poem", "short story",
            "musical composition", "opera", "symphony", "ballet", "song", "album", "musical",
            "film", "television", "video game", "invention", "instrument", "machine", "device",
            "ship", "ship begin", "spacecraft", "spaceflight", "aircraft", "aircraft begin",
            "rocket", "automobile", "locomotive", "train", "weapon", "firearm", "artefact",
            "artifact", "manuscript", "newspaper", "magazine", "software", "programming language",
            "telescope", "product", "information appliance", "mobile phone", "camera", "gemstone",
            "diamond", "flag", "coin", "food", "beverage", "watercraft", "clock", "typeface",
        ),
    }
)  # fmt: skip

_DOMAINS: Final = MappingProxyType(
    {kind: domain for domain, kinds in _BY_DOMAIN.items() for kind in kinds}
)


def domain_of(infobox: str | None) -> Domain | None:
    """The domain of an infobox kind ("river" → LOCATION); None if it is unknown or missing."""
    return None if infobox is None else _DOMAINS.get(infobox)
