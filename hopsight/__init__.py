"""Hopsight: multi-hop visual search questions, made to order, checked, and traceable."""

__version__ = "0.1.0"
