"""The pictures of the mini world: true flags, labels that say nothing but their row."""

import io
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from hopsight.errors import PictureError
from hopsight.wiki.mini import DATA_DIR as DATA
from hopsight.wiki.mini.draw import Picture, draw_all, picture_rows
from hopsight.wiki.mini.draw.canvas import Canvas, rgb
from hopsight.wiki.mini.draw.choose import spread
from hopsight.wiki.mini.draw.emblems import EMBLEMS
from hopsight.wiki.mini.draw.flag_picture import NEUTRAL, draw_flag, flag_box, flag_facts
from hopsight.wiki.mini.draw.flags import FLAGS
from hopsight.wiki.mini.draw.geometry import Polygon, circle, crescent, inset, rect
from hopsight.wiki.mini.draw.layers import Flag
from hopsight.wiki.mini.draw.maps import degrees, place_on_map, window
from hopsight.wiki.mini.draw.pictures import picture_file
from hopsight.wiki.mini.draw.plaques import initials
from hopsight.wiki.mini.draw.rows import TABLES, Row, plain, read_tables
from hopsight.wiki.mini.draw.style import Line, block
from hopsight.wiki.mini.draw.text import drawable, has_glyph, width_of, wrapped

DOMAINS = {
    "flag": "Location",
    "civil flag": "Location",
    "summit sign": "Location",
    "river board": "Location",
    "locator map": "Location",
    "plaque": "Person",
    "visitor board": "Building/Place",
    "gallery label": "Artifact",
    "title page": "Artifact",
    "concert bill": "Artifact",
    "data sheet": "Artifact",
    "specimen label": "Organism",
}

# All that a label may say beyond the values of its row.
CAPTIONS = set(
    "born in died - height cm m by set libretto first given named after class: order: family: "
    "architect built completed ascent length km from to basin sq elevation founded".split()
)


@pytest.fixture(scope="module")
def small_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first rows of every table: enough for each kind of picture."""
    folder = tmp_path_factory.mktemp("data")
    for path in sorted(DATA.glob("*.csv")):
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        (folder / path.name).write_text("".join(lines[:10]), encoding="utf-8")
    return folder


def flag_of(title: str) -> Flag:
    return next(flag for flag in FLAGS if flag.title == title)


def colour_at(flag: Flag, across: float, down: float) -> tuple[int, int, int]:
    """The pixel at a fraction of the flag's width and height."""
    left, top, width, height = flag_box(flag)
    image = Image.open(io.BytesIO(draw_flag(flag).png())).convert("RGB")
    pixel = image.getpixel((left + int(across * width), top + int(down * height)))
    assert isinstance(pixel, tuple)
    return (int(pixel[0]), int(pixel[1]), int(pixel[2]))


def area(polygon: Polygon) -> float:
    pairs = zip(polygon, polygon[1:] + polygon[:1], strict=True)
    return abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairs)) / 2


def chunks(content: bytes) -> Iterator[str]:
    """The types of the chunks of a PNG."""
    position = 8
    while position < len(content):
        length = int.from_bytes(content[position : position + 4], "big")
        yield content[position + 4 : position + 8].decode("ascii")
        position += length + 12


def test_every_domain_has_enough_pictures(drawn: tuple[Path, list[Picture]]) -> None:
    _, pictures = drawn
    count = Counter(DOMAINS[picture.kind] for picture in pictures)
    assert len(pictures) >= 260
    assert min(count.values()) >= 25
    assert set(count) == {"Location", "Person", "Building/Place", "Artifact", "Organism"}
    assert sum(picture.kind.endswith("flag") for picture in pictures) >= 130


def test_files_are_what_their_rows_say(drawn: tuple[Path, list[Picture]]) -> None:
    folder, pictures = drawn
    assert {path.name for path in folder.iterdir()} == {picture.file for picture in pictures}
    for picture in pictures:
        content = (folder / picture.file).read_bytes()
        assert sha256(content).hexdigest() == picture.sha256
        assert picture.file == picture_file(picture.title)
        with Image.open(io.BytesIO(content)) as image:
            assert image.size == (picture.width, picture.height)
            assert image.mode == "P"
        assert min(picture.width, picture.height) >= 512
        assert max(picture.width, picture.height) >= 640


def test_files_are_small_and_bear_no_metadata(drawn: tuple[Path, list[Picture]]) -> None:
    folder, pictures = drawn
    contents = [(folder / picture.file).read_bytes() for picture in pictures]
    assert sum(map(len, contents)) < 8_000_000
    assert {chunk for content in contents for chunk in chunks(content)} == {
        "IHDR", "PLTE", "IDAT", "IEND",
    }  # fmt: skip


def test_titles_are_pages_and_each_has_one_picture(drawn: tuple[Path, list[Picture]]) -> None:
    _, pictures = drawn
    titles = [picture.title for picture in pictures]
    pages = {row.title for rows in read_tables(DATA).values() for row in rows}
    assert len(set(titles)) == len(titles)
    assert set(titles) <= pages


def test_no_two_pictures_are_nearly_identical(drawn: tuple[Path, list[Picture]]) -> None:
    folder, pictures = drawn
    thumbnails = np.stack(
        [
            np.asarray(
                Image.open(folder / picture.file)
                .convert("RGB")
                .resize((64, 64), Image.Resampling.BOX),
                dtype=np.int16,
            )
            for picture in pictures
        ]
    )
    near = [
        (picture.title, pictures[number + 1 + other].title)
        for number, picture in enumerate(pictures[:-1])
        for other in np.flatnonzero(
            np.abs(thumbnails[number + 1 :] - thumbnails[number]).mean(axis=(1, 2, 3)) < 5
        )
    ]
    assert near == []


@pytest.mark.parametrize(
    ("kept", "left_out"),
    [
        ("Romania", "Chad"),
        ("Indonesia", "Monaco"),
        ("Netherlands", "Luxembourg"),
        ("Jordan", "Palestine"),
        ("Senegal", "Mali"),
    ],
)
def test_of_like_flags_one_is_drawn(kept: str, left_out: str) -> None:
    titles = [flag.title for flag in FLAGS]
    assert titles.count(kept) == 1
    assert left_out not in titles


def test_rows_are_json_and_complete(drawn: tuple[Path, list[Picture]]) -> None:
    _, pictures = drawn
    rows = picture_rows(pictures)
    assert json.loads(json.dumps(rows)) == rows
    assert set(rows[0]) == {
        "file", "title", "kind", "width", "height", "sha256", "license", "author",
        "visual_facts", "text",
    }  # fmt: skip
    assert {row["license"] for row in rows} == {"CC0-1.0"}


def test_facts_of_labels_never_name_the_page(drawn: tuple[Path, list[Picture]]) -> None:
    _, pictures = drawn
    for picture in pictures:
        name = re.compile(rf"\b{re.escape(plain(picture.title))}\b")
        assert not any(name.search(fact) for fact in picture.visual_facts), picture.title


def test_two_runs_give_the_same_bytes(small_data: Path, tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from hopsight.wiki.mini.draw import draw_all\n"
        "for p in draw_all(Path(sys.argv[1]), Path(sys.argv[2])): print(p.file, p.sha256)"
    )
    outputs = [
        subprocess.run(
            [sys.executable, "-c", script, str(small_data), str(tmp_path / seed)],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(DATA.parents[3])},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert outputs[0] == outputs[1]
    assert outputs[0].count(b"\n") >= 30


def test_stale_pictures_go_and_other_files_stay(tmp_path: Path) -> None:
    data, out = tmp_path / "data", tmp_path / "out"
    data.mkdir()
    out.mkdir()
    for table in TABLES:
        (data / f"{table}.csv").write_text("title,source\n", encoding="utf-8")
    (data / "countries.csv").write_text("title,source\nPoland,atlas\n", encoding="utf-8")
    (out / "mw-00000000.png").write_bytes(b"old")
    (out / "note.txt").write_text("kept")
    (picture,) = draw_all(data, out)
    assert {path.name for path in out.iterdir()} == {"note.txt", picture.file}


def test_labels_contain_only_row_values(drawn: tuple[Path, list[Picture]]) -> None:
    _, pictures = drawn
    rows = {row.title: row for table in read_tables(DATA).values() for row in table}
    strange = [
        (picture.title, text)
        for picture in pictures
        for text in picture.text
        if not _is_of_row(text, rows[picture.title])
    ]
    assert strange == []


def _is_of_row(text: str, row: Row) -> bool:
    if row.table == "cities" and "\N{DEGREE SIGN}" in text:
        return _is_coordinate(text, row)
    if row.table == "persons" and text == initials(row.items("title")[0]):
        return True
    values = [plain(item) for cell in row.cells.values() for item in cell.split(";")]
    words = {word.strip(",") for value in values for word in value.split()} | CAPTIONS
    return all(word.strip(",") in words for word in text.split())


def _is_coordinate(text: str, row: Row) -> bool:
    """A round degree of the graticule, or the city's own coordinates to two decimals."""
    if re.fullmatch(r"\d+\N{DEGREE SIGN}( [NSEW])?", text):
        return int(text.split("\N{DEGREE SIGN}")[0]) % 5 == 0
    numbers = [float(number) for number in re.findall(r"\d+\.\d+", text)]
    own = [abs(float(row.cells[column])) for column in ("latitude", "longitude")]
    halves = [
        "NS"[float(row.cells["latitude"]) < 0],
        "EW"[float(row.cells["longitude"]) < 0],
    ]
    return numbers == own and re.findall(r"[NSEW]", text) == halves


def test_half_of_the_plaques_name_nobody(drawn: tuple[Path, list[Picture]]) -> None:
    _, pictures = drawn
    plaques = [picture for picture in pictures if picture.kind == "plaque"]
    nameless = [p for p in plaques if "no name stands on the plaque" in p.visual_facts]
    assert 0.4 <= len(nameless) / len(plaques) <= 0.6
    for picture in nameless:
        assert not any(plain(picture.title) in text for text in picture.text)


def test_specimen_labels_bear_no_common_name(drawn: tuple[Path, list[Picture]]) -> None:
    _, pictures = drawn
    rows = {row.title: row for row in read_tables(DATA)["organisms"]}
    for picture in pictures:
        if picture.kind == "specimen label":
            row = rows[picture.title]
            assert picture.text[0] == row.first("scientific_name")
            if row.title != row.first("scientific_name"):
                assert plain(row.title) not in picture.text


@pytest.mark.parametrize(
    ("title", "points"),
    [
        ("France", [(0.1, 0.5, "000091"), (0.5, 0.5, "FFFFFF"), (0.9, 0.5, "E1000F")]),
        ("Germany", [(0.5, 0.1, "000000"), (0.5, 0.5, "DD0000"), (0.5, 0.9, "FFCE00")]),
        ("Switzerland", [(0.5, 0.25, "FFFFFF"), (0.25, 0.5, "FFFFFF"), (0.1, 0.5, "FF0000")]),
        ("Japan", [(0.5, 0.5, "BC002D"), (0.5, 0.25, "BC002D"), (0.5, 0.15, "FFFFFF")]),
        ("Norway", [(8 / 22, 0.1, "00205B"), (6.5 / 22, 0.1, "FFFFFF"), (0.1, 0.1, "BA0C2F")]),
        ("Czech Republic", [(0.1, 0.5, "11457E"), (0.6, 0.2, "FFFFFF"), (0.6, 0.8, "D7141A")]),
        ("South Africa", [(0.8, 0.5, "007749"), (0.1, 0.5, "000000"), (0.8, 0.1, "E03C31")]),
        ("Colombia", [(0.5, 0.45, "FCD116"), (0.5, 0.6, "003893"), (0.5, 0.9, "CE1126")]),
        ("Chile", [(1 / 6, 0.25, "FFFFFF"), (0.05, 0.05, "0039A6"), (0.5, 0.75, "D52B1E")]),
        ("United Kingdom", [(0.5, 0.5, "C8102E"), (0.5, 0.1, "C8102E"), (0.3, 0.05, "012169")]),
        ("Greece", [(0.185, 0.1, "FFFFFF"), (0.05, 0.1, "0D5EAF"), (0.8, 0.17, "FFFFFF")]),
        ("Nepal", [(0.99, 0.01, "DADCE0"), (0.2, 0.9, "DC143C"), (0.24, 0.72, "FFFFFF")]),
    ],
)
def test_flags_have_their_colours_in_their_places(
    title: str, points: list[tuple[float, float, str]]
) -> None:
    flag = flag_of(title)
    assert [colour_at(flag, x, y) for x, y, _ in points] == [rgb(colour) for _, _, colour in points]


@pytest.mark.parametrize(
    ("title", "ratio"),
    [
        ("Switzerland", (1, 1)),
        ("France", (2, 3)),
        ("Denmark", (28, 37)),
        ("Belgium", (13, 15)),
        ("Qatar", (11, 28)),
        ("Niger", (6, 7)),
        ("United States", (10, 19)),
        ("United Kingdom", (1, 2)),
    ],
)
def test_flags_keep_their_proportions(title: str, ratio: tuple[int, int]) -> None:
    _, _, width, height = flag_box(flag_of(title))
    assert height / width == pytest.approx(ratio[0] / ratio[1], abs=0.002)


@pytest.mark.parametrize(
    ("title", "fact"),
    [
        ("Italy", "three vertical bands, from left to right: green, white, red"),
        ("Denmark", "a white cross reaching all four edges, its upright left of the middle"),
        ("Panama", "a blue star in the upper left quarter"),
        ("Samoa", "five white five-pointed stars on the blue rectangle"),
        ("Switzerland", "the flag is square"),
    ],
)
def test_flags_say_what_they_show(title: str, fact: str) -> None:
    assert fact in flag_facts(flag_of(title))


def test_rectangular_flags_are_full_bleed_and_every_flag_states_a_fact() -> None:
    for flag in FLAGS:
        assert len(flag_facts(flag)) >= 2, flag.title
        image = Image.open(io.BytesIO(draw_flag(flag).png())).convert("RGB")
        colours = {colour for _, colour in image.getcolors(image.width * image.height) or []}
        assert (rgb(NEUTRAL) in colours) == (not flag.rectangular), flag.title


def test_the_fifty_stars_of_the_united_states_are_fifty() -> None:
    star_layer = flag_of("United States").layers[2]
    assert star_layer.fact == "fifty white stars on the blue rectangle"
    assert len(star_layer.shapes) == 50


def test_missing_glyphs_are_refused() -> None:
    canvas = Canvas(64, 64, "FFFFFF")
    with pytest.raises(PictureError, match=r"U\+0141"):
        canvas.write("\u0141\xf3d\u017a", (32, 32), 12, "000000")
    with pytest.raises(PictureError, match="empty text"):
        canvas.write(" ", (32, 32), 12, "000000")
    assert canvas.strings == []
    assert not drawable("S\xe3o Tom\xe9")
    assert drawable("48.86\N{DEGREE SIGN} N")


def test_a_value_that_cannot_be_drawn_is_no_value() -> None:
    row = Row("persons", {"title": "Ren\xe9", "birth_place": "Li\xe8ge", "country": "Belgium;Chad"})
    assert row.first("birth_place") is None
    assert row.first("country") == "Belgium"
    assert not row.has("title")


@given(st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=0x2FFF), max_size=12))
def test_drawable_means_that_every_character_has_a_glyph(text: str) -> None:
    assert drawable(text) == (bool(text) and all(has_glyph(character) for character in text))


@given(st.lists(st.text(alphabet="abcdefgh", min_size=1, max_size=9), min_size=1, max_size=20))
def test_wrapping_keeps_every_word_in_order(words: list[str]) -> None:
    lines = wrapped(" ".join(words), 20, 140)
    assert " ".join(lines).split() == words
    assert all(width_of(line, 20) <= 140 or " " not in line for line in lines)


def test_text_that_does_not_fit_is_an_error() -> None:
    canvas = Canvas(64, 64, "FFFFFF")
    with pytest.raises(PictureError, match="no room"):
        block(canvas, [Line("incomprehensibilities", 40, "000000")], (0, 0, 60, 60))


def test_a_missing_table_is_named(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="lacks the tables countries"):
        draw_all(tmp_path, tmp_path / "out")


def test_a_short_record_is_named(small_data: Path, tmp_path: Path) -> None:
    for path in sorted(small_data.glob("*.csv")):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    with (tmp_path / "rivers.csv").open("a", encoding="utf-8") as table:
        table.write("Lethe,\n")
    with pytest.raises(PictureError, match=r"rivers\.csv, record 11"):
        read_tables(tmp_path)


def test_links_count_in_both_directions(tmp_path: Path) -> None:
    for table in TABLES:
        (tmp_path / f"{table}.csv").write_text("title,source\n", encoding="utf-8")
    (tmp_path / "cities.csv").write_text(
        "title,country,source\nParis,France,Lyon\nLyon,France,Paris\n", encoding="utf-8"
    )
    (tmp_path / "countries.csv").write_text("title,capital,source\nFrance,Paris,\n", "utf-8")
    tables = read_tables(tmp_path)
    links = {row.title: row.links for rows in tables.values() for row in rows}
    assert links == {"Paris": 2, "Lyon": 1, "France": 3}


@given(st.permutations(range(12)))
def test_the_choice_does_not_depend_on_the_order_of_rows(order: list[int]) -> None:
    rows = [Row("books", {"title": f"T{k:02}", "kind": "abc"[k % 3]}, links=k // 4) for k in order]
    chosen = [row.title for row in spread(rows, 6, lambda row: row.cells["kind"])]
    # The best of each kind first, then the second best.
    assert chosen == ["T08", "T09", "T10", "T11", "T06", "T04"]


def test_a_crescent_is_the_disc_less_the_overlap() -> None:
    whole, cut = area(circle(0, 0, 10)), area(crescent(0, 0, 10, 6, 0, 8))
    assert 0 < cut < whole
    with pytest.raises(ValueError, match="must cross"):
        crescent(0, 0, 10, 1, 0, 2)


def test_an_inset_square_is_smaller_on_every_side() -> None:
    assert np.allclose(inset(rect(0, 0, 10, 10), 2), rect(2, 2, 6, 6))


def test_every_emblem_stays_near_its_square_and_is_visible() -> None:
    for name, (parts, sentence) in EMBLEMS.items():
        points = [point for _, polygon in parts() for point in polygon]
        assert max(abs(value) for point in points for value in point) <= 1.3, name
        assert sum(area(polygon) for inked, polygon in parts() if inked) > 0.3, name
        assert sentence


@given(st.floats(-89, 89), st.floats(-180, 180))
def test_the_marked_place_lies_well_inside_its_map(latitude: float, longitude: float) -> None:
    x, y = place_on_map(latitude, longitude)
    assert 84 + 480 * 0.2 <= x <= 84 + 480 * 0.8
    assert 40 + 480 * 0.2 <= y <= 40 + 480 * 0.8
    assert window(longitude) % 5 == 0


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (-5, "5\N{DEGREE SIGN} W"),
        (0, "0\N{DEGREE SIGN}"),
        (185, "175\N{DEGREE SIGN} W"),
        (180, "180\N{DEGREE SIGN}"),
        (-185, "175\N{DEGREE SIGN} E"),
    ],
)
def test_longitudes_name_their_half_of_the_globe(value: float, text: str) -> None:
    assert degrees(value, "E", "W") == text


def test_initials_leave_out_small_particles() -> None:
    assert initials("Ludwig van Beethoven") == "L. B."
