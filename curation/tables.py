"""Tables in Markdown, of text that others wrote."""

from collections.abc import Sequence


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table whose cells cannot break it."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines)


def _cell(text: str) -> str:
    """A cell from outside text: no line breaks, no column marks, no HTML."""
    flat = " ".join(text.split())
    return flat.replace("|", "\\|").replace("<", "&lt;")
