"""What a whole round will cost where models answer: measured on a preview, or by a stated bound.

Every figure says which of the two it is. A role that rules answer costs nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Final

from curation.preview import Preview
from curation.probes import DIRECT, PROBES, STAGE
from curation.verdicts import STAGE as VERDICTS
from curation.wording import STAGE as WORDING
from hopsight.budget import USD_UNITS
from hopsight.config import HarnessConfig, RoundConfig
from hopsight.config.models import Endpoint
from hopsight.harness.limits import limits_of
from hopsight.judge import JudgeSetup
from hopsight.llm.costs import CostRow, estimate
from hopsight.llm.prices import PriceList, worst_cost
from hopsight.llm.service import ModelSettings
from refine.build_link import STAGE as LINKED
from refine.imported.unchanged import STAGE as REFINED

WRITTEN_TOKENS: Final = 1_000
"""Of a turn, unless the round allows less: a thought and a call."""
BROUGHT_TOKENS: Final = 4_000
"""What a turn's call brings: a long part of a page (12,000 characters)."""
OPENING_TOKENS: Final = 4_000
"""What is read before the first turn: the rules, the tools, the question."""
JUDGE_READS: Final = 2_000


@dataclass(frozen=True, slots=True)
class Projected:
    """The cost of one stage in dollars. `usd` is None where a price is unknown.

    `low` and `high` are None where the figure has no range; `basis` says what it rests on.
    """

    stage: str
    role: str
    usd: float | None
    low: float | None
    high: float | None
    basis: str


@dataclass(frozen=True, slots=True)
class Whole:
    """What a whole round comes to: questions, imported rows, and questions made harder."""

    questions: int
    rows: int
    harder: int


def whole_of(preview: Preview, tried: int, paths: int) -> Whole:
    """What a round of so many `paths` comes to, if a preview tried so many.

    Imported questions grow with the rows of their files, and those made harder with all questions.
    """
    shown = len(preview.pairs)
    wiki = _scaled(shown - preview.imported, tried, paths)
    questions = wiki + _scaled(preview.imported, preview.read, preview.rows)
    harder = _scaled(len(preview.asked.get(REFINED, ())), shown, questions)
    return Whole(questions, preview.rows, harder)


def _scaled(made: int, tried: int, whole: int) -> int:
    """How many `whole` give, if `tried` gave `made`."""
    return ceil(made * whole / max(1, tried))


def projected(
    config: RoundConfig,
    settings: ModelSettings,
    judge: JudgeSetup,
    whole: Whole,
    rows: Mapping[str, Sequence[CostRow]],
) -> tuple[Projected, ...]:
    """One figure for each stage of the whole round that models answer; none where rules do.

    `rows` are the costs of the previewed questions by stage, one each; `config.explore.paths`
    bounds the wiki's questions before they are worded.
    """
    questions = whole.questions
    parts = []
    readers = [role for role in ("generator", "verifier") if role in settings.endpoints]
    if readers:
        paths = config.explore.paths
        names = " and ".join(readers)
        parts.append(_measured(WORDING, names, rows.get(WORDING, ()), paths))
        if whole.rows and "generator" in settings.endpoints:
            parts.append(_measured(LINKED, "generator", rows.get(LINKED, ()), whole.rows))
        if whole.harder:
            parts.append(_measured(REFINED, names, rows.get(REFINED, ()), whole.harder))
    prober = settings.endpoints.get("prober")
    if prober is not None:
        if DIRECT in config.curate.probes:
            parts.append(_measured(STAGE, "prober", rows.get(STAGE, ()), questions))
        parts += _probes(config, prober, settings.prices, questions)
    curate = config.curate
    for role, samples in (("policy", curate.policy_samples), ("teacher", curate.teacher_samples)):
        endpoint = settings.endpoints.get(role)
        if endpoint is not None:
            episodes = questions * samples
            parts.append(_episodes(role, endpoint, settings.prices, episodes, config.harness))
    answers = questions * (curate.policy_samples + curate.teacher_samples)
    if judge.endpoints:
        parts.append(_judgments(judge, settings.prices, answers))
    return tuple(parts)


def _probes(
    config: RoundConfig, prober: Endpoint, prices: PriceList, questions: int
) -> Iterator[Projected]:
    """A bound for each probe with tools, as if no probe before it solved a question."""
    for name in (name for name in config.curate.probes if name in PROBES):
        limits = PROBES[name].limits(limits_of(config.harness))
        harness = config.harness.model_copy(update={"max_turns": limits.max_turns})
        bound = _episodes("prober", prober, prices, questions, harness)
        yield replace(bound, stage=f"{STAGE}, {name}")


def _measured(stage: str, role: str, rows: Sequence[CostRow], questions: int) -> Projected:
    found = estimate(rows, questions)
    basis = f"measured on {found.records_seen} of about {questions:,} questions"
    if found.low is None and found.usd is not None:
        basis += "; too few for a range"
    return Projected(stage, role, found.usd, found.low, found.high, basis)


def _episodes(
    role: str, endpoint: Endpoint, prices: PriceList, episodes: int, harness: HarnessConfig
) -> Projected:
    turns, written = harness.max_turns, min(WRITTEN_TOKENS, harness.sampling.max_tokens)
    pictures = endpoint.picture_tokens if endpoint.can("pictures") else 0
    grown = (written + BROUGHT_TOKENS) * turns * (turns - 1) // 2
    read = turns * (OPENING_TOKENS + pictures) + grown
    basis = (
        f"bound: {episodes:,} episodes of {turns} calls, each of which writes {written:,} "
        f"tokens and brings {BROUGHT_TOKENS:,} that the later ones read too"
        + (f"; one picture of {pictures:,} tokens" if pictures else "")
    )
    usd = _bound(endpoint, prices, episodes, read, turns * written)
    return Projected(f"{role}_rollouts", role, usd, None, usd, basis)


def _judgments(judge: JudgeSetup, prices: PriceList, answers: int) -> Projected:
    usd = _bound(judge.endpoints[0], prices, answers, JUDGE_READS, judge.max_tokens)
    basis = (
        f"bound: {answers:,} answers that rules leave open, each judged once, reading "
        f"{JUDGE_READS:,} tokens and writing {judge.max_tokens:,}"
    )
    return Projected(VERDICTS, "judge", usd, None, usd, basis)


def _bound(
    endpoint: Endpoint, prices: PriceList, times: int, read: int, written: int
) -> float | None:
    price = prices.of(endpoint)
    return None if price is None else times * worst_cost(price, read, written) / USD_UNITS
