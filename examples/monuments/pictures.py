"""The pictures of the world: photographs as they are, flags and outlines drawn."""

import hashlib
import io
import logging
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from PIL import Image

from examples.monuments.bands import flag_facts
from examples.monuments.claims import Checked
from examples.monuments.countries import Country
from examples.monuments.flags import draw_flag
from examples.monuments.outlines import draw_outline, outline_facts, read_outline
from hopsight.errors import PictureError
from hopsight.store.images import inspect_picture

LOG = logging.getLogger(__name__)

_TABLE: Final = "https://github.com/mledoze/countries"
_FLAG_TERMS: Final = "emblem, see https://en.wikipedia.org/wiki/Wikipedia:Copyright_on_emblems"


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a page. `file` says nothing of what is shown; `source` is where it is from."""

    page: str
    kind: str
    file: str
    data: bytes
    width: int
    height: int
    license: str
    author: str
    source: str
    visual_facts: tuple[str, ...]


def outline_title(country: Country) -> str:
    """The title of the page that shows a country's outline."""
    return f"Geography of {country.title}"


def photograph(each: Checked) -> Picture:
    """A monument's photograph, byte for byte. Raises PictureError where it does not open."""
    monument = each.monument
    _, width, height = inspect_picture(monument.photograph, monument.key)
    return Picture(
        page=each.claim.title,
        kind="photograph",
        file=_file(f"photograph|{monument.key}", monument.suffix),
        data=monument.photograph,
        width=width,
        height=height,
        license=monument.credit.license,
        author=monument.credit.author,
        source=monument.credit.source,
        visual_facts=(),
    )


def flags(countries: tuple[Country, ...], files: Mapping[str, bytes]) -> Iterator[Picture]:
    """The flag of each country. Of countries under the same flag only the one that is a member of
    the United Nations has it, for a picture must show whose flag it is."""
    drawn: dict[bytes, list[tuple[Country, Picture]]] = defaultdict(list)
    for country in countries:
        code = country.row.cca3.lower()
        svg = files.get(f"package/data/{code}.svg", b"")
        try:
            image = draw_flag(svg)
        except PictureError as error:
            LOG.warning("event=flag_left_out country=%r cause=%r", country.title, error.cause)
            continue
        picture = _drawn(
            country.title, "flag", image, _FLAG_TERMS, "mledoze/countries", flag_facts(image)
        )
        drawn[image.tobytes()].append((country, picture))
    for alike in drawn.values():
        owners = [picture for country, picture in alike if country.row.un_member] or [alike[0][1]]
        if len(owners) == 1:
            yield owners[0]


def outlines(countries: tuple[Country, ...], files: Mapping[str, bytes]) -> Iterator[Picture]:
    """The outline of each member of the United Nations."""
    for country in countries:
        if not country.row.un_member:
            continue
        data = files.get(f"package/data/{country.row.cca3.lower()}.geo.json", b"")
        try:
            polygons = read_outline(data)
            image = draw_outline(polygons)
        except PictureError as error:
            LOG.warning("event=outline_left_out country=%r cause=%r", country.title, error.cause)
            continue
        yield _drawn(
            outline_title(country),
            "outline",
            image,
            "ODbL-1.0",
            "mledoze/countries, after thematicmapping.org",
            outline_facts(polygons),
        )


def _drawn(
    page: str, kind: str, image: Image.Image, terms: str, author: str, facts: tuple[str, ...]
) -> Picture:
    out = io.BytesIO()
    image.save(out, "PNG")
    return Picture(
        page=page,
        kind=kind,
        file=_file(f"{kind}|{page}", "png"),
        data=out.getvalue(),
        width=image.width,
        height=image.height,
        license=terms,
        author=author,
        source=_TABLE,
        visual_facts=facts,
    )


def _file(key: str, suffix: str) -> str:
    """A name that tells nothing of the picture and is the same every time."""
    return f"mon-{hashlib.sha256(key.encode()).hexdigest()[:10]}.{suffix}"
