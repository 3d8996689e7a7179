"""Benchmarks in the data: fingerprints of files that the user points at, and what holds them."""

from curation.contamination.fingerprints import (
    ContaminationRules,
    Fingerprints,
    Hit,
    fingerprints_of,
    read_fingerprints,
)
from curation.contamination.rows import BenchmarkRow, benchmark_rows
from curation.contamination.stage import contaminated, contaminated_rollouts

__all__ = [
    "BenchmarkRow",
    "ContaminationRules",
    "Fingerprints",
    "Hit",
    "benchmark_rows",
    "contaminated",
    "contaminated_rollouts",
    "fingerprints_of",
    "read_fingerprints",
]
