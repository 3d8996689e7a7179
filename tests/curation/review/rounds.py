"""A round over the small atlas, as far as review needs one."""

from functools import cache
from pathlib import Path

from curation.review import Decisions, Desk, read_subjects, rechecker
from hopsight.chains import changed
from hopsight.types import EvidenceChain, Question, ReviewDecision, RoundRecord
from hopsight.wiki.tables import write_tables
from hopsight.workspace import Workspace
from tests.curation.made import PICTURES, fuzzed, grounded

ROUND = "0001"


@cache
def questions() -> tuple[Question, ...]:
    """Grounded questions of the atlas; there are some dozen."""
    return grounded().questions.kept


@cache
def chains() -> tuple[EvidenceChain, ...]:
    """Their chains, in the same order."""
    return grounded().chains


def decision(question: Question, choice: str = "accept", **more: object) -> ReviewDecision:
    """A decision about a question; a rejection has a reason."""
    if choice == "reject":
        more = {"reason": "unsuitable", **more}
    values = {"question_id": question.id, "decision": choice, "reviewer": "Ada", **more}
    return ReviewDecision.model_validate(values)


def reworded(question: Question) -> str:
    """Another wording that says the same."""
    return f"Look at the picture. {question.text}"


def desk(root: Path) -> Desk:
    """A desk over a round that is made in `root`."""
    make_round(root)
    journal = Decisions(root, ROUND)
    subjects = read_subjects(Workspace(root).store, ROUND, {})
    return Desk(subjects, journal, rechecker(fuzzed()[0]))


def make_round(root: Path) -> Workspace:
    """Wiki, pictures, configuration, grounded questions and chains."""
    workspace = Workspace(root)
    store, world = workspace.store, fuzzed()[0]
    write_tables(world.tables, store)
    for page_id in world.ids():
        picture = world.image(page_id)
        if picture is not None:
            workspace.images.put(PICTURES.bytes(picture.image.sha256), "", "CC0-1.0", "nobody")
    record = RoundRecord(round=ROUND, parent_round=None, fingerprint="", config='{"seed": 7}')
    store.write("round_configs", ROUND, [record], record_type=RoundRecord)
    store.write("grounded_questions", ROUND, questions(), record_type=Question)
    store.write("grounded_chains", ROUND, chains(), record_type=EvidenceChain)
    return workspace


def curate(workspace: Workspace, kept: list[Question]) -> None:
    """Let the round's gates keep these."""
    workspace.store.write("curated_questions", ROUND, kept, record_type=Question)


def other(question: Question, text: str) -> Question:
    """The question with another text."""
    return changed(question, text=text)
