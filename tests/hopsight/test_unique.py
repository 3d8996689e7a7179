from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from hopsight.chains.framed import changed
from hopsight.types import Clue, Constraint
from hopsight.unique import FactIndex, fitting
from hopsight.wiki.snapshot import Snapshot
from tests.worlds import Entity, Pictures, world


def between(attribute, low, high, unit):
    return Constraint(attribute=attribute, op="between", low=low, high=high, unit=unit)


SMALL = world(
    Entity("Land", "country", {"capital": "Town", "borders": ["North", "South"]}),
    Entity("North", "country", {"area_km2": 100}),
    Entity("South", "country", {"area_km2": 900, "borders": "Land"}),
    Entity("East", "country", {"borders": ["Land"]}),
    Entity("Town", "settlement", {"country": "Land"}),
    Entity("Painter", "person", {"notable_works": "Picture"}),
    Entity("Picture", "artwork", {"year": 1900}),
    Entity("Sketch", "artwork", {"creator": "Painter", "year": 1910}),
    Entity("Hall", "building", {"houses": "Picture"}),
)
LAND, NORTH, SOUTH, EAST, TOWN, PAINTER, PICTURE, SKETCH, HALL = range(1, 10)


def test_a_relation_is_read_from_the_facts_of_both_pages():
    assert fitting(SMALL, LAND, Clue(relation="borders", inverse=False)) == {NORTH, SOUTH, EAST}
    assert fitting(SMALL, PAINTER, Clue(relation="creator", inverse=True)) == {PICTURE, SKETCH}
    assert fitting(SMALL, PICTURE, Clue(relation="creator", inverse=False)) == {PAINTER}
    assert fitting(SMALL, PICTURE, Clue(relation="location", inverse=False)) == {HALL}


def test_an_inverse_relation_runs_from_value_to_holder():
    assert fitting(SMALL, TOWN, Clue(relation="capital", inverse=True)) == {LAND}
    assert fitting(SMALL, LAND, Clue(relation="capital", inverse=True)) == set()


def test_an_unknown_value_counts_as_fitting():
    clue = Clue(
        relation="borders", inverse=False, constraints=(between("area_km2", 50, 150, "km2"),)
    )
    assert fitting(SMALL, LAND, clue) == {NORTH, EAST}


def test_a_number_in_another_unit_is_unknown():
    clue = Clue(
        relation="borders", inverse=False, constraints=(between("area_km2", 50, 150, "acre"),)
    )
    assert fitting(SMALL, LAND, clue) == {NORTH, SOUTH, EAST}


def test_only_known_fits_count_for_a_sure_description():
    index = FactIndex(SMALL)
    size = between("area_km2", 50, 150, "km2")
    kind = Constraint(attribute="infobox", op="is", value="country")
    assert index.surely_described([kind, size]) == {NORTH}


def test_what_may_fit_is_no_way_out_for_a_follower():
    # East's area is unknown: it may be the neighbour, but nobody gets there by the facts.
    index = FactIndex(SMALL)
    small = Clue(
        relation="borders", inverse=False, constraints=(between("area_km2", 50, 150, "km2"),)
    )
    assert index.follow([LAND], [small]) == {NORTH}


NOVELS = world(
    Entity("Land", "country", {"continent": "Continent"}),
    Entity("Town", "settlement", {"country": "Land"}),
    Entity("Rural Tale", "book", {"setting": "Land"}),
    Entity("Town Tale", "book", {"setting": "Town", "year": 1900}),
    Entity("Continent", "continent", {}),
)
R_LAND, R_TOWN, RURAL_TALE, TOWN_TALE, CONTINENT = range(1, 6)


def test_a_novel_set_in_a_town_is_set_in_its_country_too():
    book = Constraint(attribute="infobox", op="is", value="book")
    clue = Clue(relation="setting", inverse=True, constraints=(book,))
    assert fitting(NOVELS, R_LAND, clue) == {RURAL_TALE, TOWN_TALE}
    assert fitting(NOVELS, R_TOWN, clue) == {TOWN_TALE}


def test_the_larger_places_around_a_place_fit_where_they_are_known_to():
    country = Constraint(attribute="infobox", op="is", value="country")
    ahead = Clue(relation="setting", inverse=False, constraints=(country,))
    assert fitting(NOVELS, TOWN_TALE, ahead) == {R_LAND}


def test_a_place_around_counts_only_where_it_surely_fits():
    dated = Clue(
        relation="setting",
        inverse=True,
        constraints=(between("year", 1950, 2000, "year"),),
    )
    assert fitting(NOVELS, R_LAND, dated) == {RURAL_TALE}


def test_following_clues_joins_all_ways():
    index = FactIndex(SMALL)
    clues = [Clue(relation="borders", inverse=False), Clue(relation="capital", inverse=False)]
    assert index.follow({SOUTH, EAST}, clues) == {TOWN}
    assert index.answers({PICTURE, SKETCH, HALL}, "year") == {"1900", "1910"}


@given(st.lists(st.integers(1, 60), min_size=2, max_size=12), st.integers(1, 60), st.integers(0, 9))
def test_narrowing_a_range_never_adds_an_entity(sizes, low, width):
    hub = Entity("Hub", "country", {"borders": [f"N{i}" for i in range(len(sizes))]})
    around = [Entity(f"N{i}", "country", {"area_km2": size}) for i, size in enumerate(sizes)]
    index = FactIndex(world(hub, *around))

    def fits(extra):
        clue = between("area_km2", low - extra, low + width + extra, "km2")
        return index.fitting(1, Clue(relation="borders", inverse=False, constraints=(clue,)))

    inside = {i + 2 for i, size in enumerate(sizes) if low <= size <= low + width}
    assert fits(0) == inside
    assert fits(0) <= fits(3)


def test_a_picture_fits_what_its_facts_do_not_rule_out():
    pictures = Pictures()
    made = world(
        *(Entity(name, "country", picture=True) for name in ("Plain", "Crossed", "Banded")),
        Entity("Unseen", "country"),
        pictures=pictures,
    )
    facts = (
        ("a red field",),
        ("a red field", "a white cross whose arms do not reach the edges"),
        ("two horizontal bands, from top to bottom: white, red",),
    )
    shown = zip(made.tables.images, facts, strict=True)
    images = tuple(changed(picture, visual_facts=told) for picture, told in shown)
    index = FactIndex(Snapshot(replace(made.tables, images=images)))
    white = Constraint(attribute="picture", op="shows", value="the colour white")
    assert index.known(white) == {3}
    assert index.satisfying(white) == {2, 3, 4}
