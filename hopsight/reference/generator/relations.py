"""How the generator says that one entity leads to the next: data, one row a relation.

Each template names the predecessor once as `{prev}` and ends with the new entity, `{node}`. The
rows under AHEAD are for a fact on the predecessor's page, those under BACK for one on the new
entity's page; a relation is keyed by the infobox of the page that holds the fact. No two
(attribute, direction) pairs share a template, so a sentence says exactly one relation.
"""

from collections.abc import Mapping

Phrases = Mapping[tuple[str, str], tuple[str, ...]]

LINKED: tuple[str, ...] = (
    "{prev} has to do with {node}",
    "{prev} is connected with {node}",
)
"""What is said where the relation itself is not told."""

AHEAD: Phrases = {
    ("country", "capital"): (
        "the capital of {prev} is {node}",
        "{prev} has its capital in {node}",
    ),
    ("country", "borders"): (
        "{prev} borders {node}",
        "{prev} shares a land border with {node}",
        "one of the neighbours of {prev} is {node}",
    ),
    ("country", "highest_point"): (
        "the highest point of {prev} is {node}",
        "the land of {prev} rises highest at {node}",
    ),
    ("country", "continent"): (
        "{prev} lies on {node}",
        "{prev} is a part of {node}",
    ),
    ("continent", "highest_peak"): (
        "the highest peak of {prev} is {node}",
        "{prev} reaches its greatest height at {node}",
    ),
    ("mountain range", "continent"): (
        "{prev} lies on {node}",
        "{prev} is a part of {node}",
    ),
    ("settlement", "country"): (
        "{prev} lies in {node}",
        "the country of {prev} is {node}",
    ),
    ("settlement", "river"): (
        "{prev} lies on the banks of {node}",
        "{prev} stands beside {node}",
    ),
    ("settlement", "water"): (
        "{prev} lies on the shore of {node}",
        "the waterfront of {prev} faces {node}",
    ),
    ("river", "mouth"): (
        "{prev} flows into {node}",
        "{prev} ends in {node}",
    ),
    ("river", "countries"): (
        "{prev} flows through {node}",
        "part of the course of {prev} lies in {node}",
    ),
    ("river", "source_country"): (
        "{prev} rises in {node}",
        "the source of {prev} lies in {node}",
    ),
    ("river", "tributary_of"): (
        "{prev} is a tributary of {node}",
        "{prev} feeds {node}",
    ),
    ("mountain", "countries"): (
        "{prev} stands within the borders of {node}",
        "{prev} is counted among the mountains of {node}",
    ),
    ("mountain", "range"): (
        "{prev} belongs to {node}",
        "{prev} forms part of {node}",
    ),
    ("mountain", "first_ascender"): (
        "among the first to climb {prev} was {node}",
        "the first ascent of {prev} was made by {node}",
    ),
    ("mountain range", "countries"): (
        "{prev} extends into {node}",
        "{prev} covers part of {node}",
    ),
    ("mountain range", "highest_peak"): (
        "the highest peak of {prev} is {node}",
        "{prev} reaches its greatest height at {node}",
    ),
    ("body of water", "countries"): (
        "{prev} touches the territory of {node}",
        "one of the countries around {prev} is {node}",
    ),
    ("body of water", "outflow"): (
        "{prev} drains into {node}",
        "{prev} empties by way of {node}",
    ),
    ("building", "city"): (
        "{prev} is one of the sights of {node}",
        "{prev} belongs to the cityscape of {node}",
    ),
    ("building", "country"): (
        "{prev} stands on the soil of {node}",
        "{prev} is found in {node}",
    ),
    ("building", "architect"): (
        "{prev} was designed by {node}",
        "the plans of {prev} were drawn by {node}",
    ),
    ("building", "houses"): (
        "{prev} houses {node}",
        "among the treasures in {prev} is {node}",
    ),
    ("person", "birth_place"): (
        "{prev} was born in {node}",
        "the birthplace of {prev} is {node}",
    ),
    ("person", "death_place"): (
        "{prev} died in {node}",
        "the life of {prev} ended in {node}",
    ),
    ("person", "country"): (
        "{prev} came from {node}",
        "the home country of {prev} was {node}",
    ),
    ("person", "studied_at"): (
        "{prev} studied at {node}",
        "{prev} was educated at {node}",
    ),
    ("person", "teacher"): (
        "{prev} was taught by {node}",
        "{prev} was a pupil of {node}",
    ),
    ("person", "notable_works"): (
        "{prev} is known for {node}",
        "one of the notable works of {prev} is {node}",
    ),
    ("artwork", "creator"): (
        "{prev} was created by {node}",
        "{prev} came from the hand of {node}",
    ),
    ("artwork", "location"): (
        "{prev} is kept in {node}",
        "{prev} can be seen in {node}",
    ),
    ("artwork", "subject"): (
        "{prev} depicts {node}",
        "the subject of {prev} is {node}",
    ),
    ("book", "author"): (
        "{prev} was penned by {node}",
        "the author of {prev} is {node}",
    ),
    ("book", "setting"): (
        "{prev} is set in {node}",
        "the story of {prev} takes place in {node}",
    ),
    ("book", "characters"): (
        "one of the characters in {prev} is {node}",
        "the story of {prev} tells of {node}",
    ),
    ("musical composition", "composer"): (
        "{prev} was composed by {node}",
        "the composer of {prev} is {node}",
    ),
    ("musical composition", "premiere_place"): (
        "{prev} was first performed in {node}",
        "the premiere of {prev} took place in {node}",
    ),
    ("musical composition", "librettist"): (
        "{prev} has a libretto by {node}",
        "the words of {prev} were written by {node}",
    ),
    ("invention", "inventor"): (
        "{prev} was devised by {node}",
        "the inventor of {prev} is {node}",
    ),
    ("invention", "country"): (
        "{prev} originated in {node}",
        "the country of origin of {prev} is {node}",
    ),
    ("invention", "named_after"): (
        "{prev} is named after {node}",
        "{prev} bears the name of {node}",
    ),
    ("organism", "native_to"): (
        "{prev} is native to {node}",
        "{prev} lives in the wild in {node}",
    ),
    ("organism", "described_by"): (
        "{prev} was scientifically described by {node}",
        "the scientific description of {prev} comes from {node}",
    ),
    ("organism", "national_symbol_of"): (
        "{prev} is a national symbol of {node}",
        "{prev} serves as an emblem of {node}",
    ),
}

BACK: Phrases = {
    ("country", "continent"): (
        "one of the countries of {prev} is {node}",
        "to {prev} belongs {node}",
    ),
    ("continent", "highest_peak"): (
        "{prev} is the highest peak of {node}",
        "{prev} towers over all other peaks of {node}",
    ),
    ("mountain range", "continent"): (
        "one of the ranges of {prev} is {node}",
        "across {prev} runs {node}",
    ),
    ("country", "capital"): (
        "{prev} is the capital of {node}",
        "{prev} serves as the capital of {node}",
    ),
    ("country", "highest_point"): (
        "{prev} is the highest point of {node}",
        "{prev} rises above every other point of {node}",
    ),
    ("settlement", "country"): (
        "one of the cities of {prev} is {node}",
        "{prev} contains {node}",
    ),
    ("settlement", "river"): (
        "on the banks of {prev} lies {node}",
        "one of the cities along {prev} is {node}",
    ),
    ("settlement", "water"): (
        "on the shore of {prev} lies {node}",
        "one of the cities at the edge of {prev} is {node}",
    ),
    ("river", "mouth"): (
        "{prev} receives the waters of {node}",
        "into {prev} flows {node}",
    ),
    ("river", "countries"): (
        "through {prev} flows {node}",
        "{prev} is one of the countries along {node}",
    ),
    ("river", "source_country"): (
        "in {prev} rises {node}",
        "{prev} holds the source of {node}",
    ),
    ("river", "tributary_of"): (
        "one of the tributaries of {prev} is {node}",
        "{prev} is fed by {node}",
    ),
    ("mountain", "countries"): (
        "within the borders of {prev} stands {node}",
        "{prev} counts among its mountains {node}",
    ),
    ("mountain", "range"): (
        "{prev} includes {node}",
        "one of the peaks of {prev} is {node}",
    ),
    ("mountain", "first_ascender"): (
        "{prev} was among the first to climb {node}",
        "{prev} took part in the first ascent of {node}",
    ),
    ("mountain range", "countries"): (
        "into {prev} extends {node}",
        "part of {prev} is covered by {node}",
    ),
    ("mountain range", "highest_peak"): (
        "{prev} is the highest peak of {node}",
        "{prev} towers over all other peaks of {node}",
    ),
    ("body of water", "countries"): (
        "the territory of {prev} reaches {node}",
        "{prev} has a share in the shores of {node}",
    ),
    ("body of water", "outflow"): (
        "{prev} drains {node}",
        "{prev} carries away the water of {node}",
    ),
    ("building", "city"): (
        "one of the sights of {prev} is {node}",
        "the cityscape of {prev} includes {node}",
    ),
    ("building", "country"): (
        "on the soil of {prev} stands {node}",
        "one of the landmarks of {prev} is {node}",
    ),
    ("building", "architect"): (
        "{prev} designed {node}",
        "{prev} drew the plans of {node}",
    ),
    ("building", "houses"): (
        "{prev} is one of the treasures in {node}",
        "{prev} is housed by {node}",
    ),
    ("person", "birth_place"): (
        "{prev} is the birthplace of {node}",
        "in {prev} was born {node}",
    ),
    ("person", "death_place"): (
        "{prev} is the place of death of {node}",
        "in {prev} died {node}",
    ),
    ("person", "country"): (
        "{prev} was the home country of {node}",
        "from {prev} came {node}",
    ),
    ("person", "studied_at"): (
        "one of the former students of {prev} is {node}",
        "at {prev} studied {node}",
    ),
    ("person", "teacher"): (
        "{prev} taught {node}",
        "one of the pupils of {prev} was {node}",
    ),
    ("person", "notable_works"): (
        "{prev} is among the notable works of {node}",
        "{prev} is a well-known work of {node}",
    ),
    ("artwork", "creator"): (
        "{prev} created {node}",
        "from the hand of {prev} comes {node}",
    ),
    ("artwork", "location"): (
        "the collection of {prev} includes {node}",
        "on view in {prev} is {node}",
    ),
    ("artwork", "subject"): (
        "{prev} is depicted by {node}",
        "{prev} is the subject of {node}",
    ),
    ("book", "author"): (
        "{prev} wrote {node}",
        "{prev} is the author of {node}",
    ),
    ("book", "setting"): (
        "{prev} is the setting of {node}",
        "in {prev} takes place the story of {node}",
    ),
    ("book", "characters"): (
        "{prev} appears as a character in {node}",
        "{prev} is one of the figures in {node}",
    ),
    ("musical composition", "composer"): (
        "{prev} composed {node}",
        "{prev} is the composer of {node}",
    ),
    ("musical composition", "premiere_place"): (
        "{prev} saw the first performance of {node}",
        "{prev} hosted the premiere of {node}",
    ),
    ("musical composition", "librettist"): (
        "{prev} wrote the words of {node}",
        "{prev} supplied the libretto for {node}",
    ),
    ("invention", "inventor"): (
        "{prev} invented {node}",
        "{prev} is the inventor of {node}",
    ),
    ("invention", "country"): (
        "{prev} is the country of origin of {node}",
        "in {prev} originated {node}",
    ),
    ("invention", "named_after"): (
        "{prev} gave a name to {node}",
        "after {prev} is named {node}",
    ),
    ("organism", "native_to"): (
        "one of the species native to {prev} is {node}",
        "in the wild of {prev} lives {node}",
    ),
    ("organism", "described_by"): (
        "{prev} scientifically described {node}",
        "{prev} gave the scientific description of {node}",
    ),
    ("organism", "national_symbol_of"): (
        "a national symbol of {prev} is {node}",
        "one of the emblems of {prev} is {node}",
    ),
}
