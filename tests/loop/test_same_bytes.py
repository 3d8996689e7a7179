"""The same configuration gives the same bytes; another seed gives other questions."""

import pyarrow.parquet as pq

from hopsight.types import LinkPath, Question
from tests.loop.fixtures import CONFIGURATION, SMALL_CONFIGURATION
from tests.loop.place import ROUND, assert_same, make_round, with_world_of

UP_TO_QUESTIONS = (
    "round_config",
    "seed_entities",
    "link_paths",
    "canonical_questions",
    "fuzzed_questions",
    "grounded_questions",
    "imported_seeds",
    "linked_questions",
    "expanded_questions",
    "blurred_questions",
    "visualized_questions",
    "refined_questions",
)


def test_a_second_run_with_two_workers_gives_the_same_bytes(small_round, small_dump, tmp_path):
    """The first was made by the command with one worker, this one inside Dagster with two."""
    configuration = SMALL_CONFIGURATION.format(folder=small_dump)
    again = with_world_of(small_round, tmp_path / "again", configuration)
    assert make_round(again, workers=2).success
    assert_same(small_round, again)
    assert sum(name.startswith("exports") for name in again.contents()) > 10


def test_the_data_sets_hold_no_time_and_no_place(mini_round):
    marks = (b"run_id", b"made_at", b"seconds", str(mini_round.root).encode())
    for path in [*mini_round.data.glob("datasets/*/round=*/*.parquet")]:
        if path.parent.parent.name.startswith("provenance_"):
            continue
        names = set(pq.read_schema(path).names)
        assert not names & {"run_id", "made_at", "seconds", "cost_usd"}, path
    for path in mini_round.exports.rglob("*"):
        if path.is_file() and path.suffix in {".json", ".md", ".parquet"}:
            data = path.read_bytes()
            assert not [mark for mark in marks if mark in data], path


def test_another_seed_asks_other_questions(mini_round, tmp_path):
    other = with_world_of(
        mini_round, tmp_path / "other", CONFIGURATION.replace("seed: 1", "seed: 2")
    )
    assert make_round(other, only=UP_TO_QUESTIONS).success
    for what in (_asked, _walked):
        one, two = what(mini_round.store), what(other.store)
        assert min(len(one), len(two)) >= 25
        assert len(one & two) / len(one | two) <= 0.5, what.__name__


def _asked(store):
    """What a solver is asked: text and pictures."""
    questions = store.read("refined_questions", ROUND, Question)
    return {(each.text, tuple(image.sha256 for image in each.images)) for each in questions}


def _walked(store):
    """Which entities a question leads over, and what it asks of the last."""
    paths = store.read("link_paths", ROUND, LinkPath)
    return {(each.entities, each.attribute) for each in paths}
