"""The mini world's questions as they would be if one part of the pipeline were left out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from curation.canonical import canonical_questions
from curation.fuzz import fuzzed_questions
from curation.ground import grounded_questions
from curation.paths import sample_paths
from curation.recipe import draw_seeds, path_rules
from hopsight.chains import Framed, Pair, changed, unneeded_hop
from hopsight.chains.walker import Walker
from hopsight.config import RoundConfig
from hopsight.reference.generator import verbalise
from hopsight.store import ImageStore
from hopsight.types import EvidenceChain, PageImage, Question, content_hash
from hopsight.wiki.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Maker:
    """Makes questions from the same paths in several ways; what a way cannot make is left out."""

    config: RoundConfig
    world: Snapshot
    images: ImageStore
    walker: Walker
    canonical: Framed
    fuzzed: Framed

    @classmethod
    def of(
        cls, config: RoundConfig, world: Snapshot, images: ImageStore, *, hop_necessity: bool = True
    ) -> "Maker":
        """Walk, tell and fuzz, with hop necessity or without."""
        rules = replace(path_rules(config), hop_necessity=hop_necessity)
        walker = Walker(world, rules)
        paths = sample_paths(walker, draw_seeds(world, config).kept, rules, seed=config.seed)
        canonical = canonical_questions(walker, paths.kept, round=config.round)
        fuzzed = fuzzed_questions(walker, canonical, seed=config.seed, hop_necessity=hop_necessity)
        return cls(config, world, images, walker, canonical, fuzzed)

    def sound(self) -> list[Pair]:
        """Questions that pass every static gate."""
        least = self.config.seed_entities.min_picture_px
        made = grounded_questions(self.world, self.fuzzed, self.images, min_picture_px=least)
        return list(made.pairs)

    def anchor_named(self) -> list[Pair]:
        """The anchor is named and not shown."""
        return list(self.fuzzed.pairs)

    def answer_shown(self) -> list[Pair]:
        """The anchor is named, and the picture is that of the page with the answer."""
        shown = [(*pair, self.world.image(pair[1].nodes[-1].page_id)) for pair in self.fuzzed.pairs]
        return [_with(question, chain, image) for question, chain, image in shown if image]

    def names_kept(self) -> list[Pair]:
        """The anchor is shown, and every other page is named."""
        made = []
        for question, chain in self.canonical.pairs:
            anchor = chain.nodes[0]
            phrase = verbalise.anchor_phrase(anchor.infobox, chain.path_id)
            image = self.world.image(anchor.page_id)
            if phrase is not None and image is not None:
                text = verbalise.question(chain, phrase)
                made.append(_with(changed(question, text=text), chain, image))
        return made

    def idle(self, pairs: Sequence[Pair]) -> int | None:
        """Of some questions, how many have a hop that the facts show to be needless.

        None where pages are named: what a name says is not looked at.
        """
        index = self.walker.index
        if any(node.clue and node.clue.named for _, chain in pairs for node in chain.nodes):
            return None
        clues = [[verbalise.clue_of(node) for node in chain.nodes[1:]] for _, chain in pairs]
        chains = [chain for _, chain in pairs]
        found = (unneeded_hop(index, *each) for each in zip(chains, clues, strict=True))
        return sum(each is not None for each in found)


def chosen(pairs: Sequence[Pair], count: int) -> list[Pair]:
    """So many of them, whatever their order."""
    return sorted(pairs, key=lambda pair: content_hash(["ablation", pair[0].id]))[:count]


Making = Callable[[Maker], list[Pair]]

LEFT_OUT: Mapping[str, Making] = {
    "filter": Maker.sound,
    "anchor shown (named instead)": Maker.anchor_named,
    "anchor shown (the answer is)": Maker.answer_shown,
    "fuzzing": Maker.names_kept,
}
"""What is left out, and how questions are made without it. Hop necessity is a maker of its own."""


def _with(question: Question, chain: EvidenceChain, image: PageImage) -> Pair:
    return changed(question, images=(image.image,)), chain
