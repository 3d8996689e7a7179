"""Policies behind a chat endpoint: the harness's view as messages, and answers as turns."""

from hopsight.harness.policies.chat import AskFor, ChatPolicy, Sampling
from hopsight.harness.policies.styles import STYLES, Style, style_of_dialect

__all__ = ["STYLES", "AskFor", "ChatPolicy", "Sampling", "Style", "style_of_dialect"]
