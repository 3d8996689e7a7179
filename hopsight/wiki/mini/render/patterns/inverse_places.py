"""What a page tells of the places, waters and peaks that name it (relations read backwards)."""

from hopsight.wiki.mini.render.pattern import lines

INVERSE = {
    "countries.capital": (
        "Government and society",
        lines(
            "{s} is the capital of {v}.",
            "{n} serves as capital of {v}.",
            "The country with {s} as its capital is {v}.",
            "{s} has the rank of capital in {v}.",
            held=("{v} [has|have] {s} for [its|their] capital.",),
        ),
    ),
    "countries.highest_point": (
        "Geography",
        lines(
            "{s} is the highest point of {v}.",
            "{n} is the highest point in {v}.",
            "In {v} no point is higher than {s}.",
            "As its highest point, {v} has {s}.",
            held=("The land of {v} culminates in {s}.",),
        ),
    ),
    "continents.highest_peak": (
        "Geography",
        lines(
            "{s} is the highest peak of {v}.",
            "In {v} no peak is higher than {s}.",
            "{n} is the highest peak in {v}.",
            "As a continent, {v} has its highest peak in {s}.",
            held=("The continent of {v} culminates in {s}, its highest peak.",),
        ),
    ),
    "countries.borders": (
        "Geography",
        lines(
            "{s} also borders {v}.",
            "There is a border between {s} and {v}.",
            "{v} [is|are] also [a neighbour|neighbours] of {s}.",
            "{n} shares a border with {v} too.",
            held=("Land frontiers run between {s} and {v} too.",),
        ),
    ),
    "cities.country": (
        "Cities",
        lines(
            "[One city|Cities] in {s} [is|include] {v}.",
            "Among the cities of {s} [is|are] {v}.",
            "{s} counts {v} among its cities.",
            "[One of the cities of {n} is|The cities of {n} include] {v}.",
            held=("City life in {s} has a home in {v}.",),
            parts=(
                "Cities in {s} include {v}.",
                "Among the cities of {s} are {v}.",
                "{s} counts {v} among its cities.",
                "[One of the cities of {n} is|The cities of {n} include] {v}.",
            ),
            parts_held=(
                "City life in {s} has a home in {v}.",
                "City life in {s} is at home in {v} as well.",
            ),
        ),
    ),
    "cities.river": (
        "Course",
        lines(
            "[A city|Cities] on {s} [is|include] {v}.",
            "{s} flows past {v}.",
            "{s} has {v} among the cities on its banks.",
            "Among the cities on {n} [is|are] {v}.",
            held=("The course of {s} runs by {v}.",),
            parts=(
                "Cities on {s} include {v}.",
                "{s} flows past {v}.",
                "Among the cities on {n} are {v}.",
                "{s} has {v} among the cities on its banks.",
            ),
            parts_held=(
                "The course of {s} runs by {v}.",
                "Further along, the course of {s} runs by {v}.",
            ),
        ),
    ),
    "cities.water": (
        "Geography",
        lines(
            "[A city|Cities] on the shore of {s} [is|include] {v}.",
            "Among the cities on {s} [is|are] {v}.",
            "{v} [shares|share] the shore of {s}.",
            "On the shore of {n} [stands|stand] {v}.",
            held=("The waterfront of {v} faces {s}.",),
            parts=(
                "Cities on the shore of {s} include {v}.",
                "Among the cities on {s} are {v}.",
                "{v} share the shore of {s}.",
                "On the shore of {n} stand {v}.",
            ),
            parts_held=("The waterfronts of {v} face {s}.", "{s} is faced by the towns of {v}."),
        ),
    ),
    "rivers.mouth": (
        "Inflow and outflow",
        lines(
            "[A river|Rivers] that flow[s|] into {s} [is|include] {v}.",
            "{s} receives the water of {v}.",
            "Among the rivers that end in {s} [is|are] {v}.",
            "{n} receives {v}.",
            held=("River water reaches {s} by way of {v}.",),
            parts=(
                "Rivers that flow into {s} include {v}.",
                "{s} receives the water of {v}.",
                "Among the rivers that end in {s} are {v}.",
                "{n} receives {v}.",
            ),
            parts_held=(
                "River water reaches {s} by way of {v}.",
                "River water comes to {s} from {v} as well.",
            ),
        ),
    ),
    "rivers.countries": (
        "Geography",
        lines(
            "[A river|Rivers] of {s} [is|include] {v}.",
            "{v} [flows|flow] in {s} for part or all of [its|their] course.",
            "Among the rivers of {n} [is|are] {v}.",
            "[A river|Rivers] whose course touches {s} [is|are] {v}.",
            held=("River water moves through {s} in {v}.",),
            parts=(
                "Rivers of {s} include {v}.",
                "Among the rivers of {n} are {v}.",
                "{v} flow in {s} for part or all of their course.",
                "Rivers whose course touches {s} include {v}.",
            ),
            parts_held=("River water moves through {s} in {v}.", "{s} is also crossed by {v}."),
        ),
    ),
    "rivers.source_country": (
        "Geography",
        lines(
            "[A river|Rivers] that rise[s|] in {s} [is|include] {v}.",
            "{v} [has its|have their] source in {s}.",
            "{s} holds the source[|s] of {v}.",
            "In {n} [is|are] the source[|s] of {v}.",
            held=("The beginnings of {v} lie in {s}.",),
            parts=(
                "Rivers that rise in {s} include {v}.",
                "{v} have their source in {s}.",
                "{s} holds the sources of {v}.",
                "In {n} are the sources of {v}.",
            ),
            parts_held=(
                "The beginnings of {v} lie in {s}.",
                "In {s} lie the beginnings of {v} too.",
            ),
        ),
    ),
    "rivers.tributary_of": (
        "Basin",
        lines(
            "[A tributary|Tributaries] of {s} [is|include] {v}.",
            "{s} takes in {v} as [a tributary|tributaries].",
            "Among the tributaries of {n} [is|are] {v}.",
            "{s} has {v} among its tributaries.",
            held=("Water comes to {s} from {v}, [a tributary|tributaries].",),
            parts=(
                "Tributaries of {s} include {v}.",
                "{s} takes in {v} as tributaries.",
                "Among the tributaries of {n} are {v}.",
                "{s} has {v} among its tributaries.",
            ),
            parts_held=(
                "Water comes to {s} from {v}, its tributaries.",
                "Further tributaries of {s} are {v}.",
            ),
        ),
    ),
    "mountains.countries": (
        "Geography",
        lines(
            "[A mountain|Mountains] of {s} [is|include] {v}.",
            "Among the mountains of {s} [is|are] {v}.",
            "{v} [is a mountain|are mountains] of {n}.",
            "[One of the mountains of {n} is|The mountains of {n} include] {v}.",
            held=("To the heights of {s} belong[s|] {v}.",),
            parts=(
                "Mountains of {s} include {v}.",
                "Among the mountains of {s} are {v}.",
                "{v} are mountains of {n}.",
                "[One of the mountains of {n} is|The mountains of {n} include] {v}.",
            ),
            parts_held=("To the heights of {s} belong {v}.", "Other heights of {s} are {v}."),
        ),
    ),
    "mountains.range": (
        "Geography",
        lines(
            "[A peak|Peaks] of {s} [is|include] {v}.",
            "Among the peaks of {s} [is|are] {v}.",
            "{v} [rises|rise] within {s}.",
            "[One of the peaks of {n} is|The peaks of {n} include] {v}.",
            held=("The crests of {s} carry {v}.",),
            parts=(
                "Peaks of {s} include {v}.",
                "Among the peaks of {s} are {v}.",
                "{v} rise within {s}.",
                "[One of the peaks of {n} is|The peaks of {n} include] {v}.",
            ),
            parts_held=("The crests of {s} carry {v}.", "The crests of {s} also carry {v}."),
        ),
    ),
    "mountains.first_ascender": (
        "Work",
        lines(
            "[A mountain|Mountains] first climbed by {s} [is|are] {v}.",
            "{s} took part in the first ascent of {v}.",
            "{n} made the first ascent of {v}.",
            "The climbs of {s} include the first ascent of {v}.",
            held=("To {s} fell the first ascent of {v}.",),
        ),
    ),
    "ranges.countries": (
        "Geography",
        lines(
            "[A mountain range|Mountain ranges] in {s} [is|include] {v}.",
            "Among the mountain ranges of {s} [is|are] {v}.",
            "Part of the territory of {s} is taken up by {v}.",
            "[One of the mountain ranges of {n} is|The mountain ranges of {n} include] {v}.",
            held=("High ground in {s} is formed by {v}.",),
            parts=(
                "Mountain ranges in {s} include {v}.",
                "Among the mountain ranges of {s} are {v}.",
                "The mountain ranges of {s} include {v}.",
                "[One of the mountain ranges of {n} is|The mountain ranges of {n} include] {v}.",
            ),
            parts_held=("High ground in {s} is formed by {v}.", "{s} has a share in {v}."),
        ),
    ),
    "ranges.highest_peak": (
        "Geography",
        lines(
            "{s} is the highest peak of {v}.",
            "{n} is the highest peak of {v}.",
            "The highest peak of {v} is known as {s}.",
            "In {v} no summit is higher than {s}.",
            held=("The summit of {s} is the top of {v}.",),
        ),
    ),
    "waters.countries": (
        "Geography",
        lines(
            "{s} has a shore on {v}.",
            "Part of the shore of {v} belongs to {s}.",
            "The water[|s] on which {s} has a shore [is|include] {v}.",
            "{n} reaches the shore of {v}.",
            held=("From land in {s} one can step into {v}.",),
            parts=(
                "{s} has a shore on {v}.",
                "The waters on which {s} has a shore include {v}.",
                "{n} reaches the shores of {v}.",
                "Parts of the shores of {v} belong to {s}.",
            ),
            parts_held=("From land in {s} one can step into {v}.", "{s} also borders on {v}."),
        ),
    ),
    "waters.outflow": (
        "Basin",
        lines(
            "{s} carries the outflow of {v}.",
            "{n} receives the outflow of {v}.",
            "{s} is the water into which {v} drains.",
            "Water from {v} leaves by {s}, the outflow.",
            held=("What overflows from {v} goes into {s}.",),
        ),
    ),
}
