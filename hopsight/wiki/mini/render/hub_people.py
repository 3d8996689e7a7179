"""Texts of general articles: occupations, kinds of works, fields and living things."""

PEOPLE = {
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

WORKS = {
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

FIELDS = {
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

LIFE = {
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
