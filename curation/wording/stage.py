"""The stage: every question through every gate, and what became of each."""

from collections.abc import Container, Sequence

from curation.wording.gates import Gate, Gates, failed
from curation.wording.readers import Readers
from hopsight.chains.framed import Framed, Pair, changed, framed
from hopsight.errors import ProviderError
from hopsight.steps import each_despite_outages
from hopsight.types import Rejection
from hopsight.unique import FactIndex, World


async def worded_anew(
    world: World, index: FactIndex, entered: Framed, readers: Readers, operators: Container[str]
) -> Framed:
    """Let models read and word what these operators made; the rest goes on as it is.

    Rejections and errors as of `worded_questions`.
    """
    new = [pair for pair in entered.pairs if pair[0].operator in operators]
    rest = [pair for pair in entered.pairs if pair[0].operator not in operators]
    read = await worded_questions(world, index, framed(len(new), new), readers)
    rejected = (*entered.questions.rejected, *read.questions.rejected)
    return framed(entered.questions.entered, [*rest, *read.pairs], rejected)


async def worded_questions(
    world: World, index: FactIndex, grounded: Framed, readers: Readers
) -> Framed:
    """Questions that the verifier bears out, in the generator's words.

    Rejections: a hop or the answer that its sentence does not support, a clue that another entity
    fits, a wording that is refused, gives something away, or says less or more, and a model that
    failed (`…_failed`: infrastructure; what was answered is not asked again). Raises
    ProviderError where infrastructure failed at one gate for every question.
    """
    pairs: list[Pair] = list(grounded.pairs)
    rejected = list(grounded.questions.rejected)
    # Gate by gate, so that calls with the same beginning follow each other: servers keep it.
    for role, gate in Gates(world, index, readers).in_order():
        outcomes = await _through(role, gate, pairs, readers.concurrency)
        pairs = [each for each in outcomes if not isinstance(each, Rejection)]
        out = [each for each in outcomes if isinstance(each, Rejection)]
        rejected += [changed(each, stage=readers.stage) for each in out]
    return framed(grounded.questions.entered, pairs, rejected)


async def _through(
    role: str, gate: Gate, pairs: Sequence[Pair], concurrency: int
) -> list[Pair | Rejection]:
    """What a gate made of each question, in order."""

    def lost(pair: Pair, error: ProviderError) -> Pair | Rejection:
        return failed(role, pair[0], error)

    return await each_despite_outages(gate, pairs, lost, concurrency=concurrency)
