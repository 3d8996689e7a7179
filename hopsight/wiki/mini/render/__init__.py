"""Prose and wikitext of the mini world, rendered from its fact tables."""

from hopsight.wiki.mini.render.export import export_xml
from hopsight.wiki.mini.render.tables import Row, Tables, load_tables
from hopsight.wiki.mini.render.world import World, render_world, truth_lines

__all__ = [
    "Row",
    "Tables",
    "World",
    "export_xml",
    "load_tables",
    "render_world",
    "truth_lines",
]
