"""Is a final answer the gold answer? Rules first, then models whose verdict is a checked field.

Nothing of a trajectory but its final answer is read, an answer is never looked for inside a
longer text, and an episode that infrastructure ended says nothing about the policy.
"""

from hopsight.judge.agreement import cohen_kappa, fleiss_kappa, plain_agreement
from hopsight.judge.environment import JudgeSetup, judge_setup
from hopsight.judge.evaluate import (
    JudgeReport,
    Labelled,
    evaluate_judge,
    read_labelled,
    rules_alone,
    rules_and,
    votes_by_judge,
)
from hopsight.judge.models import (
    JudgeModel,
    Judgment,
    Panel,
    Unjudged,
    Vote,
    judge_text,
    judge_trajectory,
)
from hopsight.judge.normal import normalise
from hopsight.judge.rules import RULES, Ruling, exact_match, judge_answer, rule, rule_on

__all__ = [
    "RULES",
    "JudgeModel",
    "JudgeReport",
    "JudgeSetup",
    "Judgment",
    "Labelled",
    "Panel",
    "Ruling",
    "Unjudged",
    "Vote",
    "cohen_kappa",
    "evaluate_judge",
    "exact_match",
    "fleiss_kappa",
    "judge_answer",
    "judge_setup",
    "judge_text",
    "judge_trajectory",
    "normalise",
    "plain_agreement",
    "read_labelled",
    "rule",
    "rule_on",
    "rules_alone",
    "rules_and",
    "votes_by_judge",
]
