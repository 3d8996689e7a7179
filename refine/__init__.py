"""Refine: easy questions made hard, one operator after the other: Expand, Blur, Visualize [OPD]."""
