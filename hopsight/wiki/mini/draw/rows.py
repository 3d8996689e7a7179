"""The structured facts of the mini world, as the drawings need them."""

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from hopsight.errors import PictureError
from hopsight.wiki.mini.draw.text import drawable

TABLES = (
    "countries",
    "cities",
    "rivers",
    "mountains",
    "buildings",
    "persons",
    "artworks",
    "books",
    "music",
    "inventions",
    "organisms",
)


@dataclass(frozen=True, slots=True)
class Row:
    """One entity; `links` counts the pages it names and those that name it."""

    table: str
    cells: dict[str, str]
    links: int = 0

    @property
    def title(self) -> str:
        """The article title."""
        return self.cells["title"]

    def items(self, column: str) -> list[str]:
        """The values of a cell that the font can draw, without a trailing disambiguator."""
        values = [plain(item) for item in self.cells.get(column, "").split(";")]
        return [value for value in values if drawable(value)]

    def first(self, column: str) -> str | None:
        """The first value of a cell, or None where it is empty or a glyph is missing."""
        value = plain(self.cells.get(column, "").split(";")[0])
        return value if drawable(value) else None

    def has(self, *columns: str) -> bool:
        """Whether each of the columns has a first value that can be drawn."""
        return all(self.first(column) for column in columns)


def plain(title: str) -> str:
    """A title without the disambiguator in parentheses at its end."""
    head, _, tail = title.strip().rpartition(" (")
    return head if head and tail.endswith(")") else title.strip()


def read_tables(data_dir: Path) -> dict[str, list[Row]]:
    """The drawn tables, each row with its number of links over all tables of the folder.

    Raises PictureError if a table is missing or a record lacks cells.
    """
    missing = [table for table in TABLES if not (data_dir / f"{table}.csv").is_file()]
    if missing:
        raise PictureError(f"{data_dir} lacks the tables {', '.join(missing)}", "restore them")
    cells = {path.stem: _read(path) for path in sorted(data_dir.glob("*.csv"))}
    titles = {row["title"] for rows in cells.values() for row in rows}
    links = _links(titles, (row for rows in cells.values() for row in rows))
    return {
        table: [Row(table, row, links[row["title"]]) for row in cells[table]] for table in TABLES
    }


def _read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    for number, row in enumerate(rows, start=2):
        if not row.get("title") or None in row or None in row.values():
            raise PictureError(
                f"{path.name}, record {number}: cells are missing", "mend the record"
            )
    return rows


def _links(titles: set[str], rows: Iterable[dict[str, str]]) -> dict[str, int]:
    """Links in both directions, over every page-valued cell."""
    count = dict.fromkeys(sorted(titles), 0)
    for row in rows:
        named = {
            item.strip()
            for column, cell in row.items()
            if column not in ("title", "aliases", "source")
            for item in cell.split(";")
        }
        for target in named & titles - {row["title"]}:
            count[row["title"]] += 1
            count[target] += 1
    return count
