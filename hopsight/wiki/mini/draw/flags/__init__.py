"""Flags as tables of layers, in the units of their construction sheets."""

from hopsight.wiki.mini.draw.flags import africa, americas, asia, europe, oceania
from hopsight.wiki.mini.draw.layers import Flag

FLAGS: tuple[Flag, ...] = (
    *africa.FLAGS,
    *americas.FLAGS,
    *asia.FLAGS,
    *europe.FLAGS,
    *oceania.FLAGS,
)
