"""How the generator says what is true of an entity, and how it asks: data, one row an attribute.

A range template holds `{low}` and `{high}`, a category template `{value}`; both follow the noun
("a river that is between … long"). An ask template holds the entity as `{ref}`. Units are those
that the attribute's name carries.
"""

from collections.abc import Mapping

Phrases = Mapping[tuple[str, str], tuple[str, ...]]

NOUNS: Mapping[str, str] = {
    "continent": "continent",
    "country": "country",
    "settlement": "city",
    "river": "river",
    "mountain": "mountain",
    "mountain range": "mountain range",
    "body of water": "body of water",
    "building": "structure",
    "person": "person",
    "artwork": "work of art",
    "book": "written work",
    "musical composition": "musical work",
    "invention": "invention",
    "organism": "species",
}

KIND = "kind"
KIND_NOUNS: Mapping[str, frozenset[str]] = {
    "body of water": frozenset(
        "sea ocean lake gulf strait bay reservoir lagoon channel sound estuary".split()
    ),
    "building": frozenset(
        "bridge tower cathedral museum palace mosque university stadium church temple basilica "
        "castle fortress skyscraper monument theatre library abbey dam canal tunnel house "
        "lighthouse mausoleum amphitheatre monastery chapel memorial obelisk pagoda pyramid "
        "conservatory hotel citadel".split()
    )
    | {"opera house", "concert hall", "art museum", "railway station", "town hall"}
    | {"parliament building", "residential building", "exhibition hall", "art school"}
    | {"triumphal arch"},
    "artwork": frozenset(
        "painting sculpture fresco mural print drawing triptych statue woodcut altarpiece".split()
    ),
    "book": frozenset(
        "novel play poem treatise epic tragedy comedy novella collection essay".split()
    )
    | {"epic poem", "short story", "short story collection", "travel book", "memoir"},
    "musical composition": frozenset(
        "opera symphony ballet concerto oratorio requiem suite cantata sonata operetta".split()
    )
    | {"tone poem", "song cycle", "piano concerto", "violin concerto", "string quartet"},
    "invention": frozenset(
        "instrument machine device ship spacecraft satellite engine aircraft vehicle".split()
    )
    | {"musical instrument", "space probe", "calculating machine", "optical instrument"},
}

WHO = frozenset({"person"})

RANGES: Phrases = {
    ("country", "area_km2"): (
        "that covers between {low} and {high} square kilometres",
        "whose area is between {low} and {high} square kilometres",
    ),
    ("settlement", "elevation_m"): (
        "that lies between {low} and {high} metres above the sea",
        "whose elevation is between {low} and {high} metres",
    ),
    ("settlement", "founded"): (
        "that was founded between {low} and {high}",
        "whose founding fell between {low} and {high}",
    ),
    ("river", "length_km"): (
        "that is between {low} and {high} kilometres long",
        "whose length is between {low} and {high} kilometres",
    ),
    ("river", "basin_km2"): (
        "that drains between {low} and {high} square kilometres",
        "whose basin measures between {low} and {high} square kilometres",
    ),
    ("mountain", "elevation_m"): (
        "that is between {low} and {high} metres high",
        "whose summit lies between {low} and {high} metres",
    ),
    ("mountain", "first_ascent"): (
        "that was first climbed between {low} and {high}",
        "whose first ascent was made between {low} and {high}",
    ),
    ("mountain range", "length_km"): (
        "that is between {low} and {high} kilometres long",
        "whose length is between {low} and {high} kilometres",
    ),
    ("body of water", "area_km2"): (
        "that covers between {low} and {high} square kilometres",
        "whose surface measures between {low} and {high} square kilometres",
    ),
    ("body of water", "max_depth_m"): (
        "that is at most between {low} and {high} metres deep",
        "whose greatest depth is between {low} and {high} metres",
    ),
    ("building", "started"): (
        "that was begun between {low} and {high}",
        "whose construction started between {low} and {high}",
    ),
    ("building", "completed"): (
        "that was completed between {low} and {high}",
        "whose completion fell between {low} and {high}",
    ),
    ("building", "height_m"): (
        "that is between {low} and {high} metres tall",
        "whose height is between {low} and {high} metres",
    ),
    ("person", "birth_year"): (
        "who was born between {low} and {high}",
        "whose year of birth lies between {low} and {high}",
    ),
    ("person", "death_year"): (
        "who died between {low} and {high}",
        "whose year of death lies between {low} and {high}",
    ),
    ("artwork", "year"): (
        "that dates from between {low} and {high}",
        "whose date lies between {low} and {high}",
    ),
    ("artwork", "height_cm"): (
        "that measures between {low} and {high} centimetres in height",
        "whose height is between {low} and {high} centimetres",
    ),
    ("book", "year"): (
        "that came out between {low} and {high}",
        "whose date lies between {low} and {high}",
    ),
    ("musical composition", "year"): (
        "that dates from between {low} and {high}",
        "whose date lies between {low} and {high}",
    ),
    ("invention", "year"): (
        "that dates from between {low} and {high}",
        "whose date lies between {low} and {high}",
    ),
    ("organism", "described_year"): (
        "that was described between {low} and {high}",
        "whose description dates from between {low} and {high}",
    ),
    ("organism", "max_length_cm"): (
        "that grows to between {low} and {high} centimetres",
        "whose greatest length is between {low} and {high} centimetres",
    ),
    ("organism", "max_mass_kg"): (
        "that weighs up to between {low} and {high} kilograms",
        "whose greatest mass is between {low} and {high} kilograms",
    ),
}

CATEGORIES: Phrases = {
    ("country", "continent"): (
        "whose continent is {value}",
        "that belongs to the continent of {value}",
    ),
    ("country", "driving_side"): (
        "whose traffic keeps to the {value}",
        "that drives on the {value}",
    ),
    ("country", "languages"): (
        "that has {value} as an official language",
        "whose official languages include {value}",
    ),
    ("country", "currency"): (
        "whose currency is the {value}",
        "that pays with the {value}",
    ),
    ("mountain range", "continent"): (
        "whose continent is {value}",
        "that belongs to the continent of {value}",
    ),
    ("building", "style"): (
        "whose style is {value}",
        "that is built in the style called {value}",
    ),
    ("person", "occupation"): (
        "whose occupation was {value}",
        "who is listed as {value}",
    ),
    ("person", "field"): (
        "whose field was {value}",
        "who worked in the field of {value}",
    ),
    ("artwork", "material"): (
        "whose material is {value}",
        "that is made of {value}",
    ),
    ("book", "language"): (
        "whose language is {value}",
        "that was first written in {value}",
    ),
    ("musical composition", "key"): (
        "whose key is {value}",
        "that is in {value}",
    ),
    ("organism", "class"): (
        "whose class is {value}",
        "that is classed as {value}",
    ),
    ("organism", "order"): (
        "whose order is {value}",
        "that belongs to the order {value}",
    ),
    ("organism", "family"): (
        "whose family is {value}",
        "that belongs to the family {value}",
    ),
    ("organism", "diet"): (
        "whose food is {value}",
        "that lives on {value}",
    ),
}

SHOWS: Mapping[str, tuple[str, ...]] = {
    "country": ("whose flag shows {value}", "whose flag bears {value}"),
    "settlement": ("whose map in the picture shows {value}",),
    "river": ("whose board in the picture shows {value}",),
    "mountain": ("whose summit sign in the picture shows {value}",),
    "building": ("whose visitor sign in the picture shows {value}",),
    "person": ("whose plaque in the picture shows {value}",),
    "artwork": ("whose label in the picture shows {value}",),
    "book": ("whose title page in the picture shows {value}",),
    "musical composition": ("whose bill in the picture shows {value}",),
    "invention": ("whose sheet in the picture shows {value}",),
    "organism": ("whose label in the picture shows {value}",),
}
"""How it is said what the picture of an entity shows."""

ASKS: Phrases = {
    ("continent", "highest_peak"): ("what is the highest peak of {ref}",),
    ("country", "capital"): ("what is the capital of {ref}",),
    ("country", "area_km2"): (
        "what is the area of {ref} in square kilometres",
        "how many square kilometres does {ref} cover",
    ),
    ("country", "currency"): (
        "what is the currency of {ref}",
        "which currency does {ref} use",
    ),
    ("country", "highest_point"): (
        "what is the highest point of {ref}",
        "at which mountain does the land of {ref} rise highest",
    ),
    ("country", "calling_code"): (
        "what is the calling code of {ref}",
        "which international calling code does {ref} have",
    ),
    ("country", "tld"): (
        "what is the top-level domain of {ref}",
        "which internet top-level domain does {ref} use",
    ),
    ("country", "iso3"): (
        "what is the three-letter ISO code of {ref}",
        "which three-letter code does ISO give to {ref}",
    ),
    ("country", "demonym"): ("what are the people of {ref} called, by their demonym",),
    ("settlement", "country"): ("in which country does {ref} lie",),
    ("settlement", "river"): ("on which river does {ref} lie",),
    ("settlement", "water"): ("on the shore of which body of water does {ref} lie",),
    ("settlement", "founded"): (
        "in what year was {ref} founded",
        "what is the founding year of {ref}",
    ),
    ("settlement", "elevation_m"): (
        "what is the elevation of {ref} in metres",
        "how many metres above the sea does {ref} lie",
    ),
    ("river", "length_km"): (
        "how long is {ref} in kilometres",
        "what is the length of {ref} in kilometres",
    ),
    ("river", "basin_km2"): ("how many square kilometres does the basin of {ref} measure",),
    ("river", "mouth"): ("into what does {ref} flow",),
    ("river", "source_country"): ("in which country does {ref} rise",),
    ("mountain", "elevation_m"): (
        "how high is {ref} in metres",
        "what is the elevation of {ref} in metres",
    ),
    ("mountain", "range"): ("to which mountain range does {ref} belong",),
    ("mountain", "first_ascent"): (
        "in what year was {ref} first climbed",
        "what is the year of the first ascent of {ref}",
    ),
    ("mountain range", "length_km"): (
        "how long is {ref} in kilometres",
        "what is the length of {ref} in kilometres",
    ),
    ("mountain range", "highest_peak"): ("what is the highest peak of {ref}",),
    ("body of water", "area_km2"): (
        "how many square kilometres does {ref} cover",
        "what is the area of {ref} in square kilometres",
    ),
    ("body of water", "max_depth_m"): (
        "what is the greatest depth of {ref} in metres",
        "how many metres deep is {ref} at its deepest point",
    ),
    ("body of water", "outflow"): ("by way of what does the water of {ref} leave",),
    ("building", "city"): ("in which city is {ref}",),
    ("building", "architect"): ("who designed {ref}",),
    ("building", "started"): (
        "in what year did the construction of {ref} start",
        "in what year was {ref} begun",
    ),
    ("building", "completed"): (
        "in what year was {ref} completed",
        "what is the year of completion of {ref}",
    ),
    ("building", "height_m"): (
        "how tall is {ref} in metres",
        "what is the height of {ref} in metres",
    ),
    ("person", "birth_year"): (
        "in what year was {ref} born",
        "what is the year of birth of {ref}",
    ),
    ("person", "birth_place"): ("where was {ref} born",),
    ("person", "death_year"): (
        "in what year did {ref} die",
        "what is the year of death of {ref}",
    ),
    ("person", "death_place"): ("where did {ref} die",),
    ("person", "teacher"): ("who taught {ref}",),
    ("person", "studied_at"): ("at which institution did {ref} study",),
    ("artwork", "year"): (
        "in what year was {ref} made",
        "what is the date of {ref}, as a year",
    ),
    ("artwork", "creator"): ("who created {ref}",),
    ("artwork", "location"): ("where is {ref} kept",),
    ("artwork", "height_cm"): ("what is the height of {ref} in centimetres",),
    ("book", "year"): (
        "in what year did {ref} come out",
        "what is the date of {ref}, as a year",
    ),
    ("book", "author"): ("who wrote {ref}",),
    ("book", "language"): ("in what language was {ref} first written",),
    ("book", "setting"): ("where is {ref} set",),
    ("musical composition", "year"): ("what is the date of {ref}, as a year",),
    ("musical composition", "composer"): ("who composed {ref}",),
    ("musical composition", "key"): ("in what key is {ref}",),
    ("musical composition", "premiere_place"): ("where was {ref} first performed",),
    ("musical composition", "librettist"): ("who wrote the words of {ref}",),
    ("invention", "year"): ("what is the date of {ref}, as a year",),
    ("invention", "inventor"): ("who invented {ref}",),
    ("invention", "country"): ("in which country did {ref} originate",),
    ("invention", "named_after"): ("after whom is {ref} named",),
    ("organism", "scientific_name"): (
        "what is the scientific name of {ref}",
        "which scientific name does {ref} bear",
    ),
    ("organism", "family"): ("to which family does {ref} belong",),
    ("organism", "order"): ("to which order does {ref} belong",),
    ("organism", "described_by"): ("who scientifically described {ref}",),
    ("organism", "described_year"): ("in what year was {ref} scientifically described",),
    ("organism", "max_length_cm"): ("to what length does {ref} grow, in centimetres",),
    ("organism", "max_mass_kg"): ("how many kilograms does {ref} weigh at most",),
}

ANCHORS: Mapping[str, tuple[str, ...]] = {
    "country": ("the country whose flag is shown in the image",),
    "settlement": ("the city marked on the map in the image",),
    "river": ("the river whose board is shown in the image",),
    "mountain": ("the mountain whose summit sign is shown in the image",),
    "building": ("the structure whose visitor board is shown in the image",),
    "person": ("the person commemorated on the plaque in the image",),
    "artwork": ("the work of art described on the label in the image",),
    "book": ("the written work whose title page or cover is shown in the image",),
    "musical composition": ("the musical work announced on the bill in the image",),
    "invention": ("the invention described on the sheet in the image",),
    "organism": ("the species described on the specimen label in the image",),
}
"""How the anchor is referred to by what its picture is; an infobox without one cannot be asked."""
