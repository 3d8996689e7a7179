"""The sentences of questions as regular expressions: one row a relation, a condition, a request.

Each row: kinds | attribute | … | pattern, parted by " | ", so that a "|" without spaces is a
pattern's own. A row counts for each of its kinds, which are the infoboxes of the page that holds
the fact; "any" is every one. `{P}` is the reference to the entity before, `{N}` the description
of the next one, `{R}` the reference to the last one.
"""

NOUNS = {
    "continent": "continent",
    "country": "country",
    "city": "settlement",
    "river": "river",
    "mountain": "mountain",
    "mountain range": "mountain range",
    "body of water": "body of water",
    "structure": "building",
    "person": "person",
    "work of art": "artwork",
    "written work": "book",
    "musical work": "musical composition",
    "invention": "invention",
    "species": "organism",
}

ANCHORS = """
country | the country whose flag is shown in the image
settlement | the city marked on the map in the image
river | the river whose board is shown in the image
mountain | the mountain whose summit sign is shown in the image
building | the structure whose visitor board is shown in the image
person | the person commemorated on the plaque in the image
artwork | the work of art described on the label in the image
book | the written work whose title page or cover is shown in the image
musical composition | the musical work announced on the bill in the image
invention | the invention described on the sheet in the image
organism | the species described on the specimen label in the image
"""

# kinds | attribute | > the fact stands with the entity before, < with the next one | pattern
RELATIONS = """
any | linked | > | {P} (?:has to do|is connected) with {N}
country | capital | > | (?:the capital of {P} is|{P} has its capital in) {N}
country | borders | > | (?:{P} borders|{P} shares a land border with) {N}
country | borders | > | one of the neighbours of {P} is {N}
country | highest_point | > | (?:the highest point of {P} is|the land of {P} rises highest at) {N}
country, mountain range | continent | > | {P} (?:lies on|is a part of) {N}
continent, mountain range | highest_peak | > | the highest peak of {P} is {N}
continent, mountain range | highest_peak | > | {P} reaches its greatest height at {N}
settlement | country | > | (?:the country of {P} is|{P} (?:lies in|is a city of)) {N}
settlement | river | > | {P} (?:lies on the banks of|stands beside) {N}
settlement | water | > | (?:{P} lies on the shore of|the waterfront of {P} faces) {N}
river | mouth | > | {P} (?:flows into|ends in) {N}
river | countries | > | (?:{P} flows through|part of the course of {P} lies in) {N}
river | source_country | > | (?:{P} rises in|the source of {P} lies in) {N}
river | tributary_of | > | {P} (?:is a tributary of|feeds) {N}
mountain | countries | > | {P} stands within the borders of {N}
mountain | countries | > | {P} is counted among the mountains of {N}
mountain | range | > | {P} (?:belongs to|forms part of) {N}
mountain | first_ascender | > | among the first to climb {P} was {N}
mountain | first_ascender | > | the first ascent of {P} was made by {N}
mountain range | countries | > | {P} (?:extends into|covers part of) {N}
body of water | countries | > | {P} touches the territory of {N}
body of water | countries | > | one of the countries around {P} is {N}
body of water | outflow | > | {P} (?:drains into|empties by way of) {N}
body of water | outflow | > | the water of {P} leaves by way of {N}
building | city | > | {P} (?:is one of the sights of|belongs to the cityscape of) {N}
building | country | > | {P} (?:stands on the soil of|is found in) {N}
building | architect | > | (?:{P} was designed by|the plans of {P} were drawn by) {N}
building | houses | > | (?:{P} houses|among the treasures in {P} is) {N}
person | birth_place | > | (?:{P} was born in|the birthplace of {P} is) {N}
person | death_place | > | (?:{P} died in|the life of {P} ended in) {N}
person | country | > | (?:{P} came from|the home country of {P} was) {N}
person | studied_at | > | {P} (?:studied|was educated) at {N}
person | teacher | > | {P} was (?:taught by|a pupil of) {N}
person | notable_works | > | (?:{P} is known for|one of the notable works of {P} is) {N}
artwork | creator | > | {P} (?:was created by|is the work of|came from the hand of) {N}
artwork | location | > | {P} (?:is kept|can be seen) in {N}
artwork | subject | > | (?:{P} depicts|the subject of {P} is) {N}
book | author | > | (?:{P} was (?:written|penned) by|the author of {P} is) {N}
book | setting | > | (?:{P} is set|the story of {P} takes place) in {N}
book | characters | > | (?:one of the characters in {P} is|the story of {P} tells of) {N}
musical composition | composer | > | (?:{P} was composed by|the composer of {P} is) {N}
musical composition | premiere_place | > | {P} was first performed in {N}
musical composition | premiere_place | > | the premiere of {P} took place in {N}
musical composition | librettist | > | {P} has a libretto by {N}
musical composition | librettist | > | the words of {P} were written by {N}
invention | inventor | > | (?:{P} was (?:invented|devised) by|the inventor of {P} is) {N}
invention | country | > | (?:{P} originated in|the country of origin of {P} is) {N}
invention | named_after | > | {P} (?:is named after|bears the name of) {N}
organism | native_to | > | {P} (?:is native to|lives in the wild in) {N}
organism | described_by | > | {P} was scientifically described by {N}
organism | described_by | > | the scientific description of {P} comes from {N}
organism | national_symbol_of | > | {P} (?:is a national symbol|serves as an emblem) of {N}
country | continent | < | (?:one of the countries of {P} is|to {P} belongs) {N}
continent, mountain range | highest_peak | < | {P} is the highest peak of {N}
continent, mountain range | highest_peak | < | {P} towers over all other peaks of {N}
mountain range | continent | < | (?:one of the ranges of {P} is|across {P} runs) {N}
country | capital | < | {P} (?:is|serves as) the capital of {N}
country | highest_point | < | {P} is the highest point of {N}
country | highest_point | < | {P} rises above every other point of {N}
settlement | country | < | (?:one of the cities of {P} is|{P} contains) {N}
settlement | river | < | (?:on the banks of {P} lies|one of the cities along {P} is) {N}
settlement | water | < | on the shore of {P} lies {N}
settlement | water | < | one of the cities at the edge of {P} is {N}
river | mouth | < | (?:{P} receives the waters of|into {P} flows) {N}
river | countries | < | (?:through {P} flows|{P} is one of the countries along) {N}
river | source_country | < | (?:in {P} rises|{P} holds the source of) {N}
river | tributary_of | < | (?:one of the tributaries of {P} is|{P} is fed by) {N}
mountain | countries | < | within the borders of {P} stands {N}
mountain | countries | < | {P} counts among its mountains {N}
mountain | range | < | (?:{P} includes|one of the peaks of {P} is) {N}
mountain | first_ascender | < | {P} was among the first to climb {N}
mountain | first_ascender | < | {P} took part in the first ascent of {N}
mountain range | countries | < | (?:into {P} extends|part of {P} is covered by) {N}
body of water | countries | < | the territory of {P} reaches {N}
body of water | countries | < | {P} has a share in the shores of {N}
body of water | outflow | < | {P} (?:drains|carries away the water of) {N}
building | city | < | (?:one of the sights of {P} is|the cityscape of {P} includes) {N}
building | country | < | (?:on the soil of {P} stands|one of the landmarks of {P} is) {N}
building | architect | < | {P} (?:designed|drew the plans of) {N}
building | houses | < | {P} is (?:one of the treasures in|housed by) {N}
person | birth_place | < | (?:{P} is the birthplace of|in {P} was born) {N}
person | death_place | < | (?:{P} is the place of death of|in {P} died) {N}
person | country | < | (?:{P} was the home country of|from {P} came) {N}
person | studied_at | < | (?:one of the former students of {P} is|at {P} studied) {N}
person | teacher | < | (?:{P} taught|one of the pupils of {P} was) {N}
person | notable_works | < | {P} is (?:among the notable works|a well-known work) of {N}
artwork | creator | < | (?:{P} created|from the hand of {P} comes) {N}
artwork | location | < | (?:the collection of {P} includes|on view in {P} is) {N}
artwork | subject | < | {P} is (?:depicted by|the subject of) {N}
book | author | < | {P} (?:wrote|is the author of) {N}
book | setting | < | (?:{P} is the setting of|in {P} takes place the story of) {N}
book | characters | < | {P} (?:appears as a character|is one of the figures) in {N}
musical composition | composer | < | {P} (?:composed|is the composer of) {N}
musical composition | premiere_place | < | {P} saw the first performance of {N}
musical composition | premiere_place | < | {P} hosted the premiere of {N}
musical composition | librettist | < | {P} (?:wrote the words of|supplied the libretto for) {N}
invention | inventor | < | {P} (?:invented|is the inventor of) {N}
invention | country | < | (?:{P} is the country of origin of|in {P} originated) {N}
invention | named_after | < | (?:{P} gave a name to|after {P} is named) {N}
organism | native_to | < | (?:one of the species native to {P} is|in the wild of {P} lives) {N}
organism | described_by | < | {P} scientifically described {N}
organism | described_by | < | {P} gave the scientific description of {N}
organism | national_symbol_of | < | (?:a national symbol|one of the emblems) of {P} is {N}
"""

# kinds | attribute | pattern with {range}, {value} or {looks}
CONDITIONS = """
country, body of water | area_km2 | that covers {range} square kilometres
country | area_km2 | whose area is {range} square kilometres
body of water | area_km2 | whose surface measures {range} square kilometres
settlement | elevation_m | that lies {range} metres above the sea
settlement | elevation_m | whose elevation is {range} metres
settlement | founded | (?:that was founded|whose founding fell) {range}
river, mountain range | length_km | that is {range} kilometres long
river, mountain range | length_km | whose length is {range} kilometres
river | basin_km2 | (?:that drains|whose basin measures) {range} square kilometres
mountain | elevation_m | that is {range} metres high
mountain | elevation_m | whose summit lies {range} metres
mountain | first_ascent | (?:that was first climbed|whose first ascent was made) {range}
body of water | max_depth_m | that is at most {range} metres deep
body of water | max_depth_m | whose greatest depth is {range} metres
building | started | (?:that was begun|whose construction started) {range}
building | completed | (?:that was completed|whose completion fell) {range}
building | height_m | that is {range} metres tall
building | height_m | whose height is {range} metres
person | birth_year | (?:who was born|whose year of birth lies) {range}
person | death_year | (?:who died|whose year of death lies) {range}
artwork, musical composition, invention | year | (?:that dates from|whose date lies) {range}
book | year | (?:that came out|whose date lies) {range}
artwork | height_cm | that measures {range} centimetres in height
artwork | height_cm | whose height is {range} centimetres
organism | described_year | (?:that was described|whose description dates from) {range}
organism | max_length_cm | that grows to {range} centimetres
organism | max_length_cm | whose greatest length is {range} centimetres
organism | max_mass_kg | (?:that weighs up to|whose greatest mass is) {range} kilograms
country, mountain range | continent | whose continent is {value}
country, mountain range | continent | that belongs to the continent of {value}
country | driving_side | (?:whose traffic keeps to|that drives on) the {value}
country | languages | that has {value} as an official language
country | languages | whose official languages include {value}
country | currency | (?:whose currency is|that pays with) the {value}
building | style | (?:whose style is|that is built in the style called) {value}
person | occupation | (?:whose occupation was|who is listed as) {value}
person | field | (?:whose field was|who worked in the field of) {value}
artwork | material | (?:whose material is|that is made of) {value}
book | language | (?:whose language is|that was first written in) {value}
musical composition | key | (?:whose key is|that is in) {value}
organism | class | (?:whose class is|that is classed as) {value}
organism | order | (?:whose order is|that belongs to the order) {value}
organism | family | (?:whose family is|that belongs to the family) {value}
organism | diet | (?:whose food is|that lives on) {value}
country | picture | whose flag (?:shows|bears) {looks}
settlement | picture | whose map in the picture shows {looks}
river | picture | whose board in the picture shows {looks}
mountain | picture | whose summit sign in the picture shows {looks}
building | picture | whose visitor sign in the picture shows {looks}
person | picture | whose plaque in the picture shows {looks}
artwork, organism | picture | whose label in the picture shows {looks}
book | picture | whose title page in the picture shows {looks}
musical composition | picture | whose bill in the picture shows {looks}
invention | picture | whose sheet in the picture shows {looks}
"""

REQUESTS = """
continent, mountain range | highest_peak | what is the highest peak of {R}
country | capital | what is the capital of {R}
country, body of water | area_km2 | what is the area of {R} in square kilometres
country, body of water | area_km2 | how many square kilometres does {R} cover
country | currency | (?:what is the currency of {R}|which currency does {R} use)
country | highest_point | what is the highest point of {R}
country | highest_point | at which mountain does the land of {R} rise highest
country | calling_code | what is the calling code of {R}
country | calling_code | which international calling code does {R} have
country | tld | (?:what is the|which internet) top-level domain (?:of {R}|does {R} use)
country | iso3 | what is the three-letter ISO code of {R}
country | iso3 | which three-letter code does ISO give to {R}
country | demonym | what are the people of {R} called, by their demonym
settlement | country | in which country does {R} lie
settlement | river | on which river does {R} lie
settlement | water | on the shore of which body of water does {R} lie
settlement | founded | (?:in what year was {R} founded|what is the founding year of {R})
settlement, mountain | elevation_m | what is the elevation of {R} in metres
settlement | elevation_m | how many metres above the sea does {R} lie
river, mountain range | length_km | how long is {R} in kilometres
river, mountain range | length_km | what is the length of {R} in kilometres
river | basin_km2 | how many square kilometres does the basin of {R} measure
river | mouth | into what does {R} flow
river | source_country | in which country does {R} rise
mountain | elevation_m | how high is {R} in metres
mountain | range | to which mountain range does {R} belong
mountain | first_ascent | in what year was {R} first climbed
mountain | first_ascent | what is the year of the first ascent of {R}
body of water | max_depth_m | what is the greatest depth of {R} in metres
body of water | max_depth_m | how many metres deep is {R} at its deepest point
body of water | outflow | by way of what does the water of {R} leave
building | city | in which city is {R}
building | architect | who designed {R}
building | started | in what year (?:did the construction of {R} start|was {R} begun)
building | completed | (?:in what year was {R} completed|what is the year of completion of {R})
building | height_m | (?:how tall is {R}|what is the height of {R}) in metres
person | birth_year | (?:in what year was {R} born|what is the year of birth of {R})
person | birth_place | where was {R} born
person | death_year | (?:in what year did {R} die|what is the year of death of {R})
person | death_place | where did {R} die
person | teacher | who taught {R}
person | studied_at | at which institution did {R} study
artwork | year | in what year was {R} made
artwork, book, musical composition, invention | year | what is the date of {R}, as a year
artwork | creator | who created {R}
artwork | location | where is {R} kept
artwork | height_cm | what is the height of {R} in centimetres
book | year | in what year did {R} come out
book | author | who wrote {R}
book | language | in what language was {R} first written
book | setting | where is {R} set
musical composition | composer | who composed {R}
musical composition | key | in what key is {R}
musical composition | premiere_place | where was {R} first performed
musical composition | librettist | who wrote the words of {R}
invention | inventor | who invented {R}
invention | country | in which country did {R} originate
invention | named_after | after whom is {R} named
organism | scientific_name | what is the scientific name of {R}
organism | scientific_name | which scientific name does {R} bear
organism | family | to which family does {R} belong
organism | order | to which order does {R} belong
organism | described_by | who scientifically described {R}
organism | described_year | in what year was {R} scientifically described
organism | max_length_cm | to what length does {R} grow, in centimetres
organism | max_mass_kg | how many kilograms does {R} weigh at most
"""
