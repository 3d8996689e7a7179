"""What a page tells of the works and species that name it (relations read backwards)."""

from hopsight.wiki.mini.render.pattern import Lines, lines


def _works(verb: str, noun: str, plural: str) -> Lines:
    """Lines for works and their maker; `verb` is "painted or made", `noun` "work of art"."""
    return lines(
        f"[One {noun}|{plural}] by {{s}} [is|include] {{v}}.",
        f"Among the {plural} of {{s}} [is|are] {{v}}.",
        f"{{n}} {verb} {{v}}.",
        "{v} [is|are] by {s}.",
        held=(f"It was {{s}} who {verb} {{v}}.",),
        parts=(
            f"{plural} by {{s}} include {{v}}.",
            f"Among the {plural} of {{s}} are {{v}}.",
            f"{{n}} {verb} {{v}}.",
            "{v} are by {s}.",
        ),
        parts_held=(f"It was {{s}} who {verb} {{v}}.", "To {s} we also owe {v}."),
    )


INVERSE = {
    "artworks.creator": ("Work", _works("made", "work of art", "works of art")),
    "books.author": ("Work", _works("wrote", "piece of writing", "writings")),
    "music.composer": ("Work", _works("composed", "composition", "compositions")),
    "buildings.architect": ("Work", _works("designed", "building", "buildings")),
    "inventions.inventor": ("Work", _works("invented", "invention", "inventions")),
    "music.librettist": (
        "Work",
        lines(
            "{s} is the author of the libretto of {v}.",
            "[A libretto|Librettos] by {s} [is that|are those] of {v}.",
            "{n} supplied the libretto for {v}.",
            "As a librettist {s} served {v}.",
            held=("{s} found the sung words for {v}.",),
        ),
    ),
    "music.premiere_place": (
        "Culture",
        lines(
            "[A work|Works] first performed {in:s} [is|include] {v}.",
            "{s} was the scene of the premiere[|s] of {v}.",
            "{v} had [its|their] premiere {in:s}.",
            "Among the works with a premiere {in:s} [is|are] {v}.",
            held=("An audience {in:s} was the first to hear {v}.",),
            parts=(
                "Works first performed {in:s} include {v}.",
                "{s} was the scene of the premieres of {v}.",
                "{v} had their premieres {in:s}.",
                "Among the works with a premiere {in:s} are {v}.",
            ),
            parts_held=(
                "Audiences {in:s} were the first to hear {v}.",
                "{s} also first heard {v}.",
            ),
        ),
    ),
    "artworks.location": (
        "Collection",
        lines(
            "[A work|Works] kept {in:s} [is|include] {v}.",
            "Among the works kept {in:s} [is|are] {v}.",
            "{v} can be found {in:s}.",
            "The collection of {n} includes {v}.",
            held=("To the holdings of {s} belong[s|] {v}.",),
            parts=(
                "Works kept {in:s} include {v}.",
                "Among the works kept {in:s} are {v}.",
                "{v} can be found {in:s}.",
                "The collection of {n} includes {v}.",
            ),
            parts_held=("To the holdings of {s} belong {v}.", "The holdings of {s} include {v}."),
        ),
    ),
    "buildings.houses": (
        "History",
        lines(
            "{s} <belongs|belong> to the works kept at {v}.",
            "{n} is part of the collection of {v}.",
            "{v} [houses|house] {s} among [its|their] works.",
            "The place where {s} <is|are> kept is {v}.",
            held=("The holdings of {v} extend to {s}.",),
        ),
    ),
    "artworks.subject": (
        "In art",
        lines(
            "[A work|Works] of art with {s} as subject [is|include] {v}.",
            "{s} is the subject of {v}.",
            "{v} [takes|take] {s} as [its|their] subject.",
            "In art {s} is treated in {v}.",
            held=("Artists took up {s} in {v}.",),
        ),
    ),
    "books.setting": (
        "Culture",
        lines(
            "[A book|Books] set {in:s} [is|include] {v}.",
            "{s} is the setting of {v}.",
            "{v} [has|have] {s} as [its|their] setting.",
            "Among the writings set {in:s} [is|are] {v}.",
            held=("Readers of {v} are led to {s}, the setting.",),
            parts=(
                "Books set {in:s} include {v}.",
                "{s} is the setting of {v}.",
                "{v} have {s} as their setting.",
                "Among the writings set {in:s} are {v}.",
            ),
            parts_held=(
                "Readers of {v} are led to {s}, the setting.",
                "{s} is also the scene of {v}.",
            ),
        ),
    ),
    "books.characters": (
        "In literature",
        lines(
            "{s} is a character in {v}.",
            "{v} [has|have] {s} among [its|their] characters.",
            "{v} [tells|tell] of {s}, one of [its|their] characters.",
            "{n} appears as a character in {v}.",
            held=("Readers of {v} meet {s}.",),
        ),
    ),
    "buildings.city": (
        "Landmarks",
        lines(
            "[A landmark|Landmarks] of {s} [is|include] {v}.",
            "{s} is home to {v}.",
            "Among the buildings of {s} [is|are] {v}.",
            "In {n} [stands|stand] {v}.",
            held=("Visitors of {s} come to {v}.",),
            parts=(
                "Landmarks of {s} include {v}.",
                "{s} is home to {v}.",
                "Among the buildings of {s} are {v}.",
                "In {n} stand {v}.",
            ),
            parts_held=("Visitors of {s} come to {v}.", "Visitors of {s} also come to {v}."),
        ),
    ),
    "buildings.country": (
        "Culture",
        lines(
            "[A building|Buildings] in {s} [is|include] {v}.",
            "Among the buildings of {s} [is|are] {v}.",
            "[One of the monuments of {s} is|The monuments of {s} include] {v}.",
            "[One of the buildings of {n} is|The buildings of {n} include] {v}.",
            held=("Builders in {s} left {v}.",),
            parts=(
                "Buildings in {s} include {v}.",
                "Among the buildings of {s} are {v}.",
                "[One of the monuments of {s} is|The monuments of {s} include] {v}.",
                "[One of the buildings of {n} is|The buildings of {n} include] {v}.",
            ),
            parts_held=("The stock of buildings in {s} holds {v}.", "{s} is also home to {v}."),
        ),
    ),
    "inventions.country": (
        "Technology",
        lines(
            "[An invention|Inventions] from {s} [is|include] {v}.",
            "{s} is the place of origin of {v}.",
            "Among the works of technology from {s} [is|are] {v}.",
            "{n} is the country of origin of {v}.",
            held=("{s} served as the cradle of {v}.",),
            parts=(
                "Inventions from {s} include {v}.",
                "{s} is the place of origin of {v}.",
                "Among the works of technology from {s} are {v}.",
                "{n} is the country of origin of {v}.",
            ),
            parts_held=("{s} served as the cradle of {v}.", "From {s} come {v} as well."),
        ),
    ),
    "inventions.named_after": (
        "Legacy",
        lines(
            "{v} [carries|carry] the name of {s}.",
            "The name of {s} lives on in {v}.",
            "{s} gave a name to {v}.",
            "Named after {s} [is|are] {v}.",
            held=("The name of {v} recalls {s}.",),
        ),
    ),
    "organisms.native_to": (
        "Nature",
        lines(
            "[A species|Species] found in {s} [is|include] {v}.",
            "{s} has {v} among its native species.",
            "Among the wildlife of {s} [is|are] {v}.",
            "The living things native to {n} include {v}.",
            held=("Nature in {s} is home to {v}.",),
            parts=(
                "Species found in {s} include {v}.",
                "{s} has {v} among its native species.",
                "Among the wildlife of {s} are {v}.",
                "The living things native to {n} include {v}.",
            ),
            parts_held=("Nature in {s} is home to {v}.", "Nature in {s} is home also to {v}."),
        ),
    ),
    "organisms.described_by": (
        "Work",
        lines(
            "{s} is the author of the first scientific description of {v}.",
            "[A species|Species] described by {s} [is|include] {v}.",
            "Among the species described by {n} [is|are] {v}.",
            "{v} [has its|have their] first description from {s}.",
            held=("Science owes the description of {v} to {s}.",),
            parts=(
                "Species described by {s} include {v}.",
                "Among the species described by {n} are {v}.",
                "{s} is the author of the first scientific description of {v}.",
                "{v} have their first description from {s}.",
            ),
            parts_held=("Science owes the description of {v} to {s}.", "{s} also described {v}."),
        ),
    ),
    "organisms.national_symbol_of": (
        "Nature",
        lines(
            "[A national symbol|National symbols] of {s} [is|are] {v}.",
            "{v} [stands|stand] for {s} as [a national symbol|national symbols].",
            "{n} has {v} as [a national symbol|national symbols].",
            "The national symbols of {s} include {v}.",
            held=("As a national symbol, {s} has {v}.",),
        ),
    ),
}
