"""A page as a node of a chain."""

from hopsight.types import EvidenceNode
from hopsight.unique import FactIndex, World


def bare_node(world: World, index: FactIndex, page_id: int) -> EvidenceNode:
    """The node of a page, without a way to it and without pictures."""
    return EvidenceNode(
        page_id=page_id,
        title=world.page(page_id).title,
        infobox=index.kinds[page_id] or "",
        clue=None,
        hop=None,
        link=None,
    )
