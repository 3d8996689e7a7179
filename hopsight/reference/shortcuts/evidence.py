"""A memory of nothing but the evidence of one chain: its sentences, and what these state."""

from collections.abc import Iterable, Sequence

from hopsight.harness.backends.markdown import page_markdown
from hopsight.reference.agents import Memory
from hopsight.types import Evidence, EvidenceChain, Link
from hopsight.unique import World


def evidence_of(chain: EvidenceChain) -> tuple[Evidence, ...]:
    """Every sentence that bears a chain out, from the picture to the answer, each once."""
    found: list[Evidence | None] = []
    for node in chain.nodes:
        constraints = () if node.clue is None else node.clue.constraints
        found += [node.link, node.hop, *(each.evidence for each in constraints)]
    found.append(chain.answer_evidence)
    return tuple(dict.fromkeys(each for each in found if each is not None))


def evidence_memory(world: World, chain: EvidenceChain) -> Memory:
    """Pages that hold the evidence and nothing else, and the chain's pictures.

    A page's table has the facts that its sentences state; its links are those in them. An agent
    that fails here had nothing left to search for.
    """
    known: dict[int, list[Evidence]] = {}
    for each in evidence_of(chain):
        known.setdefault(each.page_id, []).append(each)
    ids = dict.fromkeys([*(node.page_id for node in chain.nodes), *known])
    urls = {page_id: world.page(page_id).url for page_id in ids}
    pages = {urls[page_id]: _page(world, page_id, known.get(page_id, ()), urls) for page_id in ids}
    pictures = {image.sha256: urls[node.page_id] for node in chain.nodes for image in node.images}
    return Memory(pages, pictures)


def _page(world: World, page_id: int, evidence: Sequence[Evidence], urls: dict[int, str]) -> str:
    """One page as Markdown, cut down to its evidence."""
    sentences = sorted({(each.start, each.sentence) for each in evidence})
    told = {sentence for _, sentence in sentences}
    facts = [
        fact
        for fact in world.facts(page_id)
        if fact.evidence is not None and fact.evidence.sentence in told
    ]
    text = ""
    links: list[Link] = []
    for _, sentence in sentences:
        links += _links_in(world.links(page_id), sentence, len(text))
        text += f"{sentence} "
    page = world.page(page_id).model_copy(update={"text": text})
    return page_markdown(page, facts, links, urls)


def _links_in(links: Iterable[Link], sentence: str, start: int) -> list[Link]:
    """The links of a sentence that now begins at `start`."""
    moved = {"start": start, "end": start + len(sentence)}
    return [link.model_copy(update=moved) for link in links if link.sentence == sentence]
