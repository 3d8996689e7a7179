"""Outlines of countries as pictures, drawn from GeoJSON."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, Literal

from PIL import Image, ImageDraw
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from hopsight.errors import PictureError

SIZE: Final = 768
"""Pixels of a picture's side."""
MARGIN: Final = 48
_FINER: Final = 2
"""Drawn so many times larger and reduced, for smooth edges."""
MAX_POINTS: Final = 200_000
FEWEST_POINTS: Final = 40
"""A coarser outline is nobody's land."""
LEAST_LAND: Final = 0.02
"""Share of the picture; islands strewn over an ocean are not to be recognised."""
LAND: Final = (198, 206, 190)
COAST: Final = (60, 66, 58)

Ring = Sequence[tuple[float, float]]
Polygon = Sequence[Ring]
_Rings = tuple[tuple[tuple[float, ...], ...], ...]


class _Polygon(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)

    type: Literal["Polygon"]
    coordinates: _Rings

    def polygons(self) -> tuple[_Rings, ...]:
        return (self.coordinates,)


class _Polygons(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)

    type: Literal["MultiPolygon"]
    coordinates: tuple[_Rings, ...]

    def polygons(self) -> tuple[_Rings, ...]:
        return self.coordinates


class _Feature(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    geometry: _Polygon | _Polygons = Field(discriminator="type")


class _Collection(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    features: tuple[_Feature, ...] = Field(min_length=1)


def read_outline(data: bytes) -> Sequence[Polygon]:
    """The polygons of a country: rings of (longitude, latitude), the outer one first.

    Raises PictureError where the file is no GeoJSON of polygons or has too many points.
    """
    try:
        found = _Collection.model_validate_json(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        cause = f"the outline cannot be read: {where}: {first['msg']}"
        raise PictureError(cause, "leave it out") from error
    listed = [each for feature in found.features for each in feature.geometry.polygons()]
    polygons = [[_ring(ring) for ring in each] for each in listed]
    if not polygons or not all(polygons):
        raise PictureError("the outline has no land", "leave it out")
    points = sum(len(ring) for polygon in polygons for ring in polygon)
    if not FEWEST_POINTS <= points <= MAX_POINTS:
        raise PictureError(f"the outline has {points} points", "leave it out")
    return _in_one_piece(polygons)


def draw_outline(polygons: Sequence[Polygon]) -> Image.Image:
    """The land on white, north up, in a projection that keeps shapes near its middle latitude.

    Raises PictureError where hardly any land would be seen.
    """
    flat = _projected(polygons)
    points = [point for polygon in flat for ring in polygon for point in ring]
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    top, bottom = min(y for _, y in points), max(y for _, y in points)
    inner = (SIZE - 2 * MARGIN) * _FINER
    scale = inner / max(right - left, bottom - top, 1e-9)
    dx = (SIZE * _FINER - scale * (left + right)) / 2
    dy = (SIZE * _FINER - scale * (top + bottom)) / 2
    image = Image.new("RGB", (SIZE * _FINER, SIZE * _FINER), "white")
    draw = ImageDraw.Draw(image)
    for polygon in flat:
        for index, ring in enumerate(polygon):
            placed = [(dx + scale * x, dy + scale * y) for x, y in ring]
            draw.polygon(placed, fill="white" if index else LAND, outline=COAST, width=3)
    drawn = image.resize((SIZE, SIZE), Image.Resampling.BOX)
    white = drawn.convert("L").histogram()[255]
    if 1 - white / SIZE**2 < LEAST_LAND:
        raise PictureError("the outline is hardly any land", "leave it out")
    return drawn


def outline_facts(polygons: Sequence[Polygon]) -> tuple[str, ...]:
    """What measuring the outline makes certain: its proportion, and whether it is in one piece."""
    flat = [point for polygon in _projected(polygons) for point in polygon[0]]
    width = max(x for x, _ in flat) - min(x for x, _ in flat)
    height = max(y for _, y in flat) - min(y for _, y in flat)
    facts = [_proportion(width / max(height, 1e-9))]
    if len(polygons) == 1:
        facts.append("the land is drawn in one piece")
        if len(polygons[0]) > 1:
            facts.append("the land has a hole")
    return tuple(facts)


def _proportion(ratio: float) -> str:
    times = max(ratio, 1 / max(ratio, 1e-9))
    if times < 1.05:
        return "the land is as wide as high"
    words = "as wide as high" if ratio > 1 else "as high as wide"
    return f"the land is {times:.1f} times {words}"


def _ring(points: tuple[tuple[float, ...], ...]) -> list[tuple[float, float]]:
    ring = [(point[0], point[1]) for point in points if len(point) >= 2]
    if len(ring) < 3 or len(ring) != len(points):
        raise PictureError("the outline has a ring that is no ring", "leave it out")
    if not all(abs(x) <= 180 and abs(y) <= 90 for x, y in ring):
        raise PictureError("the outline leaves the world", "leave it out")
    return ring


def _in_one_piece(polygons: Sequence[Polygon]) -> Sequence[Polygon]:
    """Cut the map where the widest gap between pieces is, not always at 180 degrees."""
    edges = sorted(
        (min(x for x, _ in polygon[0]), max(x for x, _ in polygon[0])) for polygon in polygons
    )
    reach, cut, widest = edges[0][1], None, edges[0][0] + 360 - max(high for _, high in edges)
    for (_, high), (low, _) in pairwise(edges):
        reach = max(reach, high)
        if low - reach > widest:
            widest, cut = low - reach, low
    if cut is None:
        return polygons
    return [
        [[(x + 360 if polygon[0][0][0] < cut else x, y) for x, y in ring] for ring in polygon]
        for polygon in polygons
    ]


def _projected(polygons: Sequence[Polygon]) -> list[list[list[tuple[float, float]]]]:
    """Longitudes shortened as at the middle latitude, latitudes growing downwards."""
    latitudes = [y for polygon in polygons for _, y in polygon[0]]
    squeeze = math.cos(math.radians((min(latitudes) + max(latitudes)) / 2))
    return [[[(x * squeeze, -y) for x, y in ring] for ring in polygon] for polygon in polygons]
