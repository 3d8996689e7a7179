"""The gates of a question, one after the other: each lets it through, changed or not, or rejects.

A gate asks no more about a question than it must: the first fault decides. Which role it asks
stands beside it, so that an outage is told under the role that was out.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from curation.ground import OPERATOR as GROUND
from curation.wording.candidates import rivals
from curation.wording.claims import hop_claims
from curation.wording.readers import STAGE, Readers
from hopsight.chains.faults import text_fault, unsayable
from hopsight.chains.framed import Pair, changed
from hopsight.chains.shown import picture_shown
from hopsight.errors import ProviderError
from hopsight.leak import fold
from hopsight.llm.structured import Complete, Refused
from hopsight.steps import (
    CHECK_WORDING,
    JUDGE_UNIQUENESS,
    VERBALISE_PATH,
    VERIFY_HOP,
    AskFor,
    run_step,
)
from hopsight.steps.check_wording import Wording
from hopsight.steps.statements import Statement, statements_of
from hopsight.steps.text import line
from hopsight.steps.verbalise_path import wording_of
from hopsight.types import EvidenceChain, Question, Rejection
from hopsight.unique import FactIndex, World
from refine.operator import anchor_words

OPERATOR = "word"
_TOLD = 500
"""Characters of a rejection's detail."""

Gate = Callable[[Pair], Awaitable[Pair | Rejection]]


@dataclass(frozen=True, slots=True)
class Gates:
    """What every gate goes by. All raise ProviderError where infrastructure failed."""

    world: World
    index: FactIndex
    readers: Readers

    def in_order(self) -> tuple[tuple[str, Gate], ...]:
        """Each gate under the role that it asks."""
        return (
            ("verifier", self.verified),
            ("verifier", self.unique),
            ("generator", self.worded),
            ("verifier", self.read_again),
            ("reference", self.gated),
        )

    async def verified(self, pair: Pair) -> Pair | Rejection:
        """Every hop and the answer, read in the sentence that states it."""
        question, chain = pair
        for claim in hop_claims(self.world, chain):
            found = await run_step(VERIFY_HOP, claim, _asked(self.readers.verifier, question))
            if isinstance(found, Refused):
                return _refused("verifier", question, found)
            if found.verdict != "supported":
                told = f"{claim.statement} | {claim.sentence} | {found.reason}"
                return _rejection(question, f"hop_{found.verdict}", told)
        return pair

    async def unique(self, pair: Pair) -> Pair | Rejection:
        """Every clue leads to its own entity alone, for a reader as for the facts."""
        question, chain = pair
        for rival in rivals(self.world, self.index, chain):
            found = await run_step(JUDGE_UNIQUENESS, rival, _asked(self.readers.verifier, question))
            if isinstance(found, Refused):
                return _refused("verifier", question, found)
            if found.may_fit:
                told = f"{rival.candidate.title}: {rival.description} | {found.reason}"
                return _rejection(question, "not_unique_for_verifier", told)
        return pair

    async def worded(self, pair: Pair) -> Pair | Rejection:
        """The generator's wording in place of the rules', which stays where rules generate."""
        question, chain = pair
        generator = _asked(self.readers.generator, question)
        if generator is None:
            return pair
        avoid = tuple(dict.fromkeys(unsayable(self.world, chain)))
        item = wording_of(chain, self._anchor(pair), avoid)
        found = await run_step(VERBALISE_PATH, item, generator)
        if isinstance(found, Refused):
            return _refused("generator", question, found)
        text, prompt = found.question.strip(), VERBALISE_PATH.prompt.ref
        # What made a question hard stays its operator; whose words it has, its prompt tells.
        operator = OPERATOR if question.operator == GROUND else question.operator
        return changed(question, text=text, operator=operator, prompt=prompt), chain

    async def read_again(self, pair: Pair) -> Pair | Rejection:
        """The wording says all that it has to, and nothing else.

        What stands in it word for word is said, whatever a reader finds; a text that says nothing
        beside that needs no reader.
        """
        question, chain = pair
        item = to_check(question, chain, self._anchor(pair))
        if fold(" ".join(each.text for each in item.statements)) == fold(question.text):
            return pair
        found = await run_step(CHECK_WORDING, item, _asked(self.readers.verifier, question))
        if isinstance(found, Refused):
            return _refused("verifier", question, found)
        not_said = [each.number for each in found.findings if each.finding != "stated"]
        lost = [item.statements[number - 1].text for number in not_said]
        lost = [text for text in lost if fold(text) not in fold(question.text)]
        if lost:
            return _rejection(question, "wording_lost_a_clue", f"{lost[0]} | {question.text}")
        if found.more:
            told = f"{'; '.join(found.more)} | {question.text}"
            return _rejection(question, "wording_claims_more", told)
        return pair

    async def gated(self, pair: Pair) -> Pair | Rejection:
        """The static gates of grounding once more, on the final text."""
        question, chain = pair
        picture = picture_shown(self.world, chain.nodes[0].page_id, question.images)
        reason, detail = text_fault(self.world, question, chain, picture)
        return pair if reason is None else _rejection(question, reason, detail)

    def _anchor(self, pair: Pair) -> str:
        """How the question refers to what its picture shows."""
        question, chain = pair
        anchor = anchor_words(self.world, chain, question.images)
        assert anchor is not None  # grounding and refining refuse kinds without words
        return anchor


def entered(question: Question) -> str:
    """The id of the question that entered the stage: a grounded one's parent."""
    return question.parent_id or question.id


def to_check(question: Question, chain: EvidenceChain, anchor: str) -> Wording:
    """What a question's text has to say: each hop's statement, then what is asked.

    `anchor` refers to what the picture shows.
    """
    statements, asks = statements_of(chain, anchor)
    return Wording(text=question.text, statements=(*statements, Statement(text=asks)))


def failed(role: str, question: Question, error: ProviderError) -> Rejection:
    """A question that infrastructure kept from being asked about."""
    return _rejection(question, f"{role}_failed", error.cause)


def _asked(ask_for: AskFor, question: Question) -> Complete | None:
    return ask_for(entered(question))


def _refused(role: str, question: Question, why: Refused) -> Rejection:
    return _rejection(question, f"{role}_refused", f"{why.reason}: {why.detail}")


def _rejection(question: Question, reason: str, detail: str) -> Rejection:
    told = line(detail, _TOLD)
    return Rejection(record_id=entered(question), stage=STAGE, reason=reason, detail=told)
