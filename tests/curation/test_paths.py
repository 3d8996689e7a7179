import subprocess
import sys

import pytest

from curation.paths import enumerate_paths, sample_paths
from hopsight.chains.clues import Rules
from hopsight.chains.walker import PathRules, Walker
from hopsight.leak import leaks
from tests.curation.made import RULES, grounded, paths, walker
from tests.worlds import Entity, world


def seed_pages(snapshot):
    return [
        snapshot.page(page_id) for page_id in snapshot.ids() if snapshot.image(page_id) is not None
    ]


def walk(*entities, hops, attempts=4, **changes):
    snapshot = world(*entities)
    alone = Rules(min_candidates=1)
    values = {"retries": attempts, "clue_rules": alone, "hop_necessity": False} | changes
    rules = PathRules(hops={hops: 1.0}, paths=1, **values)
    return sample_paths(Walker(snapshot, rules), seed_pages(snapshot), rules, seed=1)


def test_paths_follow_hops_without_revisits_or_shortcuts():
    assert len(paths()) == RULES.paths
    snapshot = walker().world
    for path in paths():
        assert len(set(path.entities)) == len(path.entities)
        assert not snapshot.linked(path.entities[0], path.entities[-1])
        for before, hop, after in zip(path.entities, path.hops, path.entities[1:], strict=False):
            assert (hop.source, hop.target) == (before, after)
            assert snapshot.linked(before, after)


def test_answers_are_short_and_stand_neither_on_the_anchor_page_nor_in_a_name():
    for path in paths():
        answer = walker().answers.of(path.entities[-1], path.attribute)
        assert answer is not None
        assert len(answer.value.split()) <= RULES.answer_max_tokens
        anchor = walker().world.page(path.entities[0])
        assert leaks(anchor.text, [answer.value]) == []
        names = [name for page_id in path.entities for name in walker().world.names(page_id)]
        assert leaks(answer.value, names) == []


def test_the_same_seed_gives_the_same_paths_and_another_gives_others():
    again = sample_paths(
        Walker(walker().world, RULES), seed_pages(walker().world), RULES, seed=1
    ).kept
    assert [path.id for path in again] == [path.id for path in paths()]
    assert {path.entities for path in paths(2)} != {path.entities for path in paths(1)}


def test_paths_do_not_depend_on_the_order_of_the_seeds():
    pages = seed_pages(walker().world)
    forward = sample_paths(walker(), pages, RULES, seed=1)
    backward = sample_paths(walker(), pages[::-1], RULES, seed=1)
    assert forward == backward


@pytest.mark.parametrize("hash_seed", ["1", "77"])
def test_paths_do_not_depend_on_the_hash_seed(hash_seed):
    code = (
        "from tests.curation.made import grounded; print([q.id for q in grounded().questions.kept])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONHASHSEED": hash_seed, "PYTHONPATH": "."},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == str([question.id for question in grounded().questions.kept])


def test_every_walk_is_a_path_or_a_rejection():
    staged = sample_paths(walker(), seed_pages(walker().world), RULES, seed=3)
    assert staged.entered == len(staged.kept) + len(staged.rejected)
    assert all(rejection.reason and rejection.detail for rejection in staged.rejected)


def test_a_seed_without_links_is_dropped_after_its_retries():
    staged = walk(Entity("Alone", "settlement", picture=True), hops=2, attempts=10)
    assert staged.kept == ()
    assert staged.reasons() == {"dead_end": 20, "seed_dropped": 1}


def test_a_direct_link_to_the_end_is_a_shortcut():
    staged = walk(
        Entity("Start", "settlement", {"country": "Land"}, picture=True, mentions=("Stream",)),
        Entity("Land", "country", mentions=("Stream",)),
        Entity("Stream", "river", {"source_country": "Land", "length_km": 500}),
        hops=2,
    )
    assert "shortcut_link" in staged.reasons()
    assert staged.kept == ()


def test_the_anchor_is_never_the_answer():
    staged = walk(
        Entity("Start", "settlement", {"country": "Land"}, picture=True),
        Entity("Land", "country", {"capital": "Start"}),
        hops=2,
    )
    assert "revisit" in staged.reasons()


def test_an_answer_that_the_anchor_page_states_is_refused():
    entities = [
        Entity("Start", "settlement", {"country": "Land", "founded": 1999}, picture=True),
        Entity("Land", "country", {"borders": "Next"}),
        Entity("Next", "country", {"area_km2": 1999}),
    ]
    assert "answer_on_anchor_page" in walk(*entities, hops=2).reasons()
    entities[2] = Entity("Next", "country", {"area_km2": 2999})
    assert len(walk(*entities, hops=2).kept) == 1


def test_an_end_with_nothing_short_to_ask_is_refused():
    staged = walk(
        Entity("Start", "settlement", {"country": "Land"}, picture=True),
        Entity("Land", "country", {"currency": "a b c d e f g"}),
        hops=1,
    )
    assert set(staged.reasons()) >= {"seed_dropped"}
    assert staged.kept == ()


def test_a_multi_valued_attribute_has_no_one_answer():
    staged = walk(
        Entity("Start", "settlement", {"country": "Land"}, picture=True),
        Entity("Land", "country", {"borders": "Next"}),
        Entity("Next", "country", {"tld": [".aa", ".bb"]}),
        hops=2,
    )
    assert staged.kept == ()


def test_enumeration_holds_every_sampled_path_once():
    pages = seed_pages(walker().world)
    every = [(path.entities, path.attribute) for path in enumerate_paths(walker(), pages, (2, 3))]
    assert len(every) == len(set(every))
    assert {(path.entities, path.attribute) for path in paths()} <= set(every)


def test_seeds_that_are_not_needed_are_told():
    pages = seed_pages(walker().world)
    rules = PathRules(hops={2: 1.0}, paths=2)
    staged = sample_paths(walker(), pages, rules, seed=1)
    assert len(staged.kept) == 2
    assert staged.reasons()["not_walked"] >= len(pages) - 4


def two_lands(**start):
    """A pictured town in one of three lands whose capitals were founded in different years."""
    years = {"One": 1010, "Two": 2020, "Three": 3030}
    return [
        Entity("Start", "settlement", {"country": "One"}, picture=True, **start),
        *(Entity(f"Town {name}", "settlement", {"country": name}) for name in years),
        *(Entity(name, "country", {"capital": f"Capital {name}"}) for name in years),
        *(Entity(f"Capital {n}", "settlement", {"founded": year}) for n, year in years.items()),
    ]


def test_a_page_that_the_picture_names_is_no_step():
    assert len(walk(*two_lands(), hops=2, hop_necessity=True).kept) == 1
    staged = walk(*two_lands(picture_text=("Welcome to ONE",)), hops=2)
    assert staged.kept == ()
    assert "named_in_picture" in staged.reasons()


def test_an_answer_that_the_picture_shows_is_not_asked_for():
    staged = walk(*two_lands(picture_text=("since 1010",)), hops=2)
    assert staged.kept == ()
    assert "answer_in_picture" in staged.reasons()


def test_a_walk_to_an_answer_that_stands_without_the_picture_is_tried_again():
    entities = [
        Entity("Start", "settlement", {"country": "Land"}, picture=True),
        Entity("Land", "country", {"capital": "Capital"}),
        Entity("Capital", "settlement", {"founded": 1010}),
    ]
    assert len(walk(*entities, hops=2).kept) == 1
    assert "hop_not_needed" in walk(*entities, hops=2, hop_necessity=True).reasons()
