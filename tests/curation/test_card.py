import yaml

from curation.attribution import credits_of
from curation.card import REFERENCE_NOTICE, CardFacts, dataset_card
from curation.levels import Level
from curation.passk_filter import Band
from curation.search_leaks import SearchLeaks
from curation.splits import split_questions
from hopsight.chains.framed import changed
from hopsight.types import Domain, FunnelRow, PassRate, ProbeResult
from tests.curation.made import grounded

FRAMED = grounded()
QUESTIONS = FRAMED.questions.kept


def facts(**changes):
    bands: dict[str, Band] = {question.id: "some" for question in QUESTIONS}
    splits = split_questions(
        QUESTIONS, FRAMED.chains, bands, frozenset(), eval_share=0.2, rl_share=0.7, seed=1
    ).kept
    values = {
        "name": "Hopsight round 0001",
        "round": "0001",
        "source": "the mini world",
        "license": "cc0-1.0",
        "models": {"policy": "reference-weak", "teacher": "reference-strong"},
        "fingerprint": "f" * 64,
        "questions": QUESTIONS,
        "chains": FRAMED.chains,
        "domains": dict.fromkeys(range(1, 40), Domain.LOCATION),
        "splits": splits,
        "rates": [PassRate(question_id="q1", policy="weak", n=5, graded=4, correct=1)],
        "funnel": [FunnelRow.of("paths", 10, 7, {"dead_end": 3})],
        "files": {"sft.json": 12},
        "pictures": credits_of(QUESTIONS, [], [], {}),
    }
    return CardFacts(**(values | changes))


def test_the_front_matter_is_what_the_hub_reads():
    _, head, _ = dataset_card(facts()).split("---\n", 2)
    data = yaml.safe_load(head)
    assert data["license"] == "cc0-1.0"
    assert data["size_categories"] == ["n<1K"]


def test_reference_models_are_named_as_what_they_are():
    assert REFERENCE_NOTICE in dataset_card(facts())
    assert REFERENCE_NOTICE not in dataset_card(facts(models={"policy": "big-model"}))


def test_the_counts_are_those_of_the_assigned_questions():
    made = facts()
    card = dataset_card(made)
    assert f"{len(made.splits)} questions." in card
    for name in ("rl", "sft", "eval"):
        number = sum(each.split == name for each in made.splits)
        assert f"| {name} | {number} |" in card
    assert f"| ground | {len(made.splits)} |" in card
    assert f"| location | {len(made.splits)} |" in card


def test_pass_rates_stand_with_their_interval_and_the_lost_rollouts():
    assert "| weak | 1 | 4 | 1 | 0.250 | 0.046–0.699 |" in dataset_card(facts())


def test_the_funnel_and_the_licences_of_the_pictures_are_there():
    card = dataset_card(facts())
    assert "| paths | 10 | 7 | 3 | dead_end 3 |" in card
    pictures = {image.sha256 for question in QUESTIONS for image in question.images}
    assert f"| CC0-1.0 | {len(pictures)} |" in card
    assert "ATTRIBUTION.md" in card


def test_the_cost_is_told_with_the_calls_that_are_in_no_sum():
    assert "\n0.00 US dollars, 0 paid model calls.\n" in dataset_card(facts())
    card = dataset_card(facts(cost_usd=1.256, model_calls=1_200, unpriced_calls=7))
    assert "1.26 US dollars, 1,200 paid model calls; 7 of them have no known price" in card


def test_difficulty_is_told_by_operator_and_by_total_with_each_policy_s_rate():
    levels = (
        Level("operator", "blur", 3, {"weak": (8, 2), "strong": (4, 3)}),
        Level("operator", "ground", 1, {"weak": (0, 0)}),
        Level("difficulty", "10", 4, {"weak": (8, 2), "strong": (4, 3)}),
    )
    card = dataset_card(facts(levels=levels))
    assert "| last operator | questions | strong | weak |" in card
    assert "| blur | 3 | 0.750 (3 of 4) | 0.250 (2 of 8) |" in card
    assert "| ground | 1 | – | – |" in card
    assert "| total difficulty | questions | strong | weak |" in card
    assert "| 10 | 4 | 0.750 (3 of 4) | 0.250 (2 of 8) |" in card
    assert "## Difficulty" not in dataset_card(facts())


def test_probes_and_leaks_are_told():
    probes = [
        ProbeResult(question_id=name, probe="direct", answer=None, solved=name == "a", detail="")
        for name in "abcd"
    ]
    card = dataset_card(facts(probes=probes, leaks={"teacher": SearchLeaks(36, 1, 2, 3)}))
    assert "| direct | 4 | 1 | 0 | 0.046–0.699 |" in card
    assert "| teacher | 36 | 1 | 2 | 3 |" in card
    assert "## Leaks" not in dataset_card(facts())


def test_outside_text_cannot_break_the_table():
    image = changed(QUESTIONS[0].images[0], license="A | B\n<b>C</b>")
    evil = credits_of([changed(QUESTIONS[0], images=(image,))], [], [], {})
    assert "| A \\| B &lt;b>C&lt;/b> | 1 |" in dataset_card(facts(pictures=evil))


def test_the_same_facts_give_the_same_card():
    assert dataset_card(facts()) == dataset_card(facts())
