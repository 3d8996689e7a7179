"""Which names want `the`, which are plural, and which common names keep a capital letter."""

import re
from typing import Final


def _starts(words: str) -> str:
    """A pattern: the name starts with one of the words (separated by `;`)."""
    return rf"^({'|'.join(re.escape(word.strip()) for word in words.split(';'))})(?!\w)"


def _ends(words: str) -> str:
    """A pattern: the name ends with one of the words (separated by `;`)."""
    return rf"({'|'.join(re.escape(word.strip()) for word in words.split(';'))})$"


_COUNTRY = re.compile(
    _starts(
        "United; Federated States; Republic of; Democratic Republic; Netherlands; Bahamas; Gambia"
        "; Maldives; Philippines; Comoros; Holy See; Czech Republic; Soviet Union; Kingdom of"
    )
    + "|"
    + _ends(" Republic; Islands; Emirates; Empire")
)
_NOT_WATER = re.compile(
    _starts("Lake; Loch; Lago; Lough; Laguna; Cook Strait; Port Phillip; Tonlé Sap")
    + "|"
    + _ends(" Lake; Bay; Sound; Falls; Reservoir")
)
_LAKE = re.compile(r" Sea$|^(Great Salt Lake|IJsselmeer)$")
_MOUNTAIN = re.compile(
    _ends("horn; spitze; glockner; Eiger; Mönch; Jungfrau; Brocken; Massif; Gran Sasso d'Italia")
)
_NOT_BUILDING = re.compile(
    _ends(
        " Cathedral; Basilica; Abbey; Minster; Castle; Palace; University; Stadium; Square"
        "; Station; Airport; Church; Hall; Wat; Park; Monastery; College; Chapel; Mosque"
    )
    + "|"
    + _starts(
        "St; St.; Saint; Santa; Santo; San; Sant; Sant'Ivo; Notre-Dame; Château; Casa; Villa; Ponte"
        "; Tate; Big; Angkor; Machu; Chichen; Petra; Stonehenge; Borobudur; Hagia; La; Il; Teatro"
        "; ETH; Trinity College; Burj; Taipei; Palazzo; Castel; Camp; Al-Azhar; Fallingwater"
        "; Park; Tower Bridge; London Bridge; Charles Bridge; Westminster; Galleria"
        "; Sanssouci; 30 St Mary; Chhatrapati; Habitat; Marina; Hallgrímskirkja; De; Amsterdam"
        "; Christ the; Parliament House; Belém; Kinkaku-ji; Tōdai-ji; Trajan's; Hadrian's"
        "; Nelson's; Cleopatra's; King's College"
    )
)
_BUILDING: Final = frozenset(
    {
        "Apostolic Palace", "Blue Mosque", "Crystal Palace", "Doge's Palace", "Forbidden City",
        "Giant Wild Goose Pagoda", "National Congress Palace", "Petronas Towers", "Potala Palace",
        "Royal Albert Hall", "Saint Petersburg Conservatory", "Sistine Chapel", "Summer Palace",
        "Villa Savoye", "Winter Palace",
    }
)  # fmt: skip
_WORK = re.compile(
    _starts(
        "Venus of; Venus de; Winged Victory; Rosetta; Sistine; Bayeux; Bust; Beethoven Frieze"
        "; Bronze Horseman; Book of; Cellini; Doni Tondo; Elgin Marbles; Lion Monument; Lion of"
        "; Madonna of; Rokeby Venus; Ghent Altarpiece; Isenheim; Nefertiti Bust; Little Mermaid"
        "; Statue; Terracotta; Capitoline; Apollo Belvedere; Laocoön Group; Arnolfini Portrait"
        "; Brandenburg Concertos; Goldberg Variations; Enigma Variations; Diabelli Variations"
        "; Epic of; Gutenberg Bible"
    )
    + "|^(?!An )(?!The ).*"
    + _ends("Symphony; Sonata; Quintet; Overture; Passion; Violin Concerto")
)
_PLURAL_WORK = re.compile(_ends(" Marbles; Concertos; Variations; Dances"))
_PLURAL_RANGE = re.compile(r"s$")
_PLURAL_BUILDING = re.compile(_ends(" Towers; Houses; Gates; Baths; Pyramids"))
_CAPITAL = re.compile(
    r"(an|ese|ish|ian|'s)$|"
    + _starts(
        "Komodo; Japan; New; Atlantic; Nile; Galápagos; Père; Arctic; Ganges; Amazon; Philippine"
        "; Himalaya; Saint; Douglas; Norway; Scots; Madagascar; Bengal; Baikal; Java; Canada"
        "; Victoria; Humboldt; Magellanic; Cape; Raggiana; Lebanon; Socotra; Venus; Christmas"
        "; Andes; Monterey; Indo; Pacific; Brazil; Palestine; Rafflesia; Sri; Puerto; Costa; Lord"
    )
)
_LOWER: Final = frozenset(
    {"Banyan", "Common", "Ocean", "Human", "Pelican", "Orangutan", "Toucan", "Swan", "Durian"}
)
_COMPASS: Final = frozenset({"North", "South", "East", "West"})
_BARE_INVENTIONS: Final = frozenset({"Chicago Pile-1", "Dynamite", "Penicillin"})
_CAPITAL_INVENTIONS: Final = frozenset({"Erdapfel"})
_THE_CRAFT = re.compile(r"(Telescope|Observatory|Flyer|Balloon|Steamboat|Station)$", re.IGNORECASE)


def country_wants_the(name: str) -> bool:
    """`the United States`, but `France`."""
    return bool(_COUNTRY.search(name))


def water_wants_the(name: str) -> bool:
    """`the Black Sea`, but `Hudson Bay`."""
    return not _NOT_WATER.search(name)


def lake_wants_the(name: str) -> bool:
    """`the Aral Sea`, but `Lake Geneva` and `Vänern`."""
    return bool(_LAKE.search(name))


def mountain_wants_the(name: str) -> bool:
    """`the Matterhorn`, but `Mount Everest`."""
    return bool(_MOUNTAIN.search(name))


def building_wants_the(name: str) -> bool:
    """`the Louvre`, but `Cologne Cathedral`."""
    return name in _BUILDING or not _NOT_BUILDING.search(name)


def work_wants_the(name: str) -> bool:
    """`the Venus de Milo`, but `Guernica`."""
    return bool(_WORK.search(name))


def range_is_plural(name: str) -> bool:
    """`the Alps are`, but `the Karakoram is`."""
    return bool(_PLURAL_RANGE.search(name))


def building_is_plural(name: str) -> bool:
    """`the Petronas Towers are`."""
    return bool(_PLURAL_BUILDING.search(name))


def work_is_plural(name: str) -> bool:
    """`the Elgin Marbles are`."""
    return bool(_PLURAL_WORK.search(name))


def species_wants_the(name: str) -> bool:
    """`the giant panda`, but `Baird's tapir`; a scientific name stands alone too."""
    return not (name.split(" ")[0].endswith("'s") or name.startswith("Rafflesia"))


def keeps_capital(name: str) -> bool:
    """Whether a species' first word is a proper one: `African elephant`, but `giant panda`."""
    first, _, rest = name.partition(" ")
    word = first.split("-")[0]
    if word in _COMPASS:
        return rest[:1].isupper()
    return word not in _LOWER and bool(_CAPITAL.search(word))


def invention_wants_the(name: str) -> bool:
    """`the piano`, but `penicillin`."""
    return name not in _BARE_INVENTIONS and not name.startswith(("The ", "A "))


def invention_keeps_capital(name: str) -> bool:
    """`the Z3` and `the Erdapfel`, but `the piano`."""
    first = name.split(" ")[0]
    return name in _CAPITAL_INVENTIONS or len(first) == 1 or any(c.isdigit() for c in first)


def craft_wants_the(name: str) -> bool:
    """`the Wright Flyer`, but `Apollo 11`."""
    return bool(_THE_CRAFT.search(name))
