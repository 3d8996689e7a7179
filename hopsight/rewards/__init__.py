"""Rewards of a trajectory, step by step: how well it searched."""

from hopsight.rewards.query_judge import judge_queries
from hopsight.rewards.query_rules import rule_queries
from hopsight.rewards.query_score import Invalid, QueryScore

__all__ = ["Invalid", "QueryScore", "judge_queries", "rule_queries"]
