"""Pictures of the mini world, drawn from geometry and from its own tables (Pillow only, CC0)."""

from hopsight.wiki.mini.draw.pictures import Picture, draw_all, picture_rows

__all__ = ["Picture", "draw_all", "picture_rows"]
