"""Dagster assets, one module per group. They are wiring: the work is in the packages below."""
