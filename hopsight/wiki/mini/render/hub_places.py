"""Texts of general articles: continents, and kinds of places and buildings."""

CONTINENTS = {
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

PLACES = {
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

BUILDINGS = {
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
