from collections import Counter

from curation.seeds import seed_entities
from hopsight.types import Domain
from tests.worlds import Entity, Pictures, world


def draw(snapshot, count=100, seed=1, **changes):
    bounds = {"min_in_degree": 0, "max_in_degree": 50, "min_picture_px": 512} | changes
    weights = dict.fromkeys(Domain, 1.0)
    return seed_entities(snapshot, count=count, weights=weights, seed=seed, **bounds)


def towns_and_people(towns, people):
    pages = [Entity(f"Town {i}", "settlement", picture=True) for i in range(towns)]
    pages += [Entity(f"Person {i}", "person", picture=True) for i in range(people)]
    return world(*pages)


def test_every_page_is_a_seed_or_rejected_with_a_reason():
    snapshot = world(
        Entity("Good", "settlement", {"country": "Land"}, picture=True),
        Entity("Land", "country", mentions=("Good",)),
        Entity("Bare", None),
        Entity("Everything of a kind", "settlement", is_list=True),
        Entity("Fact box only", "settlement"),
        Entity("Unlinked", "settlement", picture=True),
    )
    staged = draw(snapshot, min_in_degree=1)
    assert [page.title for page in staged.kept] == ["Good"]
    assert staged.entered == 6
    reasons = {rejection.detail: rejection.reason for rejection in staged.rejected}
    assert reasons == {
        "Land": "no_picture",
        "Bare": "no_infobox",
        "Everything of a kind": "filtered_page",
        "Fact box only": "no_picture",
        "Unlinked": "low_in_degree",
    }


def test_a_picture_below_the_minimum_is_no_anchor():
    snapshot = world(Entity("Town", "settlement", picture=True), pictures=Pictures(size=300))
    assert draw(snapshot).reasons() == {"small_picture": 1}


def test_a_page_that_unread_pages_link_to_is_no_anchor():
    snapshot = world(Entity("Town", "settlement", picture=True, closed=False))
    assert draw(snapshot).reasons() == {"not_closed": 1}


def test_a_page_that_everything_links_to_is_a_hub():
    pages = [Entity(f"T{i}", "settlement", mentions=("Hub",)) for i in range(4)]
    snapshot = world(Entity("Hub", "country", picture=True), *pages)
    assert draw(snapshot, max_in_degree=3).reasons()["hub"] == 1


def test_domains_share_the_places_and_a_small_one_leaves_its_own_to_others():
    staged = draw(towns_and_people(30, 30), count=20)
    assert Counter(page.domain for page in staged.kept) == {Domain.LOCATION: 10, Domain.PERSON: 10}
    staged = draw(towns_and_people(30, 2), count=20)
    assert Counter(page.domain for page in staged.kept) == {Domain.LOCATION: 18, Domain.PERSON: 2}
    assert staged.reasons() == {"not_drawn": 12}


def test_the_seed_number_decides_what_is_drawn():
    snapshot = towns_and_people(40, 0)
    first = draw(snapshot, count=10).kept
    assert first == draw(snapshot, count=10).kept
    assert first != draw(snapshot, count=10, seed=2).kept
