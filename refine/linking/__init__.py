"""From names in a reasoning to pages of the snapshot, and from page to page by its facts."""

from refine.linking.names import EntityNames
from refine.linking.telling import Telling
from refine.linking.trails import Stop, Trail, TrailFinder, Unlinked

__all__ = ["EntityNames", "Stop", "Telling", "Trail", "TrailFinder", "Unlinked"]
