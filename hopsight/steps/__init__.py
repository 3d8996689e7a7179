"""Typed steps: every question that is put to a model or to a rule, and how it is put.

A step has a role, a prompt file of its own name, an input and an output record, a check of what
no schema can say, and a reference that answers by rule. `run_step` asks whoever the role names;
nothing else knows which of the two it was.

Judging an answer is no step of this kind: it asks several models several times, and rules come
before all of them. It stays in `hopsight.judge`, with the prompt `judge_answer`; how well a
trajectory searched is judged in `hopsight.rewards`, with the prompt `judge_queries`.
"""

from typing import Any, Final

from hopsight.steps.build_link import BUILD_LINK
from hopsight.steps.caption_picture import CAPTION_PICTURE
from hopsight.steps.check_wording import CHECK_WORDING
from hopsight.steps.describe_entity import DESCRIBE_ENTITY
from hopsight.steps.diagnose_trace import DIAGNOSE_TRACE
from hopsight.steps.extract_facts import EXTRACT_FACTS
from hopsight.steps.judge_process import JUDGE_PROCESS
from hopsight.steps.judge_uniqueness import JUDGE_UNIQUENESS
from hopsight.steps.propose_patch import PROPOSE_PATCH
from hopsight.steps.run import AskFor, each_despite_outages, each_of, run_step
from hopsight.steps.step import Step
from hopsight.steps.verbalise_path import VERBALISE_PATH
from hopsight.steps.verify_hop import VERIFY_HOP

STEPS: Final[dict[str, Step[Any, Any]]] = {
    step.name: step
    for step in (
        EXTRACT_FACTS,
        DESCRIBE_ENTITY,
        JUDGE_UNIQUENESS,
        VERBALISE_PATH,
        CHECK_WORDING,
        BUILD_LINK,
        VERIFY_HOP,
        CAPTION_PICTURE,
        JUDGE_PROCESS,
        DIAGNOSE_TRACE,
        PROPOSE_PATCH,
    )
}

__all__ = [
    "BUILD_LINK",
    "CAPTION_PICTURE",
    "CHECK_WORDING",
    "DESCRIBE_ENTITY",
    "DIAGNOSE_TRACE",
    "EXTRACT_FACTS",
    "JUDGE_PROCESS",
    "JUDGE_UNIQUENESS",
    "PROPOSE_PATCH",
    "STEPS",
    "VERBALISE_PATH",
    "VERIFY_HOP",
    "AskFor",
    "Step",
    "each_despite_outages",
    "each_of",
    "run_step",
]
