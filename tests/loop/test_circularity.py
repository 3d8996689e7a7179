"""What keeps the experiments with reference agents from being circular.

The agents must not know more than a task and the tools show them, and must not owe their score to
words that they have in common with the question writer, to titles or pictures of the mini world.
"""

import ast
import io
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from curation.canonical import canonical_questions
from curation.fuzz import fuzzed_questions
from curation.ground import grounded_questions
from curation.paths import sample_paths
from curation.recipe import draw_seeds, path_rules
from curation.verdicts import judge_all
from hopsight.chains.walker import Walker
from hopsight.config import RoundConfig
from hopsight.harness.backends.build import build_local_index
from hopsight.harness.benches import local_bench
from hopsight.harness.executors import InProcess
from hopsight.harness.limits import Limits
from hopsight.harness.policies import Sampling
from hopsight.harness.rollout import RolloutJob, Stage, episode_seed, run_rollouts
from hopsight.policies import make_policy
from hopsight.reference.generator.heldout import question as held_out_question
from hopsight.store import ImageStore, Journal
from hopsight.types import EvidenceChain, PageImage, Question, Trajectory
from hopsight.wiki.build import build_snapshot
from hopsight.wiki.mini import DATA_DIR, PICTURES_DIR, PICTURES_JSONL, WORLD_XML
from hopsight.wiki.mini.build import write_truth
from hopsight.wiki.snapshot import Snapshot
from hopsight.workspace import Workspace
from tests.hopsight.reference.agents.renamed import write_renamed

CONFIG = RoundConfig()
SAMPLES = {
    "reference-weak": CONFIG.curate.policy_samples,
    "reference-strong": CONFIG.curate.teacher_samples,
}
ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class World:
    """A workspace with an index, and questions over it beside their chains."""

    workspace: Workspace
    questions: tuple[Question, ...]
    chains: tuple[EvidenceChain, ...]


@pytest.fixture(scope="module")
def world(mini_round) -> World:
    """Questions of the default round over the world that ships with the project."""
    workspace = mini_round.workspace
    snapshot = Snapshot.load(workspace.store)
    seeds = draw_seeds(snapshot, CONFIG).kept
    rules = path_rules(CONFIG)
    walker = Walker(snapshot, rules)
    paths = sample_paths(walker, seeds, rules, seed=CONFIG.seed).kept
    canonical = canonical_questions(walker, paths, round=CONFIG.round)
    fuzzed = fuzzed_questions(walker, canonical, seed=CONFIG.seed)
    framed = grounded_questions(snapshot, fuzzed, workspace.images, min_picture_px=512)
    pairs = sorted(
        zip(framed.questions.kept, framed.chains, strict=True), key=lambda pair: pair[0].id
    )
    return World(workspace, *(tuple(column) for column in zip(*pairs, strict=True)))


def changed(question: Question, **values: object) -> Question:
    """The question with other values and the id that they give."""
    return Question.model_validate(question.model_dump() | values)


def play(
    workspace: Workspace, questions: Sequence[Question], policy: str, folder: Path, samples: int
) -> list[Trajectory]:
    """Roll out a policy; trajectories sorted by question and sample."""
    jobs = [
        RolloutJob(q.id, q.task, policy, n, episode_seed(q.task, policy, n, CONFIG.seed))
        for q in questions
        for n in range(samples)
    ]
    stage = Stage(
        partial(make_policy, "policy", "rollouts", Sampling()),
        partial(local_bench, workspace.index),
        partial(ImageStore, workspace.root),
        Limits(),
    )
    return run_rollouts(jobs, stage, InProcess(), Journal(folder))


def solved(
    workspace: Workspace, questions: Sequence[Question], policy: str, folder: Path
) -> np.ndarray:
    """Share of a policy's rollouts that are correct, for each question in order."""
    trajectories = play(workspace, questions, policy, folder, SAMPLES[policy])
    right = {question.id: 0 for question in questions}
    for verdict in judge_all(questions, trajectories):
        right[verdict.question_id] += verdict.outcome == "correct"
    return np.array([right[question.id] / SAMPLES[policy] for question in questions])


def turned(data: bytes) -> bytes:
    """A picture lying on its side."""
    return _png(Image.open(io.BytesIO(data)).convert("RGB").transpose(Image.Transpose.ROTATE_90))


def framed(data: bytes) -> bytes:
    """A picture in the middle of a plain wall."""
    picture = Image.open(io.BytesIO(data)).convert("RGB")
    wall = Image.new("RGB", (picture.width * 5 // 4, picture.height * 5 // 4), (96, 110, 104))
    wall.paste(picture, (picture.width // 8, picture.height // 8))
    return _png(wall)


def _png(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def interval(differences: np.ndarray) -> tuple[float, float]:
    """95 % interval of a mean, by bootstrap over questions."""
    draws = np.random.default_rng(0).integers(0, len(differences), (2000, len(differences)))
    low, high = np.quantile(differences[draws].mean(axis=1), [0.025, 0.975])
    return float(low), float(high)


@pytest.mark.parametrize("policy", SAMPLES)
def test_corrupting_what_is_known_of_the_answer_changes_no_trajectory(world, tmp_path, policy):
    questions = world.questions[:40]
    corrupted = [
        changed(
            question,
            answer=f"wrong {number}",
            answer_aliases=("also wrong",),
            chain_id=f"chain_{number:016x}",
            parent_id=None,
            operator="corrupted",
            round="9999",
        )
        for number, question in enumerate(questions)
    ]
    was = {q.id: number for number, q in enumerate(questions)}
    is_now = {q.id: number for number, q in enumerate(corrupted)}
    assert was.keys().isdisjoint(is_now)

    def told(played: list[Trajectory], numbers: dict[str, int]) -> dict[tuple[int, int], str]:
        return {
            (numbers[t.question_id], t.sample): t.model_dump_json(exclude={"question_id"})
            for t in played
        }

    before = told(play(world.workspace, questions, policy, tmp_path / "a", 2), was)
    after = told(play(world.workspace, corrupted, policy, tmp_path / "b", 2), is_now)
    assert len(before) == 80
    assert before == after


def test_weak_and_strong_differ_and_neither_is_near_a_bound(world, tmp_path):
    questions = world.questions[::2]
    weak = solved(world.workspace, questions, "reference-weak", tmp_path / "weak")
    strong = solved(world.workspace, questions, "reference-strong", tmp_path / "strong")
    assert len(questions) >= 150
    assert 0.2 <= weak.mean() <= 0.9
    assert 0.1 <= strong.mean() <= 0.9
    assert (strong - weak).mean() >= 0.25
    assert interval(strong - weak)[0] > 0.15
    assert np.mean((weak > 0) & (weak < 1)) >= 0.3


@pytest.mark.parametrize("policy", SAMPLES)
def test_another_wording_of_the_same_chains_costs_at_most_ten_points(world, tmp_path, policy):
    questions = world.questions[::2]
    reworded = [
        changed(question, text=held_out_question(chain))
        for question, chain in zip(questions, world.chains[::2], strict=True)
    ]
    assert all(a.text != b.text for a, b in zip(questions, reworded, strict=True))
    before = solved(world.workspace, questions, policy, tmp_path / "a")
    after = solved(world.workspace, reworded, policy, tmp_path / "b")
    assert (after - before).mean() >= -0.10
    assert interval(after - before)[0] > -0.16


@pytest.mark.parametrize("alter", [turned, framed])
def test_a_turned_or_framed_picture_is_still_recognised_by_the_strong_agent(world, tmp_path, alter):
    other = Workspace(tmp_path / "workspace")
    other.index.parent.mkdir(parents=True, exist_ok=True)
    other.index.symlink_to(world.workspace.index)
    questions = world.questions[::20]
    altered = []
    for question in questions:
        (image,) = question.images
        data = alter(world.workspace.images.bytes(image.sha256))
        ref = other.images.put(data, image.source_url, image.license, image.author)
        altered.append(changed(question, images=(ref.model_dump(),)))
    before = solved(world.workspace, questions, "reference-strong", tmp_path / "a")
    after = solved(other, altered, "reference-strong", tmp_path / "b")
    assert (after - before).mean() >= -0.10


def test_other_titles_and_other_pictures_change_accuracy_by_less_than_ten_points(world, tmp_path):
    questions = world.questions[::8]
    images = world.workspace.store.read("page_images", "all", PageImage)
    where = {image.image.sha256: (image.page_id, image.file) for image in images}
    wanted = [where[question.images[0].sha256][1] for question in questions]
    renaming = write_renamed(WORLD_XML, PICTURES_DIR, PICTURES_JSONL, wanted, tmp_path / "world")

    other = Workspace(tmp_path / "workspace")
    files = tmp_path / "world"
    tables = build_snapshot(
        files / "dump.xml", files / "pictures", files / "pictures.jsonl", other.images
    )
    build_local_index(
        tables.pages,
        tables.links,
        tables.facts,
        tables.aliases,
        tables.images,
        other.images.bytes,
        other.index,
    )
    pictures = {(image.page_id, image.file): image.image for image in tables.images}
    kept = {page.title for page in tables.pages}
    titles = {page.title for page in Snapshot.load(world.workspace.store).tables.pages}
    assert len(kept & titles) <= 0.01 * len(titles)

    renamed = [
        changed(
            question,
            text=renaming.text(question.text),
            answer=renaming.text(question.answer),
            answer_aliases=tuple(map(renaming.text, question.answer_aliases)),
            images=tuple(pictures[where[image.sha256]].model_dump() for image in question.images),
        )
        for question in questions
    ]
    assert not {q.images[0].sha256 for q in renamed} & where.keys()
    for policy in SAMPLES:
        before = solved(world.workspace, questions, policy, tmp_path / f"{policy}-a")
        after = solved(other, renamed, policy, tmp_path / f"{policy}-b")
        assert abs((after - before).mean()) <= 0.10, policy


@pytest.mark.parametrize(("policy", "bound"), [("reference-weak", 0.15), ("reference-strong", 0.2)])
def test_page_patterns_held_out_from_the_agents_cost_a_bounded_amount(
    world, tmp_path, policy, bound
):
    """Compared among questions of equal length, since longer ones meet more such sentences."""
    write_truth(DATA_DIR, tmp_path / "truth.jsonl")
    rows = map(json.loads, (tmp_path / "truth.jsonl").read_text("utf-8").splitlines())
    unseen = {(row["page"], row["sentence"]) for row in rows if row["held_out"]}
    scores = solved(world.workspace, world.questions[::2], policy, tmp_path / "rollouts")
    groups: dict[int, tuple[list[float], list[float]]] = {}
    for chain, score in zip(world.chains[::2], scores, strict=True):
        steps = [node.hop for node in chain.nodes if node.hop is not None]
        seen = not any((step.title, step.sentence) in unseen for step in steps)
        groups.setdefault(len(chain.nodes), ([], []))[seen].append(score)
    pairs = [group for group in groups.values() if all(group)]
    weights = [len(held_out) for held_out, _ in pairs]
    assert sum(weights) >= 50
    gaps = [np.mean(known) - np.mean(held_out) for held_out, known in pairs]
    assert np.average(gaps, weights=weights) <= bound


def four_grams(*folders: str) -> dict[str, str]:
    """Runs of four words in string literals of the modules under `folders`, docstrings apart."""
    found = {}
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            tree = ast.parse(path.read_text("utf-8"))
            for text in string_literals(tree):
                tokens = re.findall(r"[^\W_]+", text.casefold())
                for place in range(len(tokens) - 3):
                    found[" ".join(tokens[place : place + 4])] = path.name
    return found


def string_literals(tree: ast.Module) -> list[str]:
    """String constants that are not statements of their own."""
    documentation = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in documentation
    ]


def test_agents_share_no_wording_with_question_writer_or_page_renderer():
    agents = four_grams("hopsight/reference/agents")
    writers = four_grams("hopsight/reference/generator", "hopsight/wiki/mini/render")
    assert len(agents) > 200
    assert len(writers) > 1000
    assert {gram: agents[gram] for gram in agents.keys() & writers.keys()} == {}


def test_agents_know_no_operator_hop_count_template_or_gold_answer():
    banned = re.compile(
        r"\b(operators?|hops?|templates?|chain_id|gold|answer_aliases|EvidenceChain|LinkPath)\b"
    )
    for path in sorted((ROOT / "hopsight/reference/agents").glob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        names |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        names |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
        assert [name for name in sorted(names) if banned.search(name)] == [], path.name


def test_chance_only_breaks_ties_among_what_was_retrieved():
    """The one use of chance is the noise on scores of options that an observation brought."""
    uses = []
    for path in sorted((ROOT / "hopsight/reference/agents").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                uses += [
                    (path.name, node.name)
                    for part in ast.walk(node)
                    if isinstance(part, ast.Attribute)
                    and part.attr in {"random", "chance"}
                    and isinstance(part.value, ast.Name)
                    and part.value.id == "self"
                ]
    assert set(uses) == {("walker.py", "_noise")}
