"""General articles that very many pages link to: continents, and the kinds of things."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

_CONTINENTS = {
    "Africa": (
        "'''Africa''' is a [[continent]] crossed by the equator. It lies south of [[Europe]] "
        "and is joined to [[Asia]] by the Isthmus of Suez. Savanna, rainforest and desert "
        "each cover a large share of its land."
    ),
    "Antarctica": (
        "'''Antarctica''' is the [[continent]] around the South Pole. Ice covers nearly all "
        "of it, and no [[country]] has its capital there. An international treaty keeps it "
        "open for research."
    ),
    "Asia": (
        "'''Asia''' is the largest [[continent]]. It shares one landmass with [[Europe]], and"
        " the highest [[mountain]]s on Earth stand in it. Many of the oldest writing systems "
        "came into being there."
    ),
    "Europe": (
        "'''Europe''' is a [[continent]] that forms the western part of the Eurasian "
        "landmass. To the south it faces [[Africa]], to the east it passes into [[Asia]] "
        "without a break of water. Peninsulas and islands make its coast long for its area. "
        "See also the [[List of countries of Europe]] and the [[List of rivers of Europe]]."
    ),
    "North America": (
        "'''North America''' is a [[continent]] of the northern and western hemispheres. A "
        "narrow land bridge ties it to [[South America]]. It reaches from Arctic islands to "
        "tropical coasts."
    ),
    "South America": (
        "'''South America''' is a [[continent]] that lies for the most part south of the "
        "equator. It is joined to [[North America]] by an isthmus. A long chain of "
        "[[mountain]]s follows its western side."
    ),
    "Oceania": (
        "'''Oceania''' is a part of the world made up of Australia and of islands spread over"
        " the Pacific. Distances by [[sea]] are greater there than distances by land. Where "
        "seven continents are counted, Australia takes its place beside [[Asia]] and "
        "[[Europe]]."
    ),
    "Continent": (
        "A '''continent''' is one of the few great land areas of the Earth. Counts differ "
        "with the convention that is used. Among those usually named are [[Africa]], "
        "[[Asia]], [[Europe]], [[North America]] and [[South America]]."
    ),
}

_PLACES = {
    "Country": (
        "A '''country''' is a territory with a government and a people of its own. It may be "
        "a republic, a monarchy, or of another form. Its seat of government is as a rule its "
        "capital [[city]]."
    ),
    "City": (
        "A '''city''' is a large and lasting settlement. Trade, offices, schools and markets "
        "bring people together in it. Many cities grew up on a [[river]] or by the [[sea]]."
    ),
    "River": (
        "A '''river''' is a natural stream of fresh water that runs in a bed. It starts at a "
        "source and ends at a mouth, which may be in a [[sea]], a [[lake]] or another river. "
        "The land from which its water comes is its drainage basin. See also the [[List of "
        "rivers]]."
    ),
    "Mountain": (
        "A '''mountain''' is a landform that rises well above the land around it. Mountains "
        "often stand together in a [[mountain range]]. The first recorded climb to a summit "
        "is its first ascent."
    ),
    "Mountain range": (
        "A '''mountain range''' is a row or group of [[mountain]]s that belong together by "
        "position and origin. Ranges can divide climates and the basins of [[river]]s."
    ),
    "Sea": (
        "A '''sea''' is a wide body of salt water, as a rule joined to an [[ocean]]. A few "
        "waters without such a link are called seas by custom. Coasts, straits and islands "
        "mark its limits."
    ),
    "Ocean": (
        "An '''ocean''' is one of the main divisions of the salt water that covers most of "
        "the Earth. Smaller parts at its edge may be called a [[sea]] or a [[gulf]]."
    ),
    "Lake": (
        "A '''lake''' is a body of standing water with land on every side. Its water may be "
        "fresh or salt. Many a lake is fed by a [[river]] and drained by another."
    ),
    "Gulf": (
        "A '''gulf''' is a part of an [[ocean]] or [[sea]] that reaches into the land. The "
        "word [[bay]] is used for similar waters, with no sharp line between the two."
    ),
    "Bay": (
        "A '''bay''' is a stretch of water at a coast that bends inward. It is as a rule "
        "smaller than a [[gulf]], though names do not always follow that rule."
    ),
    "Strait": (
        "A '''strait''' is a narrow water that joins two larger ones. Ships use it as a "
        "passage from one [[sea]] to the next."
    ),
}

_BUILDINGS = {
    "Bridge": (
        "A '''bridge''' carries a road, a railway or a path over an obstacle such as a "
        "[[river]]. Beams, arches, cables and trusses are among the ways to hold it up."
    ),
    "Tower": (
        "A '''tower''' is a structure that is tall for the ground it covers. Towers have "
        "served as lookouts, belfries, landmarks and carriers of aerials."
    ),
    "Skyscraper": (
        "A '''skyscraper''' is a very tall building with many floors. Steel frames and lifts "
        "made the type possible."
    ),
    "Cathedral": (
        "A '''cathedral''' is a church that holds the seat of a bishop. It need not be large,"
        " but many are among the great buildings of a [[city]]."
    ),
    "Church": (
        "A '''church''' is a building for Christian worship. One that is the seat of a bishop"
        " is a [[cathedral]]."
    ),
    "Mosque": (
        "A '''mosque''' is a place of prayer for Muslims. A niche in one wall shows the "
        "direction of Mecca."
    ),
    "Temple": (
        "A '''temple''' is a building given over to religious rites. Many faiths, living and "
        "extinct, have had temples."
    ),
    "Museum": (
        "A '''museum''' keeps objects, studies them and shows them to visitors. Its holdings "
        "may be works of art such as a [[painting]] or a [[sculpture]], or things from "
        "nature, history and technology."
    ),
    "Art museum": ("An '''art museum''' is a [[museum]] whose holdings are works of art."),
    "Palace": (
        "A '''palace''' is a grand residence, built for a ruler or a great household. Some "
        "are now used as a [[museum]]."
    ),
    "Castle": (
        "A '''castle''' is a fortified residence. Walls, gates and a [[tower]] or more belong"
        " to the usual picture of the type."
    ),
    "University": (
        "A '''university''' is a place of higher learning that teaches and does research. It "
        "grants degrees in many subjects."
    ),
    "Opera house": (
        "An '''opera house''' is a theatre made for performances of [[opera]]. It has a "
        "stage, a pit for the orchestra and seats for the audience."
    ),
    "Stadium": ("A '''stadium''' is a place for sport with rising rows of seats around a field."),
}

_PEOPLE = {
    "Painter": (
        "A '''painter''' is an artist who works in paint. The result is a [[painting]], on "
        "canvas, wood, plaster or another ground."
    ),
    "Sculptor": (
        "A '''sculptor''' is an artist who gives form to stone, metal, wood or clay. The "
        "result is a [[sculpture]]."
    ),
    "Composer": (
        "A '''composer''' is a person who writes music. A [[symphony]], an [[opera]] or a "
        "song may be the result."
    ),
    "Writer": (
        "A '''writer''' is a person who works with written words. A [[novelist]], a [[poet]] "
        "and a [[playwright]] are writers of particular kinds."
    ),
    "Novelist": ("A '''novelist''' is a [[writer]] of novels. See also [[novel]]."),
    "Poet": ("A '''poet''' is a [[writer]] of verse. See also [[poem]]."),
    "Playwright": ("A '''playwright''' is a [[writer]] of works for the stage. See also [[play]]."),
    "Physicist": (
        "A '''physicist''' is a scientist who studies matter, motion, energy and forces. "
        "Theory and experiment are the two sides of the work."
    ),
    "Chemist": (
        "A '''chemist''' is a scientist who studies substances and the ways in which they change."
    ),
    "Mathematician": (
        "A '''mathematician''' is a person who studies numbers, shapes and structures by "
        "means of proof."
    ),
    "Astronomer": (
        "An '''astronomer''' is a scientist who studies stars, planets and other bodies "
        "beyond the Earth."
    ),
    "Naturalist": (
        "A '''naturalist''' studies plants, animals and their surroundings, often in the "
        "field. Naming a new species is part of the work of many."
    ),
    "Botanist": ("A '''botanist''' is a scientist who studies plants. See also [[naturalist]]."),
    "Philosopher": (
        "A '''philosopher''' is a person who reasons about knowledge, conduct and being."
    ),
    "Architect": (
        "An '''architect''' is a person who designs buildings and follows their construction."
    ),
    "Engineer": (
        "An '''engineer''' applies science to the design of structures, machines and "
        "processes. See also [[inventor]]."
    ),
    "Inventor": (
        "An '''inventor''' is a person who devises something new, such as a machine, a method"
        " or a material."
    ),
    "Explorer": (
        "An '''explorer''' is a person who travels to learn about places that are little "
        "known at home."
    ),
    "Mountaineer": (
        "A '''mountaineer''' is a person who climbs [[mountain]]s. To be the first on a "
        "summit is to make its first ascent."
    ),
}

_WORKS = {
    "Painting": (
        "A '''painting''' is a work of art made with paint on a surface. Its maker is a "
        "[[painter]]. Many paintings are kept in a [[museum]]."
    ),
    "Sculpture": (
        "A '''sculpture''' is a work of art with three dimensions. Its maker is a [[sculptor]]."
    ),
    "Fresco": (
        "A '''fresco''' is a [[painting]] on plaster. In the strict sense the plaster is "
        "still wet when the colour is laid on."
    ),
    "Statue": ("A '''statue''' is a [[sculpture]] of a whole figure."),
    "Novel": ("A '''novel''' is a long story in prose. Its author is called a [[novelist]]."),
    "Play": (
        "A '''play''' is a work of literature meant for the stage. Its author is called a "
        "[[playwright]]."
    ),
    "Poem": ("A '''poem''' is a work of literature in verse. Its author is called a [[poet]]."),
    "Epic poem": (
        "An '''epic poem''' is a long [[poem]] that tells a story, as a rule of deeds of "
        "great weight."
    ),
    "Opera": (
        "An '''opera''' is a work for the stage in which the words are sung. The words are "
        "its libretto, and their author is the librettist. It is performed in an [[opera "
        "house]]."
    ),
    "Symphony": ("A '''symphony''' is a work for orchestra, as a rule in several movements."),
    "Ballet": ("A '''ballet''' is a work for the stage that is told in dance and music."),
    "Concerto": (
        "A '''concerto''' is a work in which one or more soloists play with an orchestra."
    ),
}

_FIELDS = {
    "Literature": (
        "'''Literature''' is the art of the written word. A [[novel]], a [[poem]] and a [[play]] "
        "are works of literature."
    ),
    "Music": (
        "'''Music''' is the art of ordered sound. Those who write it are called by the word "
        "[[composer]]."
    ),
    "Architecture": (
        "'''Architecture''' is the art and craft of building. Its practice is the work of an "
        "[[architect]]."
    ),
    "Physics": (
        "'''Physics''' is the science of matter, energy and the forces between things. Its "
        "practice is the work of a [[physicist]]."
    ),
    "Mathematics": (
        "'''Mathematics''' is the study of number, shape and structure by means of proof. Its "
        "practice is the work of a [[mathematician]]."
    ),
    "Astronomy": (
        "'''Astronomy''' is the science of the bodies beyond the Earth. Its practice is the work "
        "of an [[astronomer]]."
    ),
    "Mountaineering": (
        "'''Mountaineering''' is the climbing of mountains, as sport or for study. See also "
        "[[mountaineer]]."
    ),
}

_LIFE = {
    "Bird": (
        "A '''bird''' is an animal with feathers that lays eggs. Most birds can fly, and some"
        " have lost that power."
    ),
    "Mammal": (
        "A '''mammal''' is an animal that feeds its young with milk. Hair and warm blood "
        "belong to the marks of the group."
    ),
    "Fish": ("A '''fish''' is a backboned animal that lives in water and breathes by gills."),
    "Reptile": (
        "A '''reptile''' is a backboned animal with scales or plates. Snakes, lizards, "
        "turtles and crocodiles are reptiles."
    ),
    "Amphibian": (
        "An '''amphibian''' is a backboned animal such as a frog or a salamander. Many spend "
        "the first part of life in water."
    ),
    "Insect": ("An '''insect''' is a small animal with six legs and a body in three parts."),
    "Plant": (
        "A '''plant''' is a living thing that as a rule makes its food from light, water and "
        "air. Trees, grasses, ferns and mosses are plants."
    ),
    "Tree": ("A '''tree''' is a [[plant]] with a lasting woody stem."),
}

_GROUPS = (
    (_CONTINENTS, "Continents"),
    (_PLACES, "Geography"),
    (_BUILDINGS, "Kinds of buildings"),
    (_PEOPLE, "Occupations"),
    (_WORKS, "Kinds of works"),
    (_FIELDS, "Fields"),
    (_LIFE, "Groups of living things"),
)


@dataclass(frozen=True, slots=True)
class Hub:
    """A general article: its opening text as wikitext, and its category."""

    text: str
    category: str


HUBS: Final = MappingProxyType(
    {title: Hub(text, category) for texts, category in _GROUPS for title, text in texts.items()}
)
"""Every hub article, by title."""

CONTINENTS: Final = tuple(name for name in _CONTINENTS if name != "Continent")
"""Names of the continents."""
