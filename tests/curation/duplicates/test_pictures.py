"""Which of many pictures look the same."""

from itertools import combinations
from random import Random

from curation.duplicates import looks_of, near_pictures
from hopsight.imaging.hashes import BITS, NEAR_BITS, near


def flipped(value, bits, rng):
    for place in rng.sample(range(BITS), bits):
        value ^= 1 << place
    return value


def test_planted_copies_are_found_among_others():
    rng = Random(1)
    hashes = [rng.getrandbits(BITS) for _ in range(400)]
    hashes += [flipped(hashes[place], rng.randrange(13), rng) for place in range(150)]
    rng.shuffle(hashes)
    wanted = [
        [one, two]
        for one, two in combinations(range(len(hashes)), 2)
        if near(hashes[one], hashes[two])
    ]
    assert len(wanted) >= 150
    assert near_pictures(hashes).tolist() == wanted


def test_pictures_that_are_alike_in_most_places_do_not_hide_copies():
    """As of thousands of labels on white paper: most bands are equal in all of them."""
    rng = Random(2)
    ground = rng.getrandbits(BITS) & ~((1 << 180) - 1)
    hashes = [ground | rng.getrandbits(180) for _ in range(600)]
    hashes += [flipped(hashes[place], 6, rng) for place in range(100)]
    found = set(map(tuple, near_pictures(hashes).tolist()))
    assert found >= {(place, 600 + place) for place in range(100)}


def test_no_picture_and_plain_ones():
    assert near_pictures([]).shape == (0, 2)
    assert near_pictures([0, 0, 0]).shape == (0, 2)
    assert near_pictures([(1 << BITS) - 1]).shape == (0, 2)


def test_the_first_by_name_stands_for_those_that_look_like_it():
    rng = Random(3)
    one, other = rng.getrandbits(BITS), rng.getrandbits(BITS)
    hashes = {"c": one, "a": one ^ 1, "b": other, "d": other, "e": 0}
    looks = looks_of(["e", "d", "c", "b", "a", "a"], hashes.__getitem__)
    assert looks == {"a": "a", "c": "a", "b": "b", "d": "b", "e": "e"}


def test_many_copies_of_one_picture_stay_together():
    rng = Random(4)
    one = rng.getrandbits(BITS)
    copies = {f"{place:03d}": flipped(one, place % 3, rng) for place in range(60)}
    for hashes in (dict.fromkeys(copies, one), copies):
        assert set(looks_of(hashes, hashes.__getitem__).values()) == {"000"}


def test_a_picture_is_not_joined_with_one_that_it_does_not_look_like():
    one = Random(5).getrandbits(BITS)
    two = one ^ ((1 << NEAR_BITS) - 1)
    three = two ^ (0xFF << NEAR_BITS)
    hashes = {"a": one, "b": two, "c": three}
    assert near(two, three)
    assert not near(one, three)
    assert looks_of(hashes, hashes.__getitem__) == {"a": "a", "b": "a", "c": "c"}
