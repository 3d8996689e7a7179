"""Models over grounded questions: a verifier reads the evidence, a generator words the question.

Rules have decided before what a question says and that it is true; here nothing is added to that.
A model may reject a question or word it anew, and its wording passes the same gates and is read
again by the verifier.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial

from curation.framed import Framed, changed, framed
from curation.ground import check as static_gates
from hopsight.errors import ProviderError
from hopsight.llm.service import Models
from hopsight.llm.structured import Complete, Refused
from hopsight.reference.generator import verbalise
from hopsight.steps import (
    CHECK_WORDING,
    JUDGE_UNIQUENESS,
    VERBALISE_PATH,
    VERIFY_HOP,
    Step,
    run_all,
)
from hopsight.steps.check_wording import Wording, WordingFindings
from hopsight.steps.judge_uniqueness import MAX_CANDIDATES, Candidate, Described, Fitting
from hopsight.steps.statements import Statement, statements_of
from hopsight.steps.step import I, O
from hopsight.steps.verbalise_path import PathWording, WrittenQuestion, wording_of
from hopsight.steps.verify_hop import HopClaim, HopFinding
from hopsight.types import EvidenceChain, EvidenceNode, Question, Rejection
from hopsight.unique import FactIndex, World

STAGE = "grounded_questions"
OPERATOR = "word"

AskFor = Callable[[str], Complete | None]
"""Gives, for the id of a question, how a role is asked at its cost; None for rules."""

Pair = tuple[Question, EvidenceChain]

CONCURRENT = 64
"""Questions under way at once; each endpoint sets how many calls its server takes."""


@dataclass(frozen=True, slots=True)
class Readers:
    """Who is asked, and how many calls are under way at once."""

    generator: AskFor
    verifier: AskFor
    concurrency: int


def readers_of(models: Models) -> Readers | None:
    """How the models of a round are asked; None where rules answer for both roles."""
    if models.endpoint("generator") is None and models.endpoint("verifier") is None:
        return None
    generator, verifier = (
        partial(models.complete, role, STAGE) for role in ("generator", "verifier")
    )
    return Readers(generator, verifier, CONCURRENT)


async def worded_questions(
    world: World, index: FactIndex, grounded: Framed, readers: Readers
) -> Framed:
    """Questions that the verifier bears out, in the generator's words.

    Rejections: a hop or the answer that its sentence does not support, a clue that another entity
    fits, a wording that is refused, gives something away, or says less or more, and a model that
    failed (`…_failed`: infrastructure; what was answered is not asked again). Raises
    ProviderError where a step failed for every question.
    """
    pairs = list(zip(grounded.questions.kept, grounded.chains, strict=True))
    rejected = list(grounded.questions.rejected)
    steps: tuple[Callable[[list[Pair]], Awaitable[tuple[list[Pair], list[Rejection]]]], ...] = (
        lambda alive: _verified(world, alive, readers),
        lambda alive: _unique(world, index, alive, readers),
        lambda alive: _worded(world, alive, readers),
        lambda alive: _read_again(alive, readers),
    )
    for step in steps:
        pairs, more = await step(pairs)
        rejected += more
    gated, more = _gated(world, pairs)
    return framed(grounded.questions.entered, gated, [*rejected, *more])


async def _verified(
    world: World, pairs: list[Pair], readers: Readers
) -> tuple[list[Pair], list[Rejection]]:
    """Every hop and the answer, read in the sentence that states it."""
    claims = [
        (entered(question), claim)
        for question, chain in pairs
        for claim in hop_claims(world, chain)
    ]
    found = await _asked(VERIFY_HOP, claims, readers.verifier, readers)

    def wrong(claim: HopClaim, finding: HopFinding) -> tuple[str, str] | None:
        if finding.verdict == "supported":
            return None
        return f"hop_{finding.verdict}", f"{claim.statement}: {finding.reason[:200]}"

    return _kept(pairs, _faults("verifier", claims, found, wrong))


async def _unique(
    world: World, index: FactIndex, pairs: list[Pair], readers: Readers
) -> tuple[list[Pair], list[Rejection]]:
    """Every clue that several entities might fit: exactly its own must, for the verifier too."""
    asked: list[tuple[str, Described]] = []
    wanted: list[int] = []
    for question, chain in pairs:
        for before, node in zip(chain.nodes, chain.nodes[1:], strict=False):
            described, number = rivals(world, index, before, node)
            if number is not None:
                asked.append((entered(question), described))
                wanted.append(number)
    found = await _asked(JUDGE_UNIQUENESS, asked, readers.verifier, readers)
    right = dict(zip(map(id, (item for _, item in asked)), wanted, strict=True))

    def wrong(item: Described, fitting: Fitting) -> tuple[str, str] | None:
        if fitting.fits == (right[id(item)],):
            return None
        return "not_unique_for_verifier", f"{len(fitting.fits)} fit: {item.description}"

    return _kept(pairs, _faults("verifier", asked, found, wrong))


async def _worded(
    world: World, pairs: list[Pair], readers: Readers
) -> tuple[list[Pair], list[Rejection]]:
    """The generator's wording in place of the rules'."""
    items = [(entered(question), _wording(world, chain)) for question, chain in pairs]
    found = await _asked(VERBALISE_PATH, items, readers.generator, readers)
    kept, rejected = [], []
    for (question, chain), answer in zip(pairs, found, strict=True):
        if isinstance(answer, WrittenQuestion):
            kept.append((_reworded(question, answer), chain))
        else:
            reason, detail = _no_answer("generator", answer)
            rejected.append(_rejection(entered(question), reason, detail))
    return kept, rejected


async def _read_again(pairs: list[Pair], readers: Readers) -> tuple[list[Pair], list[Rejection]]:
    """The wording says all that it has to, and nothing else."""
    items = [(entered(question), _to_check(question, chain)) for question, chain in pairs]
    found = await _asked(CHECK_WORDING, items, readers.verifier, readers)

    def wrong(item: Wording, findings: WordingFindings) -> tuple[str, str] | None:
        if findings.is_faithful:
            return None
        lost = [each for each in findings.findings if each.finding != "stated"]
        told = item.statements[lost[0].number - 1].text if lost else "; ".join(findings.more)
        return ("wording_lost_a_clue" if lost else "wording_claims_more"), told[:300]

    return _kept(pairs, _faults("verifier", items, found, wrong))


def _gated(world: World, pairs: Sequence[Pair]) -> tuple[list[Pair], list[Rejection]]:
    """The static gates of grounding once more, on the final text."""
    kept, rejected = [], []
    for question, chain in pairs:
        picture = world.image(chain.nodes[0].page_id)
        assert picture is not None  # it was grounded in it
        reason, detail = static_gates(world, question, chain, picture)
        if reason is None:
            kept.append((question, chain))
        else:
            rejected.append(_rejection(entered(question), reason, detail))
    return kept, rejected


def entered(question: Question) -> str:
    """The id of the question that entered the stage: a grounded one's parent."""
    return question.parent_id or question.id


def hop_claims(world: World, chain: EvidenceChain) -> list[HopClaim]:
    """What a chain's evidence sentences have to support: each hop, then the answer."""
    claims = []
    for before, node in zip(chain.nodes, chain.nodes[1:], strict=False):
        clue, evidence = verbalise.clue_of(node), node.hop
        assert evidence is not None  # every node after the anchor has its sentence
        holder, value = (node, before) if clue.inverse else (before, node)
        claims.append(
            HopClaim(
                source=before.title,
                source_names=world.names(before.page_id),
                statement=_stated(clue.relation, holder.title, value.title),
                attribute=clue.relation,
                target=node.title,
                target_names=world.names(node.page_id),
                holder="source" if evidence.page_id == before.page_id else "target",
                sentence=evidence.sentence,
            )
        )
    last = chain.nodes[-1]
    answer = HopClaim(
        source=last.title,
        source_names=world.names(last.page_id),
        statement=_stated(chain.attribute, last.title, chain.answer),
        attribute=chain.attribute,
        target=chain.answer,
        target_names=chain.answer_aliases,
        sentence=chain.answer_evidence.sentence,
    )
    return [*claims, answer]


def _stated(attribute: str, holder: str, value: str) -> str:
    return f"{attribute.replace('_', ' ')} of {holder}: {value}"


def rivals(
    world: World, index: FactIndex, before: EvidenceNode, node: EvidenceNode
) -> tuple[Described, int | None]:
    """The entities related as the clue says, and the number of the right one.

    None where it is the only one, or where there are more than a model can be shown: the facts
    have decided there.
    """
    clue = verbalise.clue_of(node)
    related = sorted(index.related(before.page_id, clue.relation, clue.inverse))
    shown = related[:MAX_CANDIDATES]
    told = "; ".join(_condition(each.attribute, each.value, each.low, each.high)
                     for each in clue.constraints)  # fmt: skip
    candidates = tuple(
        Candidate(
            title=world.page(page_id).title,
            kind=index.kinds[page_id],
            facts=tuple(world.facts(page_id)),
        )
        for page_id in shown
    )
    described = Described(
        description=told or "any", candidates=candidates or (Candidate(title=node.title),),
        constraints=clue.constraints,
    )  # fmt: skip
    decided = len(related) != len(shown) or len(shown) < 2 or node.page_id not in shown
    return described, None if decided else shown.index(node.page_id) + 1


def _condition(attribute: str, value: str | None, low: float | None, high: float | None) -> str:
    name = attribute.replace("_", " ")
    if value is not None:
        return f"{name}: {value}"
    return f"{name}: {'' if low is None else f'{low:g}'} to {'' if high is None else f'{high:g}'}"


def _wording(world: World, chain: EvidenceChain) -> PathWording:
    names = [name for node in chain.nodes for name in world.names(node.page_id)]
    avoid = tuple(dict.fromkeys([*names, chain.answer, *chain.answer_aliases]))
    return wording_of(chain, _anchor(chain), avoid)


def _anchor(chain: EvidenceChain) -> str:
    anchor = verbalise.anchor_phrase(chain.nodes[0].infobox, chain.path_id)
    assert anchor is not None  # grounding refuses kinds without one
    return anchor


def _to_check(question: Question, chain: EvidenceChain) -> Wording:
    statements, asks = statements_of(chain, _anchor(chain))
    return Wording(text=question.text, statements=(*statements, Statement(text=asks)))


def _reworded(question: Question, written: WrittenQuestion) -> Question:
    return changed(
        question,
        text=written.question.strip(),
        operator=OPERATOR,
        prompt=VERBALISE_PATH.prompt.ref,
    )


async def _asked(
    step: Step[I, O], items: Sequence[tuple[str, I]], ask_for: AskFor, readers: Readers
) -> list[O | Refused | ProviderError]:
    """The answers; raises ProviderError where infrastructure lost every one."""
    found = await run_all(step, items, ask_for, concurrency=readers.concurrency)
    failed = [each for each in found if isinstance(each, ProviderError)]
    if failed and len(failed) == len(found):
        raise failed[0]
    return found


def _faults(
    role: str,
    items: Sequence[tuple[str, I]],
    found: Sequence[O | Refused | ProviderError],
    wrong: Callable[[I, O], tuple[str, str] | None],
) -> dict[str, tuple[str, str]]:
    """The first fault of each question."""
    faults: dict[str, tuple[str, str]] = {}
    for (question_id, item), answer in zip(items, found, strict=True):
        if isinstance(answer, Refused | ProviderError):
            fault: tuple[str, str] | None = _no_answer(role, answer)
        else:
            fault = wrong(item, answer)
        if fault is not None:
            faults.setdefault(question_id, fault)
    return faults


def _no_answer(role: str, answer: Refused | ProviderError) -> tuple[str, str]:
    if isinstance(answer, ProviderError):
        return f"{role}_failed", answer.cause
    return f"{role}_refused", f"{answer.reason}: {answer.detail}"[:300]


def _kept(
    pairs: list[Pair], faults: dict[str, tuple[str, str]]
) -> tuple[list[Pair], list[Rejection]]:
    kept = [pair for pair in pairs if entered(pair[0]) not in faults]
    return kept, [_rejection(record, reason, told) for record, (reason, told) in faults.items()]


def _rejection(record_id: str, reason: str, detail: str) -> Rejection:
    return Rejection(record_id=record_id, stage=STAGE, reason=reason, detail=detail)
