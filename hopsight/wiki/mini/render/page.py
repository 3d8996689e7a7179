"""A page of the export, whatever its namespace."""

from dataclasses import dataclass

MAIN, FILE, TEMPLATE, CATEGORY = 0, 6, 10, 14


@dataclass(frozen=True, slots=True)
class Page:
    """Title with its namespace prefix, namespace number, wikitext, and target if a redirect."""

    title: str
    namespace: int
    text: str
    redirect: str | None = None
