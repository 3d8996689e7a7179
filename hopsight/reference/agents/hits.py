"""Reading lists of hits as the tools write them."""

import re
from collections.abc import Iterable

from hopsight.errors import Outcome
from hopsight.types import Observation

LISTED = re.compile(r"^\d+\. (?:.*? on the page )?(.+)\n\s+(\S+://\S+)", re.MULTILINE)
"""A hit in a numbered list: its title, and its address on the next line."""
PICTURED = re.compile(r"^\d+\. <image:(\d+)>.*? on the page .+\n\s+(\S+://\S+)", re.MULTILINE)
"""A picture in a numbered list: its handle, and the address of the page that shows it."""


def links(observations: Iterable[Observation]) -> list[tuple[str, str]]:
    """Titles and URLs in observations that brought something, in order, each URL once."""
    found: dict[str, str] = {}
    for observation in observations:
        if observation.outcome is Outcome.OK:
            for match in LISTED.finditer(observation.text):
                found.setdefault(match.group(2), match.group(1))
    return [(title, url) for url, title in found.items()]


def pictures(observations: Iterable[Observation]) -> list[tuple[int, str]]:
    """Handles of the pictures that were found, each with the URL of its page."""
    return [
        (int(match.group(1)), match.group(2))
        for observation in observations
        if observation.outcome is Outcome.OK
        for match in PICTURED.finditer(observation.text)
        if int(match.group(1)) in observation.images
    ]
