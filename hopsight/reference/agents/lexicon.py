"""What the agents know of English: which word stems point to which idea.

The list is the agents' own. It was made from ordinary usage, not from the question writer's
phrases or the mini world's prose patterns; an import contract keeps the three apart.
"""

import re
from functools import lru_cache

WORD = re.compile(r"[^\W_]+(?:[’'][^\W_]+)?", re.UNICODE)

STEMS: dict[str, tuple[str, ...]] = {
    "area": ("area", "cover", "extent", "surface", "square", "km2", "km²", "territor"),
    "along": ("along", "past", "bank", "beside", "lies by", "lies on", "passes"),
    "architect": ("architect", "design", "planned", "drew up", "plans"),
    "ascent": ("ascent", "ascen", "climb", "scaled", "conquer"),
    "author": ("author", "wrote", "writer", "written by", "penned", "pen of"),
    "basin": ("basin", "catchment", "drainage area"),
    "birth": ("born", "birth", "native of", "came into the world"),
    "border": ("border", "neighbo", "adjoin", "frontier", "shares a", "abut", "next door"),
    "calling": ("calling", "dial", "telephone", "phone", "prefix"),
    "capital": ("capital", "seat of government", "government sits"),
    "character": ("character", "hero", "protagonist"),
    "city": ("city", "town"),
    "class": ("class",),
    "completed": ("complet", "finish", "ready", "opened", "inaugurat", "built"),
    "composer": ("compos", "set to music", "wrote the music"),
    "continent": ("continent",),
    "country": ("country", "nation", "state", "land"),
    "creator": (
        "creat",
        "artist",
        "sculptor",
        "carved",
        "painter",
        "painted",
        "hand of",
        "work of",
    ),
    "currency": ("currenc", "money", "pays with", "coin", "legal tender", "monetary"),
    "death": (
        "die",
        "died",
        "dying",
        "death",
        "dead",
        "passed away",
        "last years",
        "life ended",
        "ended",
    ),
    "demonym": ("demonym", "inhabitants are called", "people are called"),
    "depth": ("depth", "deep"),
    "describer": (
        "described",
        "describer",
        "description",
        "first described",
        "naturalist",
        "scientific description",
    ),
    "diet": ("diet", "eat", "feed", "food", "lives on", "prey"),
    "driving": ("driv", "traffic", "keeps to", "side of the road"),
    "elevation": ("elevation", "altitude", "sea level", "high", "height", "rise", "tall"),
    "family": ("family",),
    "field": ("field", "discipline", "branch"),
    "founded": ("found", "establish", "origin"),
    "height": ("height", "tall", "high", "rise", "stands"),
    "housed": (
        "kept",
        "hang",
        "house",
        "collection",
        "museum",
        "gallery",
        "display",
        "hold",
        "own",
    ),
    "instrument": ("instrument",),
    "inventor": ("invent", "devis", "develop", "built by", "construct", "maker"),
    "iso": ("iso",),
    "iso three": ("three-letter",),
    "iso two": ("two-letter",),
    "key": ("key", "major", "minor"),
    "language": ("languag", "tongue", "speak", "spoken", "official"),
    "length": ("length", "long", "runs for", "course"),
    "librettist": ("librett", "words of", "text of"),
    "located": ("stand", "located", "lies", "situated", "found in", "rises in", "seen in"),
    "mass": ("mass", "weigh", "heav", "kilogram", "kg"),
    "material": ("material", "medium", "bronze", "marble", "canvas", "oil", "wood"),
    "mouth": (
        "mouth",
        "flow",
        "empties",
        "empty",
        "drain",
        "discharg",
        "pour",
        "reaches",
        "ends in",
    ),
    "named_after": ("named after", "namesake", "named for", "honour"),
    "native": ("native", "habitat", "occur", "wild", "wildlife", "fauna", "flora", "nature"),
    "occupation": ("occupation", "profession", "trade", "worked as", "by calling"),
    "order": ("order",),
    "outflow": ("outflow", "leaves", "drained by", "drains"),
    "peak": ("highest", "summit", "peak", "tallest"),
    "person": ("person", "people", "citizen", "home country", "came from"),
    "premiere": ("premi", "first perform", "first heard", "first staged", "first given"),
    "published": ("publish", "appear", "printed", "came out"),
    "range": ("range", "chain", "massif"),
    "river": ("river", "stream", "waterway"),
    "scientific": ("scientific", "latin", "binomial"),
    "setting": ("set in", "setting", "takes place", "plays in"),
    "shore": ("shore", "coast", "seafront", "port"),
    "species": ("species", "animal", "plant", "bird", "mammal", "wildlife", "nature"),
    "source": ("source", "rises in", "spring", "headwater"),
    "started": ("start", "begin", "began", "begun", "laid"),
    "style": ("style",),
    "studied": ("studied", "study", "student", "educat", "attend", "universit", "alma mater"),
    "subject": ("subject", "depict", "portray", "theme"),
    "symbol": ("symbol", "emblem", "national"),
    "teacher": ("teacher", "taught", "pupil", "mentor", "tutor"),
    "tld": ("domain", "internet", "top-level", "tld"),
    "tributary": ("tributar", "feeds", "joins", "receives", "affluent"),
    "water": ("sea", "ocean", "lake", "gulf", "bay", "strait"),
    "works": ("works", "known for", "notable", "famous", "masterpiece", "best-known"),
    "year": ("year", "when", "date", "century"),
}
"""Concept → stems. A stem of one word matches the beginning of a token, else it is a phrase."""

COMMON = frozenset({"city", "country", "water", "year", "located", "works", "continent", "species"})
"""Concepts that stand in so many sentences that they say little on their own."""

STOPWORDS = frozenset(
    "a about above after again all also an and any are as at be been before being below between "
    "both but by can did do does each for from further had has have he her here him his how i if "
    "image in into is it its itself just latter may more most much must name no nor not now of off "
    "on once one only or other our out over own picture per photo same she shown so some start "
    "such take than that the their them then there these they this those through to too under "
    "until up very was we were what when where which while who whom whose why will with you your "
    "find give go next look identify answer question".split()
)


@lru_cache(maxsize=65536)
def words(text: str) -> tuple[str, ...]:
    """Lower-case words of a text, in order."""
    return tuple(match.group().casefold() for match in WORD.finditer(text))


@lru_cache(maxsize=65536)
def concepts(text: str) -> frozenset[str]:
    """The ideas whose stems stand in a text."""
    tokens = words(text)
    joined = " ".join(tokens)
    return frozenset(
        concept
        for concept, stems in STEMS.items()
        if any(_stands(stem, tokens, joined) for stem in stems)
    )


def _stands(stem: str, tokens: tuple[str, ...], joined: str) -> bool:
    if " " in stem or "-" in stem:
        return stem.replace("-", " ") in joined
    if len(stem) <= 4:
        return any(token == stem or token == stem + "s" for token in tokens)
    return any(token.startswith(stem) for token in tokens)


@lru_cache(maxsize=65536)
def content_words(text: str) -> frozenset[str]:
    """Words of a text that carry meaning: no stopwords, no bare numbers, crude plural folding."""
    return frozenset(
        _fold(word) for word in words(text) if word not in STOPWORDS and not word.isdigit()
    )


def _fold(word: str) -> str:
    for ending in ("ies", "es", "s"):
        if word.endswith(ending) and len(word) > len(ending) + 3:
            return word[: -len(ending)]
    return word


def weight(concept: str) -> float:
    """How much it says that a question and a sentence share this concept."""
    return 0.35 if concept in COMMON else 1.0
