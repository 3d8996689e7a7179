"""The notice that goes with a built world: whose work it is made of."""

from collections.abc import Sequence

from examples.monuments.packages import PACKAGES
from examples.monuments.pictures import Picture

_HEAD = """# Whose work this world is made of

Built from packages of other projects; it stays under their terms.

- Descriptions of the monuments: GCompris, GPL-3.0-or-later.
- First paragraphs of articles: the authors of the English Wikipedia, CC-BY-SA-4.0; the history of
  each article, with its authors, is at https://en.wikipedia.org/wiki/ and the article's title.
- Facts and outlines of countries: mledoze/countries, ODbL-1.0; outlines after thematicmapping.org.
- Flags are emblems: see https://en.wikipedia.org/wiki/Wikipedia:Copyright_on_emblems
- Photographs: as the table says, unchanged.

| package | terms | from |
|---|---|---|
"""


def notice(pictures: Sequence[Picture]) -> str:
    """The text of NOTICE.md: the packages, then every picture with author, terms and source."""
    packages = "".join(_row(p.version, p.license, p.origin) for p in PACKAGES)
    rows = "".join(
        _row(p.file, p.page, p.kind, p.author, p.license, p.source)
        for p in sorted(pictures, key=lambda p: (p.kind != "photograph", p.kind, p.page))
    )
    return (
        f"{_HEAD}{packages}\n| picture | page | kind | author | terms | source |\n"
        f"|---|---|---|---|---|---|\n{rows}"
    )


def _row(*cells: str) -> str:
    escaped = (" ".join(cell.split()).replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(escaped)} |\n"
