import yaml

from curation.card import REFERENCE_NOTICE, CardFacts, dataset_card
from curation.passk_filter import Band
from curation.splits import split_questions
from hopsight.chains.framed import changed
from hopsight.types import Domain, FunnelRow, PassRate
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
    assert "| CC0-1.0 | nobody |" in card
    assert "0.00 US dollars" in card


def test_outside_text_cannot_break_the_table():
    image = changed(QUESTIONS[0].images[0], author="A | B\n<b>C</b>")
    evil = changed(QUESTIONS[0], images=(image,))
    card = dataset_card(facts(questions=[evil, *QUESTIONS[1:]], splits=()))
    assert "A \\| B &lt;b>C&lt;/b>" in card


def test_the_same_facts_give_the_same_card():
    assert dataset_card(facts()) == dataset_card(facts())
