from hopsight.chains.hops import HopTable
from hopsight.reference.generator import BOOK
from hopsight.unique import FactIndex
from tests.worlds import Entity, world


def exits(*entities, hub=100):
    snapshot = world(*entities)
    table = HopTable(snapshot, FactIndex(snapshot), BOOK, max_in_degree=hub)
    return table.exits(1)


def test_a_hop_needs_a_link_and_a_fact_of_the_source():
    found = exits(
        Entity("Land", "country", {"capital": "Town"}),
        Entity("Town", "settlement"),
    )
    assert [(hop.relation, hop.inverse, hop.target) for hop in found.hops] == [
        ("capital", False, 2)
    ]
    assert found.hops[0].evidence.sentence == "Land has capital Town."
    assert found.hops[0].link.page_id == 1


def test_a_fact_on_the_target_gives_an_inverse_hop_with_its_own_evidence():
    found = exits(
        Entity("Land", "country", mentions=("Town",)),
        Entity("Town", "settlement", {"country": "Land"}),
    )
    assert [(hop.relation, hop.inverse) for hop in found.hops] == [("country", True)]
    assert found.hops[0].evidence.page_id == 2
    assert found.hops[0].link.sentence == "Compare Town."


def test_a_link_without_a_fact_is_refused():
    found = exits(
        Entity("Land", "country", mentions=("Town",)),
        Entity("Town", "settlement"),
    )
    assert found.hops == ()
    assert found.refused == ((2, "no_evidence"),)


def test_a_fact_that_no_sentence_states_is_no_hop():
    found = exits(
        Entity(
            "Land",
            "country",
            {"capital": "Town"},
            ("x",),
            untold=frozenset({"capital"}),
            mentions=("Town",),
        ),
        Entity("Town", "settlement"),
    )
    assert found.refused == ((2, "no_evidence"),)


def test_a_fact_without_a_prose_link_is_no_hop():
    found = exits(
        Entity("Land", "country", {"capital": "Town"}, untold=frozenset({"capital"})),
        Entity("Town", "settlement"),
    )
    assert (found.hops, found.refused) == ((), ())


def test_hubs_lists_and_pages_without_an_infobox_are_never_a_target():
    found = exits(
        Entity("Land", "country", {"capital": "Hub"}, mentions=("List", "Bare")),
        Entity("Hub", "settlement"),
        Entity("List", "settlement", {"country": "Land"}, is_list=True),
        Entity("Bare", None),
        Entity("Other", "country", {"capital": "Hub"}),
        hub=1,
    )
    assert found.hops == ()
    assert found.refused == ((2, "hub"), (3, "filtered_page"), (4, "no_infobox"))


def test_a_page_that_unread_pages_link_to_is_never_a_target():
    found = exits(
        Entity("Land", "country", {"capital": "Town"}),
        Entity("Town", "settlement", closed=False),
    )
    assert found.refused == ((2, "not_closed"),)


def test_a_neighbour_is_said_once_although_both_pages_state_it():
    found = exits(
        Entity("Land", "country", {"borders": "Next"}),
        Entity("Next", "country", {"borders": "Land"}),
    )
    assert [(hop.relation, hop.inverse) for hop in found.hops] == [("borders", False)]


def test_a_relation_that_the_generator_cannot_say_is_no_hop():
    found = exits(
        Entity("Land", "country", {"patron": "Saint"}),
        Entity("Saint", "person"),
    )
    assert found.refused == ((2, "no_evidence"),)
