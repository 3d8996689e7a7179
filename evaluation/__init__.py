"""Running a policy over benchmarks, and comparing runs."""
