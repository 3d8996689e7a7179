"""BuildLink: a solved question's reasoning becomes a chain of evidence over the wiki snapshot.

A model, or rules, name the entities from the picture to the answer; the snapshot decides. Every
transition needs a fact with its sentence, and the answer is an attribute of the last entity's page.
The question's own text, answer and pictures stay as they are. A path of the wiki has its chain
already.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hopsight.chains import AnswerFinder, Framed, HopTable, Pair, changed, framed
from hopsight.chains.nodes import bare_node
from hopsight.errors import ProviderError
from hopsight.leak import leaks
from hopsight.llm.structured import Refused
from hopsight.reference.generator import BOOK, Phrasebook
from hopsight.steps import BUILD_LINK, AskFor, each_despite_outages, run_step
from hopsight.steps.build_link import KnownEntity, LinkedEntities, Route
from hopsight.steps.text import line
from hopsight.types import Clue, EvidenceChain, Question, Rejection, Seed
from hopsight.unique import FactIndex, World
from refine.linking import EntityNames, Stop, Telling, Trail, TrailFinder, Unlinked

STAGE: Final = "linked_questions"
OPERATOR: Final = "import"
MAX_ANSWER: Final = 200
"""Characters of an answer that can be a fact; the step takes no longer ones."""
_TOLD: Final = 500


@dataclass(frozen=True, slots=True)
class LinkRules:
    """Bounds of a chain, as those of link paths, and how many seeds are under way at once."""

    max_hub_in_degree: int = 10_000
    answer_max_tokens: int = 6
    concurrency: int = 64


_USUAL: Final = LinkRules()


async def build_links(
    seeds: Sequence[Seed],
    world: World,
    index: FactIndex,
    ask: AskFor | None,
    *,
    round: str,
    rules: LinkRules = _USUAL,
    book: Phrasebook = BOOK,
) -> Framed:
    """A question and its chain for each seed that the snapshot bears out.

    `ask` None lets rules read the reasoning: they know the entities of the world by name, take
    them in the order in which they are named, and may pass over those that no fact leads to.

    Rejections: `no_reasoning`, `answer_too_long`, `answer_in_question`, `step_refused`,
    `not_linked` (no entity before the answer), `entity_not_in_wiki`, `picture_of_another_page` (the
    picture is that of a page which the chain does not start from), `no_infobox`,
    `hop_without_evidence`, `answer_not_a_fact`, `ambiguous_entity` (several pages of one name go
    equally well), `ambiguous_route`, `anchor_named` (the question says what its picture shows, so
    it can be solved without), `generator_failed` (infrastructure). Raises ProviderError where the
    generator failed for every seed that it was asked about.
    """
    table = HopTable(world, index, book, max_in_degree=rules.max_hub_in_degree)
    answers = AnswerFinder(world, index, book, max_tokens=rules.answer_max_tokens)
    finder = TrailFinder(table, answers)
    linker = _Linker(world, index, book, EntityNames(world), finder, ask, round)

    def lost(seed: Seed, error: ProviderError) -> Pair | Rejection:
        return _rejection(seed, "generator_failed", error.cause)

    unfit = [_unfit(seed) for seed in seeds]
    asked = [seed for seed, why in zip(seeds, unfit, strict=True) if why is None]
    told = await each_despite_outages(linker.link, asked, lost, concurrency=rules.concurrency)
    return framed(
        len(seeds),
        [each for each in told if not isinstance(each, Rejection)],
        [each for each in (*unfit, *told) if isinstance(each, Rejection)],
    )


@dataclass(frozen=True, slots=True)
class _Linker:
    """What every seed is linked by."""

    world: World
    index: FactIndex
    book: Phrasebook
    names: EntityNames
    finder: TrailFinder
    ask: AskFor | None
    round: str

    async def link(self, seed: Seed) -> Pair | Rejection:
        """The question and its chain. Raises ProviderError where infrastructure failed."""
        found = await self._entities(seed)
        if isinstance(found, Refused):
            reason = "not_linked" if self.ask is None else "step_refused"
            return _rejection(seed, reason, f"{found.reason}: {found.detail}")
        trail = self._trail(seed, found)
        if isinstance(trail, Unlinked):
            return _rejection(seed, trail.reason, trail.detail)
        named = leaks(seed.question, self.world.names(trail.pages[0]))
        if named:
            return _rejection(seed, "anchor_named", f"{named[0]} | {seed.question}")
        chain = self._chain(seed, trail)
        return self._question(seed, chain), chain

    async def _entities(self, seed: Seed) -> LinkedEntities | Refused:
        known = self._known(seed) if self.ask is None else ()
        route = Route(
            question=seed.question, answer=seed.answer, reasoning=seed.reasoning, known=known
        )
        return await run_step(BUILD_LINK, route, None if self.ask is None else self.ask(seed.id))

    def _known(self, seed: Seed) -> tuple[KnownEntity, ...]:
        """The entities that rules look for: the one that is named first, for the picture shows it,
        and those that may lead to the answer.

        All that are named where none of them does: then it is told which hop is missing.
        """
        named = self.names.mentioned(seed.reasoning)
        leading = self.finder.leading(named, (seed.answer, *seed.answer_aliases))
        return self.names.entities({*named[:1], *leading} if leading else named)

    def _trail(self, seed: Seed, found: LinkedEntities) -> Trail | Unlinked:
        entities = found.entities[:-1]
        stops = [self.names.pages(entity) for entity in entities]
        unknown = next((name for name, at in zip(entities, stops, strict=True) if not at), None)
        if unknown is not None:
            return Unlinked("entity_not_in_wiki", unknown)
        started = self._started(seed, entities, stops)
        if isinstance(started, Unlinked):
            return started
        entities, stops = started
        telling = Telling(self.world, seed.reasoning)
        forms = (seed.answer, *seed.answer_aliases)
        trails = self.finder.trails(stops, forms, telling, asides=self.ask is None)
        if not trails:
            return self._broken(entities, stops, forms, telling)
        if len(trails) > 1:
            return self._several(trails[0], trails[1])
        return trails[0]

    def _started(
        self, seed: Seed, entities: tuple[str, ...], stops: list[Stop]
    ) -> tuple[tuple[str, ...], list[Stop]] | Unlinked:
        """The entities from the one that the picture shows, where the snapshot has that picture.

        Rules take what is named before it for asides.
        """
        shown = frozenset().union(*(self.names.of_picture(each.sha256) for each in seed.images))
        places = range(len(stops) if self.ask is None else 1)
        for place in places if shown else range(1):
            start = tuple(page for page in stops[place] if not shown or page in shown)
            if self.book.says_entity(self._kind(start)):
                return entities[place:], [start, *stops[place + 1 :]]
            if start:
                return Unlinked("no_infobox", entities[place])
        titles = ", ".join(self.world.page(page).title for page in sorted(shown))
        return Unlinked("picture_of_another_page", f"{titles}, not {entities[0]}")

    def _kind(self, pages: Stop) -> str | None:
        """The infobox of the first page that has one that can be told."""
        kinds = (self.index.kinds[page] for page in pages)
        return next((kind for kind in kinds if self.book.says_entity(kind)), None)

    def _broken(
        self, entities: tuple[str, ...], stops: list[Stop], forms: Sequence[str], telling: Telling
    ) -> Unlinked:
        """Where the way to the answer ends."""
        asides = self.ask is None
        ways = self.finder.ways(stops, telling, asides=asides)
        last = max(way.at[-1][0] for way in ways)
        holders = [
            entity
            for entity, stop in zip(entities, stops, strict=True)
            if any(self.finder.has_answer(page, forms) for page in stop)
        ]
        if last < len(stops) - 1 and (not asides or holders):
            where = f"{entities[last]} → {entities[last + 1]}"
            why = self.finder.refusal(stops[last], stops[last + 1])
            return Unlinked("hop_without_evidence", f"{where}: {why}")
        return Unlinked("answer_not_a_fact", f"{forms[0]} of {entities[last]}")

    def _several(self, first: Trail, second: Trail) -> Unlinked:
        same_stops = [stop for stop, _ in first.at] == [stop for stop, _ in second.at]
        told = " or ".join(
            " → ".join(self.world.page(page).title for page in trail.pages)
            for trail in (first, second)
        )
        return Unlinked("ambiguous_entity" if same_stops else "ambiguous_route", told)

    def _chain(self, seed: Seed, trail: Trail) -> EvidenceChain:
        anchor = bare_node(self.world, self.index, trail.pages[0])
        nodes = [changed(anchor, images=seed.images)]
        for hop in trail.hops:
            clue = Clue(relation=hop.relation, inverse=hop.inverse)
            node = bare_node(self.world, self.index, hop.target)
            nodes.append(changed(node, clue=clue, hop=hop.evidence, link=hop.link))
        forms = (*seed.answer_aliases, seed.answer, *trail.answer.aliases)
        return EvidenceChain(
            path_id=seed.id,
            nodes=tuple(nodes),
            attribute=trail.answer.attribute,
            answer=trail.answer.value,
            answer_aliases=_others(trail.answer.value, forms),
            answer_evidence=trail.answer.evidence,
        )

    def _question(self, seed: Seed, chain: EvidenceChain) -> Question:
        return Question(
            text=seed.question,
            answer=seed.answer,
            answer_aliases=_others(seed.answer, (chain.answer, *chain.answer_aliases)),
            images=seed.images,
            chain_id=chain.id,
            parent_id=seed.id,
            operator=OPERATOR,
            prompt=self.book.prompt if self.ask is None else BUILD_LINK.prompt.ref,
            round=self.round,
        )


def _unfit(seed: Seed) -> Rejection | None:
    """What rules out a seed before anybody reads its reasoning."""
    if not seed.reasoning:
        return _rejection(seed, "no_reasoning", seed.question)
    if len(seed.answer) > MAX_ANSWER:
        return _rejection(seed, "answer_too_long", f"{len(seed.answer)} characters")
    told = leaks(seed.question, (seed.answer, *seed.answer_aliases))
    if told:
        return _rejection(seed, "answer_in_question", f"{told[0]} | {seed.question}")
    return None


def _others(form: str, forms: Sequence[str]) -> tuple[str, ...]:
    """The different forms beside one, sorted."""
    return tuple(sorted({each for each in forms if each != form}))


def _rejection(seed: Seed, reason: str, detail: str) -> Rejection:
    told = line(f"{seed.source} row {seed.row}: {detail}", _TOLD)
    return Rejection(record_id=seed.id, stage=STAGE, reason=reason, detail=told)
