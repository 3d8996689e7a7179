"""What the agents know of English: which word stems point to which idea.

The list is the agents' own. It was made from ordinary usage, not from the question writer's
phrases or the mini world's prose patterns; an import contract keeps the three apart.
"""

import re
from functools import lru_cache

WORD = re.compile(r"[^\W_]+(?:[’'][^\W_]+)?", re.UNICODE)

STEMS: dict[str, str] = {
    "area": "area, cover, extent, surface, square, km2, km², territor, acreage, big, large",
    "along": "along, past, bank, beside, lies by, lies on, passes, riverside, waterside, runs past",
    "architect": "architect, design, planned, drew up, plans, blueprint, conceiv, drawing board",
    "ascent": "ascent, ascen, climb, scaled, conquer, mountaineer, set foot, stood on",
    "author": "author, wrote, writ, written, penned, pen, novelist, poet",
    "basin": "basin, catchment, drainage area",
    "birth": "born, birth, native of, came into the world, cradle, first saw, saw the light, life "
    "began, began life, hails",
    "border": "border, neighbo, adjoin, frontier, shares a, abut, next door, adjacen, touch, "
    "contiguous, side by side, next to",
    "calling": "calling, dial, telephone, phone, prefix",
    "capital": "capital, seat of government, government sits, seat, governed from, governing",
    "character": "character, hero, protagonist",
    "city": "city, town, cityscape, skyline, municipal, urban, metropol",
    "class": "class",
    "completed": "complet, finish, ready, opened, inaugurat, built, done",
    "composer": "compos, set to music, wrote the music, score",
    "continent": "continent, landmass",
    "country": "country, countr, nation, state, land, homeland",
    "creator": "creat, artist, sculpt, carved, painter, painted, paint, hand of, work of, made, "
    "maker, brush, chisel, responsible for",
    "currency": "currenc, money, pays with, coin, legal tender, monetary, paid, banknote, pay",
    "death": "die, died, dying, death, dead, passed, passing, "
    "last year, final year, lived until, last years, ended, deceas, perish, final "
    "breath, last breath, demise, met the end",
    "demonym": "demonym, inhabitant, people are called, resident, national called, denizen, "
    "inhabitants, citizens",
    "depth": "depth, deep",
    "describer": "described, describe, describer, description, naturalist, name to science, gave "
    "science, taxonom, known to science, introduced to science, scientifically",
    "diet": "diet, eat, feed, food, lives on, prey, nourish",
    "driving": "traffic, keeps to",
    "elevation": "elevation, altitude, sea level, high, height, rise, tall, rising",
    "family": "family",
    "field": "field, discipline, branch",
    "founded": "founded, foundation, establish, origin, founding",
    "height": "height, tall, high, rise, stands",
    "housed": "kept, hang, hous, collection, museum, gallery, display, hold, own, exhibit, "
    "on show, on view, treasure, preserve",
    "instrument": "instrument",
    "inventor": "invent, devis, develop, built by, construct, maker, pioneer, thought up, conceiv",
    "iso": "iso, abbreviat, letter, letters, code of three, alpha",
    "iso three": "three-letter, three letters, alpha-3",
    "iso two": "two-letter, two letters, alpha-2",
    "key": "key, major, minor, tonal",
    "language": "languag, tongue, speak, spoken, official",
    "length": "length, long, runs for, course",
    "librettist": "librett, words of, text of",
    "located": "stand, standing, locat, lies, situat, found in, rises in, seen in, sited, lying",
    "mass": "mass, weigh, heav, kilogram, kg",
    "material": "material, medium, bronze, marble, canvas, oil, wood",
    "mouth": "mouth, flow, empties, empty, drain, discharg, pour, reaches, ends in, end, "
    "issue into, carries, waters, debouch, into which",
    "named_after": "named after, namesake, named for, honour, bears the name, bearing the name, "
    "called after, eponym",
    "native": "native, habitat, occur, wild, wildlife, fauna, flora, nature, indigenous, home, "
    "inhabit, live, living, lives, roam, grow, dwell, population, range",
    "occupation": "occupation, profession, trade, worked as, by calling, vocation",
    "order": "order",
    "outflow": "outflow, leave, leaving, drained by, drain, flows out, outlet, emerg",
    "peak": "highest, summit, peak, tallest, loftiest, culminat, topmost, highpoint, apex, roof, "
    "crown, topped, topping, top",
    "person": "person, people, citizen, home country, came from, national, homeland, compatriot",
    "premiere": "premi, first perform, first heard, first staged, first given, debut, first "
    "audience, unveiled",
    "published": "publish, appear, printed, came out",
    "range": "range, chain, massif, mountain system",
    "river": "river, stream, waterway, watercourse",
    "scientific": "scientific, latin, binomial",
    "setting": "set in, set, setting, takes place, plays in, plot, action, scene, story, unfold, "
    "narrat, backdrop, stage, tale, events",
    "shore": "shore, coast, seafront, port, beach, waterfront, wash, lapped, harbour, shoreline",
    "species": "species, animal, plant, bird, mammal, wildlife, nature, living thing, creature, "
    "organism, fauna, flora",
    "source": "source, rises in, spring, headwater, begin, wellspring",
    "started": "start, begin, began, begun, laid, groundbreaking, commenc",
    "style": "style",
    "studied": "studied, study, student, educat, attend, universit, alma mater, alumn, graduat, "
    "learnt, trained, enrol",
    "subject": "subject, depict, portray, theme, represent, motif, pictures, shows, showing",
    "symbol": "symbol, emblem, national, heraldic, stands for, represent",
    "teacher": "teacher, taught, pupil, mentor, tutor, instruct, disciple",
    "tld": "domain, internet, top-level, tld, web, website, online, suffix, net",
    "tributary": "tributar, feeds, fed by, joins, joining, receives, affluent, feeder",
    "water": "ocean, lake, sea, bay, gulf, strait, body of water, waters",
    "works": "works, known for, notable, famous, famed, masterpiece, best-known, well-known, "
    "celebrat, renown, best known, fame, reputation, work, responsible for",
    "year": "year, when, date, century",
}
"""Concept → stems. A stem of one word matches the beginning of a token, else it is a phrase."""

_STEMS = {concept: tuple(stems.split(", ")) for concept, stems in STEMS.items()}
_COMPOUNDS = {stem: concept for concept, stems in _STEMS.items() for stem in stems if "-" in stem}
_PHRASES = tuple(
    (stem, concept) for concept, stems in _STEMS.items() for stem in stems if " " in stem
)
_SINGLE = tuple(
    (stem, concept) for concept, stems in _STEMS.items() for stem in stems if " " not in stem
)

COMMON = frozenset({"city", "country", "water", "year", "located", "works", "continent", "species"})
"""Concepts that stand in so many sentences that they say little on their own."""

STOPWORDS = frozenset(
    "a about above after again all also an and any are as at be been before being below between "
    "both but by can did do does each for from further had has have he her here him his how i if "
    "image in into is it its itself just latter may more most much must name no nor not now of off "
    "on once one only or other our out over own picture per photo same she shown so some start "
    "such take than that the their them then there these they this those through to too under "
    "until up very was we were what when where which while who whom whose why will with you your "
    "find give go next look identify answer question state tell me say determine report please "
    "provide work want know establish discover need learn let us".split()
)


@lru_cache(maxsize=65536)
def words(text: str) -> tuple[str, ...]:
    """Lower-case words of a text, in order."""
    return tuple(match.group().casefold() for match in WORD.finditer(text))


@lru_cache(maxsize=65536)
def concepts(text: str) -> frozenset[str]:
    """The ideas whose stems stand in a text. A known compound is not read word by word."""
    found = set()
    rest = text.casefold()
    for compound, concept in _COMPOUNDS.items():
        if compound in rest:
            found.add(concept)
            rest = rest.replace(compound, " ")
    tokens = words(rest)
    joined = " ".join(tokens)
    found.update(concept for phrase, concept in _PHRASES if phrase in joined)
    return frozenset(found).union(*map(_of_token, tokens))


@lru_cache(maxsize=65536)
def _of_token(token: str) -> frozenset[str]:
    """The ideas that one word stands for; words come again and again."""
    return frozenset(concept for stem, concept in _SINGLE if _begins(stem, token))


def _begins(stem: str, token: str) -> bool:
    if len(stem) <= 4:
        return token in (stem, f"{stem}s")
    return token.startswith(stem)


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
