from hopsight.chains.clues import ClueFinder, Rules, descriptors
from hopsight.reference.generator import BOOK
from hopsight.unique import FactIndex
from tests.worlds import Entity, world


def neighbours(*sizes, others=()):
    names = [f"N{number}" for number in range(len(sizes))]
    return world(
        Entity("Hub", "country", {"borders": names}),
        *(
            Entity(name, "country", {} if size is None else {"area_km2": size})
            for name, size in zip(names, sizes, strict=True)
        ),
        *(Entity(f"O{i}", "country", {"area_km2": size}) for i, size in enumerate(others)),
    )


def options(snapshot, target, **rules):
    index = FactIndex(snapshot)
    return index, ClueFinder(index, BOOK, Rules(**rules)).options(
        1, target, "borders", inverse=False
    )


def test_every_clue_fits_its_target_alone_and_describes_several():
    snapshot = neighbours(1000, 5000, 90000, others=(4600, 4800, 5200, 5400))
    index, found = options(snapshot, 3)
    assert found.clues
    for clue in found.clues:
        assert index.fitting(1, clue) == {3}
        assert len(index.surely_described(clue.constraints)) >= 3
        assert len(descriptors(clue)) == 1


def test_neighbours_that_nothing_tells_apart_are_not_unique():
    _, found = options(neighbours(5000, 5000, others=(5000, 5000)), 2)
    assert (found.clues, found.reason) == ((), "not_unique")


def test_a_neighbour_of_unknown_size_may_fit_and_spoils_every_range():
    _, found = options(neighbours(1000, 5000, None, others=(4600, 4800, 5200)), 3)
    assert found.reason == "not_unique"


def test_a_description_that_fits_nothing_else_is_self_identifying():
    _, found = options(neighbours(1000, 5000, 90000), 3, min_candidates=3)
    assert found.clues == ()
    # The range would do, but with three neighbours alone in the world it says too much.
    _, found = options(neighbours(1000, 5000, 90000), 3, min_candidates=1)
    assert found.clues != ()


def test_the_only_one_in_a_relation_needs_no_descriptor():
    snapshot = world(
        Entity("Hub", "country", {"borders": "Only"}),
        Entity("Only", "country"),
        Entity("Third", "country"),
    )
    _, found = options(snapshot, 2)
    assert [len(descriptors(clue)) for clue in found.clues] == [0]


def test_without_descriptors_only_single_valued_relations_are_left():
    snapshot = neighbours(1000, 5000, others=(4600, 4800, 5200))
    _, found = options(snapshot, 3, descriptors=0)
    assert found.reason == "not_unique"


def test_two_descriptors_are_used_where_one_does_not_do():
    side = {"driving_side": "left"}
    big, small = {"area_km2": 9000}, {"area_km2": 1000}
    right = {"driving_side": "right"}
    snapshot = world(
        Entity("Hub", "country", {"borders": ["A", "B", "C"]}),
        Entity("A", "country", {**side, **big}),
        Entity("B", "country", {**side, **small}),
        Entity("C", "country", {**right, **big}),
        *(Entity(f"O{i}", "country", {**side, "area_km2": 8900 + i}) for i in range(3)),
    )
    _, found = options(snapshot, 2)
    assert {len(descriptors(clue)) for clue in found.clues} == {2}
    assert {each.attribute for each in descriptors(found.clues[0])} == {"area_km2", "driving_side"}


def test_the_kind_becomes_the_noun_where_several_share_it():
    seas = [Entity(f"Sea {i}", "body of water", {"kind": "sea"}) for i in range(3)]
    snapshot = world(Entity("Stream", "river", {"mouth": "Sea 0"}), *seas)
    index = FactIndex(snapshot)
    found = ClueFinder(index, BOOK, Rules()).options(1, 2, "mouth", inverse=False)
    assert [(each.attribute, each.value) for each in found.clues[0].constraints] == [
        ("infobox", "body of water"),
        ("kind", "sea"),
    ]
