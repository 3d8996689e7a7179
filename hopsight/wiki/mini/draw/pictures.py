"""All pictures of the mini world: who gets one, the files, and the rows that describe them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from hopsight.errors import PictureError
from hopsight.wiki.mini.draw import artifacts, boards, maps, plaques, signs, specimens
from hopsight.wiki.mini.draw.choose import spread
from hopsight.wiki.mini.draw.flag_picture import draw_flag, flag_facts
from hopsight.wiki.mini.draw.flags import FLAGS
from hopsight.wiki.mini.draw.rows import Row, read_tables
from hopsight.wiki.mini.draw.style import Drawing


class Picture(BaseModel):
    """One line of `pictures.jsonl`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    file: str = Field(pattern=r"^mw-[0-9a-f]{8}\.png$")
    title: str = Field(min_length=1)
    kind: str = Field(min_length=1)
    width: int = Field(ge=512)
    height: int = Field(ge=512)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$", description="of the file's bytes")
    license: str = "CC0-1.0"
    author: str = "Hopsight contributors"
    visual_facts: tuple[str, ...] = Field(min_length=1)
    text: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Series:
    """A kind of label: which table, how many, of which rows, spread over which column."""

    table: str
    count: int
    suits: Callable[[Row], bool]
    spread_by: str
    draw: Callable[[Row, int], Drawing]


SERIES: tuple[Series, ...] = (
    Series("persons", 40, plaques.suits, "occupation", plaques.plaque),
    Series("buildings", 36, boards.suits, "kind", boards.visitor_board),
    Series("artworks", 14, artifacts.suits, "kind", artifacts.artifact_label),
    Series("books", 12, artifacts.suits, "kind", artifacts.artifact_label),
    Series("music", 10, artifacts.suits, "kind", artifacts.artifact_label),
    Series("inventions", 10, artifacts.suits, "kind", artifacts.artifact_label),
    Series("organisms", 36, specimens.suits, "class", specimens.specimen_label),
    Series("mountains", 18, signs.mountain_suits, "range", signs.summit_sign),
    Series("rivers", 18, signs.river_suits, "mouth", signs.river_board),
    Series("cities", 20, maps.suits, "country", maps.locator_map),
)


def picture_file(title: str) -> str:
    """An opaque file name that never changes for a title."""
    return f"mw-{sha256(f'picture:{title}'.encode()).hexdigest()[:8]}.png"


def drawings(data_dir: Path) -> Iterator[Drawing]:
    """Every drawing in a fixed order: the flags by table, then the labels, series by series."""
    tables = read_tables(data_dir)
    countries = {row.title for row in tables["countries"]}
    for flag in FLAGS:
        # A flag stands for a page: without the page there is nothing to hang it on.
        if flag.title in countries:
            yield Drawing(flag.title, flag.kind, draw_flag(flag), flag_facts(flag))
    for series in SERIES:
        fit = [row for row in tables[series.table] if series.suits(row)]
        chosen = spread(fit, series.count, _kind_by(series.spread_by))
        for number, row in enumerate(chosen):
            yield series.draw(row, number)


def _kind_by(column: str) -> Callable[[Row], str]:
    return lambda row: row.first(column) or ""


def draw_all(data_dir: Path, out_dir: Path) -> list[Picture]:
    """Write the picture files into `out_dir` and give a row for each, sorted by title.

    The folder then holds these pictures and no other `mw-*.png`. Raises PictureError if a table is
    missing or broken, if text cannot be drawn, or if two titles share a file name.
    """
    out_dir.mkdir(parents=True, exist_ok=True)
    pictures: dict[str, Picture] = {}
    for drawing in drawings(data_dir):
        content = drawing.canvas.png()
        picture = _describe(drawing, content)
        if picture.file in pictures:
            other = pictures[picture.file].title
            raise PictureError(
                f"{picture.title!r} and {other!r} share the file {picture.file}",
                "give each page one picture and rename one of the titles",
            )
        (out_dir / picture.file).write_bytes(content)
        pictures[picture.file] = picture
    for path in sorted(out_dir.glob("mw-*.png")):
        if path.name not in pictures:
            path.unlink()
    return sorted(pictures.values(), key=lambda picture: picture.title)


def _describe(drawing: Drawing, content: bytes) -> Picture:
    return Picture(
        file=picture_file(drawing.title),
        title=drawing.title,
        kind=drawing.kind,
        width=drawing.canvas.width,
        height=drawing.canvas.height,
        sha256=sha256(content).hexdigest(),
        visual_facts=drawing.facts,
        text=tuple(drawing.canvas.strings),
    )


def picture_rows(pictures: list[Picture]) -> list[dict[str, object]]:
    """The rows of `pictures.jsonl`, ready for `json.dumps`."""
    return [picture.model_dump(mode="json") for picture in pictures]
